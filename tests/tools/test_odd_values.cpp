// SPDX-License-Identifier: Apache-2.0
// Values that nobody means, for every key of every section and kind of problem: each gives an Error, the same on every rank, or a
// run to the end.
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tools/config/config.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/run.hpp"

#include <gravlet/option_list.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

/// What a kind asks a section for.
struct KeyList {
    std::vector<std::string> names;
    template <class T>
    void value(const std::string& key, T&, const char*) {
        names.push_back(key);
    }
    template <class T>
    void required(const std::string& key, T&, const char*) {
        names.push_back(key);
    }
    template <class T, class Choices = std::vector<std::pair<std::string, T>>>
    void choice(const std::string& key, T&, const char*, const Choices&) {
        names.push_back(key);
    }
};

struct Kind {
    std::string name;
    std::vector<std::string> keys;
};

template <class... Kinds>
std::vector<Kind> kinds_of(std::type_identity<std::variant<Kinds...>>) {
    std::vector<Kind> kinds;
    const auto add = [&](auto spec) {
        KeyList keys;
        spec.read(keys);
        kinds.push_back({spec.kind, keys.names});
    };
    (add(Kinds{}), ...);
    return kinds;
}

const std::vector<std::string> odd = {"",
                                      "''",
                                      "~",
                                      "[]",
                                      "{}",
                                      "[[]]",
                                      "[~, ~, ~]",
                                      "'\xff\xfe'",
                                      "\"\\0\"",
                                      "\"a\\0b\"",
                                      "/",
                                      ".",
                                      "'  '",
                                      "-1",
                                      "0",
                                      "1e-320",
                                      "1e308",
                                      ".nan",
                                      "!!binary x",
                                      "{a: {}}",
                                      "true",
                                      "[0, 0, 0, 0]",
                                      std::string(5000, 'x')};

class OddValues : public test::RankFolder {
protected:
    void SetUp() override {
        RankFolder::SetUp();
        PointSet points;
        BlockSet blocks;
        blocks.n = {2, 2, 2};
        for (int i = 0; i < 4; ++i) {
            const double x = 4.0 * test::world_rank() + i;
            for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->push_back(x + 1.0);
            for (auto& array : points.velocity) array.push_back(x);
            blocks.lower.push_back({x, 0.0, 0.0});
            blocks.upper.push_back({x + 1.0, 1.0, 1.0});
            blocks.level.push_back(1);
        }
        blocks.density.assign(blocks.cell_count(), 1.0);
        write_points(MPI_COMM_WORLD, at("points.h5"), points, {});
        const std::vector<BlockField> fields{{"dens", blocks.density}, {"gpot", blocks.density}};
        write_flash(MPI_COMM_WORLD, at("flash.h5"), blocks, number_blocks(MPI_COMM_WORLD, blocks), fields);
        fs::current_path(folder_);  // some odd values are good names of files
    }
    void TearDown() override {
        fs::current_path(before_);
        RankFolder::TearDown();
    }

    fs::path before_ = fs::current_path();

    /// The kind's keys with small values: what is solved takes little time.
    [[nodiscard]] std::string small(const Kind& kind) const {
        std::string text = "problem: {kind: " + kind.name;
        for (const std::string& key : kind.keys) {
            if (key == "n") text += kind.name == "lattice" ? ", n: 2" : ", n: 50";
            if (key == "max_level" || key == "min_level") text += ", " + key + ": 2";
            if (key == "path") text += ", path: " + at(kind.name == "flash_file" ? "flash.h5" : "points.h5");
        }
        return text + "}\n";
    }

    template <class F>
    void try_all(const std::string& text, const std::vector<std::string>& keys, const F& run) {
        for (const std::string& key : keys)
            for (const std::string& value : odd) {
                SCOPED_TRACE(text + "--set " + key + "=" + value.substr(0, 40));
                const test::Caught caught = test::agreed([&] { run(text, {key + "=" + value}); });
                if (caught.code != 0) {
                    EXPECT_NE(caught.code, static_cast<int>(ErrorCode::internal)) << caught.message;
                    EXPECT_GT(caught.message.size(), 10U) << caught.message;
                }
            }
    }
};

void run_once(const std::string& text, const std::vector<std::string>& overrides) {
    (void)run(MPI_COMM_WORLD, parse_config(text, overrides, "test"));
}

const std::string once = "run: {warmup: 0, repeat: 1}\nsolver: {threads: 1}\n";

TEST_F(OddValues, Problems) {
    for (const Kind& kind : kinds_of(std::type_identity<ProblemSpec>())) {
        std::vector<std::string> keys;
        for (const std::string& key : kind.keys) keys.push_back("problem." + key);
        try_all(small(kind) + once, keys, run_once);
    }
}

TEST_F(OddValues, Sections) {
    std::vector<std::string> keys{"problem",
                                  "problem.kind",
                                  "solver",
                                  "run",
                                  "compare",
                                  "compare.reference",
                                  "compare.samples",
                                  "compare.hunt",
                                  "run.warmup",
                                  "run.repeat",
                                  "output",
                                  "output.xdmf",
                                  "output.hdf5",
                                  "output.picture",
                                  "solver.acceleration",
                                  "solver.tidal"};
    for (const OptionInfo& option : option_list()) keys.push_back("solver." + option.name);
    try_all("problem: {kind: plummer, n: 50}\n" + once, keys, run_once);
}

// With what the stored potential is compared with, and where it goes.
TEST_F(OddValues, FlashFile) {
    const std::string text = "problem: {kind: flash_file, path: " + at("flash.h5") + "}\n" + once;
    const std::vector<std::string> keys{"problem.path", "problem.density", "problem.potential", "problem.domain",
                                        "output.checkpoint_copy"};
    try_all(text + "compare: {reference: file}\n", keys, run_once);
    try_all(text + "output: {checkpoint_copy: " + at("copy.h5") + "}\n", keys, run_once);
}

TEST_F(OddValues, Evolution) {
    const std::vector<std::string> keys{"evolve",        "evolve.end",       "evolve.step",     "evolve.steps",
                                        "evolve.eta",    "evolve.levels",    "evolve.balance",  "evolve.restart",
                                        "output.log",    "output.every",     "output.xdmf",     "output.strip",
                                        "output.energy", "output.snapshots", "output.sub_steps"};
    try_all("problem: {kind: plummer, n: 50}\nsolver: {threads: 1, softening: 0.1}\nevolve: {end: 0.5, step: 0.25, levels: 1}\n",
            keys, [](const std::string& text, const std::vector<std::string>& overrides) {
                (void)evolve(MPI_COMM_WORLD, parse_evolve_config(text, overrides, "test"));
            });
}

}  // namespace
}  // namespace gravlet
