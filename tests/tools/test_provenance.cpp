// SPDX-License-Identifier: Apache-2.0
// What files say of how they were made: all that there is to say, in files that their readers read as before, and the same bits
// each time.
#include "hdf5/attributes.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tools/config/config.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/run.hpp"

#include <gravlet/version.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

const MadeBy made_by{"abc123", "gravlet run 'it''s.yaml'", "2026-01-01T00:00:00Z"};

class Provenances : public RankFolder {
protected:
    RunResult solve(const std::string& text) {
        RunConfig config = parse_config(text + "\nrun: {warmup: 0, repeat: 1}\n", {}, "test");
        config.made_by = made_by;
        const RunResult result = run(MPI_COMM_WORLD, config);
        MPI_Barrier(MPI_COMM_WORLD);
        return result;
    }
    std::string bytes(const std::string& name) {
        std::ifstream file(at(name), std::ios::binary);
        std::string all{std::istreambuf_iterator<char>(file), {}};
        MPI_Barrier(MPI_COMM_WORLD);
        return all;
    }
};

std::string text_of(const Hdf5File& file, const std::string& name) {
    const Handle attribute(H5Aopen_by_name(file.id(), "/", name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.get()), H5Tclose);
    std::string text(H5Tget_size(type.get()), '\0');
    EXPECT_GE(H5Aread(attribute.get(), type.get(), text.data()), 0) << name;
    return text;
}

void expect_all(const std::string& path, const std::string& problem, const std::vector<std::string>& options) {
    const Hdf5File file(path, Hdf5File::Mode::read);
    EXPECT_EQ(text_of(file, "gravlet_version"), version());
    EXPECT_EQ(text_of(file, "gravlet_commit"), made_by.commit);
    EXPECT_EQ(text_of(file, "gravlet_command"), made_by.command);
    EXPECT_EQ(text_of(file, "gravlet_problem"), problem);
    const std::string all = "\n" + text_of(file, "gravlet_options") + "\n";
    for (const std::string& option : options) EXPECT_NE(all.find("\n" + option + "\n"), std::string::npos) << option << all;
}

void expect_errors(const std::string& path, const RunResult& result) {
    const Hdf5File file(path, Hdf5File::Mode::read);
    EXPECT_EQ(text_of(file, "gravlet_reference"), to_string(result.reference));
    const auto number = [&](const char* name) { return read_attribute(file, "/", name); };
    EXPECT_EQ(number("gravlet_error_99_potential"), std::vector{result.comparison->potential.p99});
    EXPECT_EQ(number("gravlet_error_max_potential"), std::vector{result.comparison->potential.max});
    ASSERT_TRUE(result.comparison->acceleration);
    EXPECT_EQ(number("gravlet_error_max_acceleration"), std::vector{result.comparison->acceleration->max});
}

TEST_F(Provenances, OfPoints) {
    const std::string text =
        "problem: {kind: uniform_points, n: 500}\nsolver: {theta: 0.6, order: 3, acceleration: true, threads: 1}\n"
        "compare: {reference: direct}\noutput: {hdf5: " +
        at("a.h5") + "}";
    const RunResult result = solve(text);
    expect_all(at("a.h5"), "uniform_points", {"theta=0.6", "order=3", "boundary=isolated"});
    expect_errors(at("a.h5"), result);
    const std::string before = bytes("a.h5");
    (void)solve(text);
    EXPECT_EQ(bytes("a.h5"), before);
    EXPECT_EQ(solve("problem: {kind: points_file, path: " + at("a.h5") + "}").report.targets, 500);
    const nlohmann::json json = nlohmann::json::parse(to_json(result));
    EXPECT_EQ(json["commit"], made_by.commit);
    EXPECT_EQ(json["command"], made_by.command);
    EXPECT_EQ(json["date"], made_by.date);
}

TEST_F(Provenances, OfBlocksAndACopyOfACopy) {
    (void)solve("problem: {kind: cube, max_level: 2}\noutput: {hdf5: " + at("a.h5") + "}");
    expect_all(at("a.h5"), "cube", {});
    EXPECT_FALSE(has_attribute(Hdf5File(at("a.h5"), Hdf5File::Mode::read), "/", "gravlet_reference"));
    const auto copy = [&](const std::string& from, const std::string& to, const std::string& theta) {
        return solve("problem: {kind: flash_file, path: " + at(from) + "}\nsolver: {acceleration: true, theta: " + theta +
                     "}\ncompare: {reference: direct, samples: 20}\noutput: {checkpoint_copy: " + at(to) + "}");
    };
    (void)copy("a.h5", "b.h5", "0.5");
    const RunResult last = copy("b.h5", "c.h5", "0.7");
    expect_all(at("c.h5"), "flash_file", {"theta=0.7"});
    expect_errors(at("c.h5"), last);
}

TEST_F(Provenances, OfSnapshots) {
    EvolveConfig config = parse_evolve_config(
        "problem: {kind: plummer, n: 60}\nsolver: {softening: 0.125, threads: 1}\nevolve: {end: 1, step: 0.5}\noutput: "
        "{snapshots: " +
            at("s") + "}",
        {}, "test");
    config.made_by = made_by;
    const EvolveResult result = evolve(MPI_COMM_WORLD, config);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const char* name : {"s_0000.hdf5", "s_0001.hdf5"})
        expect_all(at(name), "plummer", {"softening=0.125", "keep_moved=true"});
    config.restart = at("s_0000.hdf5");
    EXPECT_EQ(evolve(MPI_COMM_WORLD, config).largest_steps, 2);
    const nlohmann::json json = nlohmann::json::parse(to_json(result));
    EXPECT_EQ(json["version"], version());
    EXPECT_EQ(json["options"]["softening"], 0.125);
}

TEST(CommandLine, IsOneThatAShellTakes) {
    const auto line = [](std::vector<const char*> words) { return command_line(static_cast<int>(words.size()), words.data()); };
    EXPECT_EQ(line({"/a/b/gravlet", "run", "a b.yaml", "--set", "output={hdf5: it's.h5}", ""}),
              R"(gravlet run 'a b.yaml' --set 'output={hdf5: it'\''s.h5}' '')");
    // What a run goes on from has no part in what it writes.
    const std::string whole = line({"gravlet", "evolve", "a.yaml", "--set", "output.every=2"});
    EXPECT_EQ(line({"gravlet", "evolve", "a.yaml", "--set", "evolve.restart=s.hdf5", "--set", "output.every=2"}), whole);
    EXPECT_EQ(line({"gravlet", "evolve", "a.yaml", "--set=evolve.restart=s.hdf5", "--set", "output.every=2"}), whole);
}

}  // namespace
}  // namespace gravlet::test
