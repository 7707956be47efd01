// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/command_cases.hpp"

#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/ewald_table.hpp"
#include "tests/tools/snapshots/made_snapshot.hpp"
#include "tools/config/config.hpp"
#include "tools/config/file_plan.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/present/publish.hpp"
#include "tools/run.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

std::string at(const std::string& name) { return (CommandFolder::path() / name).string(); }

/// This rank's part, with lengths, velocities and identities.
PointSet some_points() {
    const BodyArrays part = part_of(random_points(1, 40));
    return {part.x, part.y, part.z, part.mass, part.mass, {part.z, part.y, part.x}, std::vector<std::uint64_t>(part.x.size(), 7)};
}

MadeSnapshot some_binary_snapshot() {
    MadeSnapshot s;
    s.files.resize(2);
    for (std::uint64_t i = 0; i < 12; ++i) {
        const double x = static_cast<double>(i);
        s.files[i % 2][i % 3].push_back({{x, 0.5 * x, -x}, {1, x, 3}, 1.0 + x, i});
    }
    return s;
}

Snapshot some_snapshot() {
    Snapshot s;
    s.points = some_points();
    s.potential = s.points.x;
    s.numbers = {{"steps", 3.0}};
    return s;
}

/// Two blocks of 2^3 cells a rank.
BlockSet some_blocks() {
    BlockSet blocks;
    blocks.n = {2, 2, 2};
    for (int b = 0; b < 2; ++b) {
        const double x = 2.0 * world_rank() + b;
        blocks.lower.push_back({x, 0.0, 0.0});
        blocks.upper.push_back({x + 1.0, 1.0, 1.0});
        blocks.level.push_back(1);
        for (int i = 0; i < 8; ++i) blocks.density.push_back(1.0 + 0.1 * i + x);
    }
    return blocks;
}

/// Arrays one after the other into results of their size, without an allocation.
template <class... Arrays>
void put(std::vector<double>& results, const Arrays&... arrays) {
    auto to = results.begin();
    const auto append = [&](const std::vector<double>& from) {
        const auto n = std::min(static_cast<std::ptrdiff_t>(from.size()), results.end() - to);
        to = std::copy_n(from.begin(), n, to);
    };
    (append(arrays), ...);
}

constexpr std::size_t arrays_of_points = 8;

void put_points(std::vector<double>& results, const PointSet& p) {
    put(results, p.x, p.y, p.z, p.mass, p.softening, p.velocity[0], p.velocity[1], p.velocity[2]);
}

class ReadPoints : public Trial {
public:
    ReadPoints() { read(); }
    void call() override { put_points(results(), read_points(MPI_COMM_WORLD, path_)); }

private:
    void read() { results().resize(arrays_of_points * read_points(MPI_COMM_WORLD, path_).size()); }
    std::string path_ = at("points.h5");
};

class WritePoints : public Trial {
public:
    WritePoints() { results().resize(arrays_of_points * some_points().size()); }
    void call() override { write_points(MPI_COMM_WORLD, path_, points_, fields_); }
    void again() override {
        call();
        put_points(results(), read_points(MPI_COMM_WORLD, path_));
    }

private:
    std::string path_ = at("written_points.h5");
    PointSet points_ = some_points();
    std::vector<PointField> fields_{{"potential", points_.x}};
};

class ReadSnapshot : public Trial {
public:
    ReadSnapshot() { results().resize(4 * read_snapshot(MPI_COMM_WORLD, path_).points.size()); }
    void call() override {
        const Snapshot s = read_snapshot(MPI_COMM_WORLD, path_);
        put(results(), s.points.x, s.points.velocity[1], s.points.softening, s.potential);
    }

private:
    std::string path_ = at("snapshot.hdf5");
};

/// One of another code, in two files.
class ReadBinarySnapshot : public Trial {
public:
    ReadBinarySnapshot() { results().resize(2 * read_snapshot(MPI_COMM_WORLD, path_).points.size()); }
    void call() override {
        const Snapshot s = read_snapshot(MPI_COMM_WORLD, path_);
        put(results(), s.points.x, s.points.velocity[1]);
    }

private:
    std::string path_ = at("binary.1");
};

class WriteSnapshot : public Trial {
public:
    WriteSnapshot() { results().resize(2 * snapshot_.points.size()); }
    void call() override { write_snapshot(MPI_COMM_WORLD, path_, snapshot_); }
    void again() override {
        call();
        const Snapshot s = read_snapshot(MPI_COMM_WORLD, path_);
        put(results(), s.points.velocity[0], s.potential);
    }

private:
    std::string path_ = at("written_snapshot.hdf5");
    Snapshot snapshot_ = some_snapshot();
};

/// Points with velocities, drawn or from a file, to their ranks.
class MakeMoving : public Trial {
public:
    explicit MakeMoving(ProblemSpec spec) : spec_(std::move(spec)) {
        results().resize(arrays_of_points * make_problem(MPI_COMM_WORLD, spec_).points.size());
    }
    void call() override { put_points(results(), make_problem(MPI_COMM_WORLD, spec_).points); }

private:
    ProblemSpec spec_;
};

class ReadFlash : public Trial {
public:
    ReadFlash() { results().resize(2 * some_blocks().cell_count()); }
    void call() override {
        const FlashPart part = read_flash(MPI_COMM_WORLD, path_, density_, potential_);
        put(results(), part.blocks.density, part.potential);
    }

private:
    std::string path_ = at("flash.h5"), density_ = "dens", potential_ = "gpot";
};

class WriteFlash : public Trial {
public:
    WriteFlash() { results().resize(blocks_.cell_count()); }
    void call() override { write_flash(MPI_COMM_WORLD, path_, blocks_, rows_, fields_); }
    void again() override {
        call();
        put(results(), read_flash(MPI_COMM_WORLD, path_, "dens", "").blocks.density);
    }

private:
    std::string path_ = at("written_flash.h5");
    BlockSet blocks_ = some_blocks();
    BlockRows rows_ = number_blocks(MPI_COMM_WORLD, blocks_);
    std::vector<BlockField> fields_{{"dens", blocks_.density}};
};

class CheckpointCopy : public Trial {
public:
    CheckpointCopy() { results().resize(blocks_.cell_count()); }
    void call() override { write_checkpoint_copy(MPI_COMM_WORLD, from_, to_, blocks_, rows_, field_); }
    void again() override {
        call();
        put(results(), read_flash(MPI_COMM_WORLD, to_, "phi ", "").blocks.density);
    }

private:
    std::string from_ = at("flash.h5"), to_ = at("copy.h5");
    BlockSet blocks_ = some_blocks();
    BlockRows rows_ = number_blocks(MPI_COMM_WORLD, blocks_);
    BlockField field_{"phi ", blocks_.density};
};

class EwaldCache : public Trial {
public:
    explicit EwaldCache(bool there) {
        options_.boundary.fill(Boundary::periodic);
        options_.domain = Box{{0, 0, 0}, {1, 1, 1}};
        options_.ewald_nodes = 4;
        options_.ewald_order = 2;
        options_.ewald_cache = at("ewald.h5");
        if (world_rank() == 0) fs::remove(options_.ewald_cache);
        MPI_Barrier(MPI_COMM_WORLD);
        results().resize(make_table(MPI_COMM_WORLD, options_, 1).polynomials().size());
        if (world_rank() == 0 && !there) fs::remove(options_.ewald_cache);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void call() override { put(results(), make_table(MPI_COMM_WORLD, options_, 1).polynomials()); }

private:
    Options options_;
};

class LoadConfig : public Trial {
public:
    LoadConfig() { results().resize(3); }
    void call() override {
        const RunConfig config = load_config(MPI_COMM_WORLD, path_, overrides_);
        results() = {config.solver.theta, static_cast<double>(config.repeat),
                     static_cast<double>(std::get<UniformPointsProblem>(config.problem).n)};
    }

private:
    std::string path_ = at("problem.yaml");
    std::vector<std::string> overrides_{"run.repeat=2", "problem.n=70"};
};

/// What a run and one in time are to read and to write.
class CheckFiles : public Trial {
public:
    CheckFiles() {
        plan_.input("problem.path", at("points.h5"));
        plan_.output("output.hdf5", at("run.h5"));
        plan_.cache("solver.ewald_cache", at("ewald.h5"));
        plan_.series("output.snapshots", at("evolve"), at("snapshot.hdf5"));
    }
    void call() override { check_files(MPI_COMM_WORLD, plan_); }

private:
    FilePlan plan_;
};

RunConfig small_run(const ProblemSpec& problem, Reference reference) {
    RunConfig config;
    config.problem = problem;
    config.solver.backend = Backend::cpu;
    config.solver.threads = 1;
    config.warmup = 0;
    config.repeat = 1;
    config.compare.reference = reference;
    config.output["hdf5"] = at("run.h5");
    config.output["xdmf"] = at("run.xmf");
    config.made_by = {"a commit", "a command line that is too long to be kept without memory of its own", "a date"};
    return config;
}

/// Standard output, while this lives: nothing.
class Silence : public std::streambuf {
public:
    Silence() : before_(std::cout.rdbuf(this)) {}
    ~Silence() override { std::cout.rdbuf(before_); }

private:
    int_type overflow(int_type c) override { return traits_type::not_eof(c); }
    std::streambuf* before_;
};

class Run : public Trial {
public:
    explicit Run(const RunConfig& config) : config_(config) { results().resize(2); }
    void call() override {
        const RunResult result = run(MPI_COMM_WORLD, config_, tell_);
        results()[0] = static_cast<double>(result.report.targets);
        results()[1] = result.comparison->potential.max;
    }

private:
    RunConfig config_;
    std::function<void(const RunResult&)> tell_ = [](const RunResult& result) {
        const Silence silence;
        publish(MPI_COMM_WORLD, result, {});
    };
};

/// Some steps, points that change ranks, a log and snapshots; and the rest of such a run from one of them.
class Evolve : public Trial {
public:
    explicit Evolve(const std::string& restart) {
        config_.problem = PlummerProblem{.n = 60, .velocities = true};
        config_.solver.softening = 0.1;
        config_.solver.threads = 1;
        config_.solver.ewald_cache = "/a path that is too long to be kept without memory of its own";
        config_.rule.largest = 0.5;
        config_.end = 1.0;
        config_.balance = 1;
        config_.output["log"] = at("evolve.csv");
        config_.output["sub_steps"] = at("sub_steps.csv");
        config_.output["snapshots"] = at("evolve");
        config_.snapshot_steps = 1;
        results().resize(3);
        if (restart.empty()) return;
        call();
        config_.restart = at(restart);
    }
    void call() override {
        const EvolveResult result = gravlet::evolve(MPI_COMM_WORLD, config_);
        results()[0] = static_cast<double>(result.solves);
        results()[1] = static_cast<double>(result.active);
        results()[2] = result.energy_change;
    }

private:
    EvolveConfig config_;
};

// Of nlohmann's JSON, versions before 3.11.3 crash where memory runs out: they destroy a value whose making failed.
constexpr bool json_survives =
    NLOHMANN_JSON_VERSION_MAJOR * 10000 + NLOHMANN_JSON_VERSION_MINOR * 100 + NLOHMANN_JSON_VERSION_PATCH >= 31103;

/// The table and, where that can be tried, the JSON file.
class Publish : public Trial {
public:
    Publish() : result_(run(MPI_COMM_WORLD, small_run(UniformPointsProblem{.n = 60}, Reference::direct))) { results().resize(1); }
    void call() override {
        const Silence silence;
        publish(MPI_COMM_WORLD, result_, path_);
    }
    void again() override {
        call();
        MPI_Barrier(MPI_COMM_WORLD);
        std::ifstream file(path_);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        results()[0] = text == to_json(result_) ? 1.0 : 0.0;
    }

private:
    std::string path_ = json_survives ? at("run.json") : "";
    RunResult result_;
};

template <class T, class... Arguments>
Case of(const std::string& name, const Arguments&... arguments) {
    return {name, [=] { return std::make_unique<T>(arguments...); }};
}

Case running(const std::string& name, const std::function<RunConfig()>& config) {
    return {name, [=] { return std::make_unique<Run>(config()); }};
}

}  // namespace

fs::path CommandFolder::path() { return fs::temp_directory_path() / "faults"; }

CommandFolder::CommandFolder() {
    if (world_rank() == 0) {
        fs::remove_all(path());
        fs::create_directories(path());
        std::ofstream(at("problem.yaml")) << "problem: {kind: uniform_points, n: 60}\nsolver: {theta: 0.7}\n";
        write_binary(at("binary"), some_binary_snapshot(), {});
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write_points(MPI_COMM_WORLD, at("points.h5"), some_points(), {});
    write_snapshot(MPI_COMM_WORLD, at("snapshot.hdf5"), some_snapshot());
    const BlockSet blocks = some_blocks();
    const std::vector<BlockField> fields{{"dens", blocks.density}, {"gpot", blocks.density}};
    write_flash(MPI_COMM_WORLD, at("flash.h5"), blocks, number_blocks(MPI_COMM_WORLD, blocks), fields);
}

CommandFolder::~CommandFolder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) fs::remove_all(path());
}

std::vector<Case> command_cases() {
    return {
        of<ReadPoints>("read_points"),
        of<WritePoints>("write_points"),
        of<ReadSnapshot>("read_snapshot"),
        of<ReadBinarySnapshot>("read_snapshot, binary"),
        of<WriteSnapshot>("write_snapshot"),
        of<MakeMoving>("make_problem, drawn", ProblemSpec(KingProblem{.n = 60, .velocities = true})),
        of<MakeMoving>("make_problem, from a file", ProblemSpec(PointsFileProblem{.path = at("points.h5"), .velocities = true})),
        of<ReadFlash>("read_flash"),
        of<WriteFlash>("write_flash"),
        of<CheckpointCopy>("write_checkpoint_copy"),
        of<EwaldCache>("Ewald cache, made", false),
        of<EwaldCache>("Ewald cache, read", true),
        of<LoadConfig>("load_config"),
        of<CheckFiles>("check_files"),
        running("run points", [] { return small_run(UniformPointsProblem{.n = 60}, Reference::direct); }),
        running("run with a hunt",
                [] {
                    RunConfig config = small_run(UniformPointsProblem{.n = 60}, Reference::direct);
                    config.acceleration = true;
                    config.compare.samples = 20;
                    config.compare.hunt = 5;
                    return config;
                }),
        running("run cube", [] { return small_run(CubeProblem{.max_level = 2}, Reference::analytic); }),
        running("run points file", [] { return small_run(PointsFileProblem{.path = at("points.h5")}, Reference::direct); }),
        running("run FLASH file",
                [] {
                    RunConfig config = small_run(FlashFileProblem{.path = at("flash.h5")}, Reference::cuboid);
                    config.output["checkpoint_copy"] = at("copy.h5");
                    return config;
                }),
        of<Publish>("publish"),
        of<Evolve>("evolve", std::string()),
        of<Evolve>("evolve, from a snapshot", std::string("evolve_0001.hdf5")),
    };
}

}  // namespace gravlet::test
