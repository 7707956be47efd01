// SPDX-License-Identifier: Apache-2.0
// Runs from the YAML text to the JSON.
#include "hdf5/hdf5_file.hpp"
#include "tools/config/config.hpp"
#include "tools/run.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

RunResult run_text(const std::string& text) { return run(MPI_COMM_WORLD, parse_config(text, {}, "test")); }

TEST(Run, MaclaurinAgainstTheAnalyticAnswer) {
    const RunResult result = run_text(R"(
problem: {kind: maclaurin, max_level: 5}
solver: {theta: 0.5, order: 2, acceleration: true}
run: {warmup: 0, repeat: 2}
compare: {reference: analytic})");
    const nlohmann::json json = nlohmann::json::parse(to_json(result));
    EXPECT_EQ(json["problem"], "maclaurin");
    EXPECT_EQ(json["report"]["targets"], 1352 * 512);
    EXPECT_EQ(json["options"]["theta"], 0.5);
    EXPECT_EQ(json["options"]["order"], 2);
    EXPECT_EQ(json["options"]["boundary"], "isolated");
    EXPECT_GT(json["time"]["solve_median_s"], 0.0);
    EXPECT_GT(json["time"]["stages"].size(), 3U);
    EXPECT_GT(json["rate"]["cells_per_s"], 0.0);
    EXPECT_GT(json["rate"]["interactions_per_s"], 0.0);
    EXPECT_GT(json["interactions"]["node_per_target"], 1.0);
    EXPECT_GT(json["interactions"]["cell_per_target"], 1.0);
    EXPECT_GT(json["report"]["peak_bytes"], 0);
    EXPECT_EQ(json["error"]["reference"], "analytic");
    EXPECT_EQ(json["error"]["samples"], 1352 * 512);
    EXPECT_LT(json["error"]["max"].get<double>(), 1e-3);
    EXPECT_LE(json["error"]["median"], json["error"]["p99"]);
    const std::vector<double> shares = json["error_curve"]["share"], errors = json["error_curve"]["potential"];
    ASSERT_EQ(shares.size(), errors.size());
    EXPECT_EQ(errors.front(), json["error"]["median"]);
    EXPECT_EQ(errors.back(), json["error"]["max"]);
    EXPECT_EQ(shares.back(), 0.0);
    EXPECT_TRUE(std::ranges::is_sorted(errors));
    EXPECT_TRUE(std::ranges::is_sorted(shares, std::greater<>()));
    for (std::size_t k = 0; k + 1 < shares.size(); ++k)
        EXPECT_NEAR(shares[k] / (0.5 * std::pow(10.0, -0.125 * static_cast<double>(k))), 1.0, 1e-15);
    EXPECT_EQ(shares.size(), 46U);  // the last share but one is at least one of 692,224 targets
    EXPECT_LT(json["error_acceleration"]["median"].get<double>(), 4e-4);
    EXPECT_NE(to_table(result).find("potential"), std::string::npos);
}

TEST(Run, GravitysConstant) {
    for (const double G : {1.0, 6.674e-8}) {
        const RunResult result = run_text(R"(
problem: {kind: maclaurin, max_level: 3}
solver: {theta: 0.5, order: 2, acceleration: true, G: )" +
                                          std::to_string(1e9 * G) + R"(e-9}
run: {warmup: 0, repeat: 1}
compare: {reference: analytic, samples: 1000})");
        EXPECT_LT(result.comparison->potential.median, 2e-3);
        EXPECT_LT(result.comparison->acceleration->median, 2e-3);
    }
}

TEST(Run, DirectSumAtASampleAndEverywhere) {
    const std::string text = R"(
problem: {kind: plummer, n: 4000}
solver: {theta: 0.5, order: 3, acceleration: true}
run: {warmup: 0, repeat: 1}
compare: {reference: direct, samples: )";
    const RunResult sampled = run_text(text + "500}");
    const RunResult all = run_text(text + "0}");
    EXPECT_EQ(sampled.comparison->potential.samples, 500);
    EXPECT_EQ(all.comparison->potential.samples, 4000);
    EXPECT_LT(all.comparison->potential.p99, 2.8e-6);
    EXPECT_LT(all.comparison->acceleration->p99, 1.6e-5);
    EXPECT_LE(sampled.comparison->potential.max, all.comparison->potential.max * 1.01);
}

TEST(Run, HuntedTargetsInAPeriodicBox) {
    const std::string text = R"(
problem: {kind: plummer, n: 2000, domain: [[-100, -100, -100], [100, 100, 100]]}
solver: {theta: 1.0, order: 0, acceleration: true, boundary: periodic}
run: {warmup: 0, repeat: 1}
compare: {reference: direct, samples: )";
    const RunResult hunted = run_text(text + "200, hunt: 20}"), all = run_text(text + "0}");
    const Comparison &some = *hunted.comparison, &every = *all.comparison;
    EXPECT_EQ(some.potential.worst, every.potential.worst);
    EXPECT_EQ(some.acceleration->worst, every.acceleration->worst);
    // In units of the rms of the sample, which is another one on each number of ranks: 200 of 2000 targets.
    EXPECT_NEAR(some.potential.max / every.potential.max, 1.0, 0.03);
    EXPECT_EQ(nlohmann::json::parse(to_json(hunted))["error"]["hunted"], some.hunted);
    EXPECT_EQ(nlohmann::json::parse(to_json(all))["error"]["all_targets"], true);
    EXPECT_NE(to_table(hunted).find("against direct, at a sample of 200 targets; max also of "), std::string::npos);
    EXPECT_NE(to_table(all).find("against direct, at all 2000 targets\n"), std::string::npos);
}

TEST(Run, CuboidSum) {
    const RunResult result = run_text(R"(
problem: {kind: cube, max_level: 4}
solver: {theta: 0.3, order: 4}
run: {warmup: 0, repeat: 1}
compare: {reference: cuboid, samples: 20})");
    EXPECT_EQ(result.comparison->potential.samples, 20);
    EXPECT_LT(result.comparison->potential.max, 1.1e-4);
}

TEST(Run, CheckpointAgainstItsStoredPotential) {
    const std::string path = GRAVLET_SHARED_DIR "/data/maclaurin_amr_directsum_hdf5_chk_0001";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
    const RunResult result = run_text("problem: {kind: flash_file, path: " + path + "}\n" + R"(
run: {warmup: 0, repeat: 1}
compare: {reference: file}
solver: {G: 6.67408e-8, order: 2, theta: 0.5})");
    EXPECT_LT(result.comparison->potential.max, 2.5e-4);
}

// To the last digits: the file's self term has the constant 2.3800774, eight digits of it.
TEST(Run, DirectSumOfTheCheckpoint) {
    const std::string path = GRAVLET_SHARED_DIR "/data/maclaurin_amr_directsum_hdf5_chk_0001";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
    constexpr double G = 6.67408e-8;
    const Problem problem = make_problem(MPI_COMM_WORLD, FlashFileProblem{.path = path, .read_potential = true});
    Options options;
    options.theta = 0.0;
    options.G = G;
    options.self_potential = false;
    Solver solver(MPI_COMM_WORLD, options);
    Solution solution(problem, false);
    solve(solver, problem, solution);
    const CellArrays cells = to_cells(problem.blocks);
    double worst = 0.0;
    for (std::size_t i = 0; i < problem.targets(); ++i) {
        const double expected = problem.stored_potential[i] + 2.3800774 * G * cells.mass[i] / cells.dx[i];
        worst = std::max(worst, std::abs(solution.potential[i] / expected - 1.0));
    }
    EXPECT_LT(worst, 1e-12);
}

/// Over all ranks' parts, in their order.
std::vector<double> gathered(const std::vector<double>& mine) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(ranks)), begins(counts.size(), 0);
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t r = 1; r < counts.size(); ++r) begins[r] = begins[r - 1] + counts[r - 1];
    std::vector<double> all(static_cast<std::size_t>(begins.back() + counts.back()));
    MPI_Allgatherv(mine.data(), count, MPI_DOUBLE, all.data(), counts.data(), begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    return all;
}

/// A checkpoint of two levels, with the potential that this test adds up: where ../shared has none.
TEST(Run, MadeCheckpointAgainstItsStoredPotential) {
    constexpr double G = 6.67408e-8;
    const std::string path = (fs::temp_directory_path() / "made.h5").string();
    const Problem problem = make_problem(MPI_COMM_WORLD, MaclaurinProblem{.max_level = 3, .centre = {0.45, 0.53, 0.5}});
    const CellArrays mine = to_cells(problem.blocks);
    const std::vector<double> x = gathered(mine.x), y = gathered(mine.y), z = gathered(mine.z), mass = gathered(mine.mass);
    std::vector<double> potential;
    for (std::size_t i = 0; i < mine.x.size(); ++i) {
        double sum = 2.38007736 * mine.mass[i] / mine.dx[i];  // a cube's own, at its centre
        for (std::size_t j = 0; j < x.size(); ++j) {
            const double r = std::hypot(x[j] - mine.x[i], y[j] - mine.y[i], z[j] - mine.z[i]);
            if (r > 0.0) sum += mass[j] / r;
        }
        potential.push_back(-G * sum);
    }
    const std::vector<BlockField> fields{{"dens", problem.blocks.density}, {"gpot", potential}};
    write_flash(MPI_COMM_WORLD, path, problem.blocks, number_blocks(MPI_COMM_WORLD, problem.blocks), fields);
    for (const auto& [theta, most] : {std::pair(0.5, 3e-5), std::pair(0.0, 1e-10)}) {
        const RunResult result = run_text("problem: {kind: flash_file, path: " + path + "}\n" + R"(
run: {warmup: 0, repeat: 1}
compare: {reference: file}
solver: {G: 6.67408e-8, order: 2, theta: )" +
                                          std::to_string(theta) + "}");
        EXPECT_EQ(result.report.targets, static_cast<std::int64_t>(x.size()));
        EXPECT_LT(result.comparison->potential.max, most) << theta;
    }
}

TEST(Run, FilesOfARun) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const fs::path file = fs::temp_directory_path() / ("gravlet_run_" + std::to_string(ranks) + ".h5");
    const std::string common = "run: {warmup: 0, repeat: 1}\noutput: {hdf5: " + file.string() + "}\n";
    const double theta = 0.6;
    const RunResult first =
        run_text(common + "problem: {kind: maclaurin, max_level: 3}\nsolver: {theta: " + std::to_string(theta) + "}\n");
    // The file holds what was computed: solved again from it, the answer is the same but for the ranks' shares.
    const RunResult again = run_text("problem: {kind: flash_file, path: " + file.string() + "}\nrun: {warmup: 0, repeat: 1}\n" +
                                     "compare: {reference: file}\nsolver: {theta: " + std::to_string(theta) + "}\n");
    EXPECT_EQ(again.report.targets, first.report.targets);
    ASSERT_TRUE(again.options.domain);
    EXPECT_EQ(again.options.domain->upper, (Array3{1.0, 1.0, 1.0}));
    EXPECT_LT(again.comparison->potential.max, 1e-5);

    (void)run_text(common + "problem: {kind: uniform_points, n: 1000}\nsolver: {acceleration: true}\n");
    const RunResult points = run_text("problem: {kind: points_file, path: " + file.string() + "}\nrun: {warmup: 0, repeat: 1}\n");
    EXPECT_EQ(points.report.targets, 1000);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) fs::remove(file);
}

// From a file, through the solver, and to a file. Both kernels are 1/softening at distance zero.
TEST(Run, PointsThatBringLengths) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto at = [&](const char* name) {
        return (fs::temp_directory_path() / ("gravlet_" + std::string(name) + std::to_string(ranks) + ".h5")).string();
    };
    const std::string from = at("lengths_from_"), to = at("lengths_to_");
    const auto run_with = [&](const PointSet& points, const std::string& kernel) {
        write_points(MPI_COMM_WORLD, from, rank == 0 ? points : PointSet{}, {});
        (void)run_text("problem: {kind: points_file, distribution: scatter, path: " + from + "}\nrun: {warmup: 0, repeat: 1}\n" +
                       "solver: {softening_kernel: " + kernel + ", softening: 0.3}\noutput: {hdf5: " + to + "}\n");
    };
    for (const std::string kernel : {"plummer", "spline"}) {
        const PointSet points{{1.0, 1.0}, {2.0, 2.0}, {3.0, 3.0}, {1.0, 2.0}, {0.1, 0.2}};
        run_with(points, kernel);
        EXPECT_EQ(read_points(MPI_COMM_SELF, to).softening, points.softening);
        std::vector<double> potential(2);
        Hdf5File(to, Hdf5File::Mode::read).read("potential", 0, 2, potential);
        EXPECT_NEAR(potential[0], -2.0 / 0.2, 1e-6);
        EXPECT_NEAR(potential[1], -1.0 / 0.2, 1e-6);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    try {
        run_with({{1.0, 2.0}, {2.0, 2.0}, {3.0, 3.0}, {1.0, 2.0}, {0.1, -0.2}}, "spline");
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_NE(std::string(error.what()).find("softening -0.2"), std::string::npos) << error.what();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) fs::remove(from), fs::remove(to);
}

TEST(Run, ReferenceThatIsNotThere) {
    EXPECT_THROW((void)run_text("{problem: {kind: disc, n: 10}, compare: {reference: analytic}}"), Error);
    EXPECT_THROW((void)run_text("{problem: {kind: plummer, n: 10}, compare: {reference: cuboid}}"), Error);
}

// The bounds are what the coarse meshes leave.
TEST(Run, PeriodicProblemsAgainstTheAnalyticAnswer) {
    const std::string common = R"(
solver: {theta: 0.5, order: 4, acceleration: true}
run: {warmup: 0, repeat: 1}
compare: {reference: analytic}
problem: )";
    const RunResult wave = run_text(common + "{kind: sine_wave, min_level: 3, max_level: 3}");
    EXPECT_EQ(nlohmann::json::parse(to_json(wave))["options"]["boundary"], "periodic");
    EXPECT_LT(wave.comparison->potential.max, 1e-2);
    EXPECT_LT(wave.comparison->acceleration->max, 1e-2);

    const RunResult layer = run_text(common + "{kind: sech2_layer, scale_height: 0.1, min_level: 3, max_level: 3}");
    EXPECT_EQ(nlohmann::json::parse(to_json(layer))["options"]["boundary"], "[periodic, periodic, isolated]");
    EXPECT_LT(layer.comparison->potential.max, 4e-3);
    EXPECT_LT(layer.comparison->acceleration->max, 1.5e-2);

    const RunResult cylinder = run_text(common + "{kind: ostriker_cylinder, core_radius: 0.1, min_level: 3, max_level: 4}");
    EXPECT_LT(cylinder.comparison->potential.max, 4e-3);
    EXPECT_LT(cylinder.comparison->acceleration->max, 2.5e-2);

    const RunResult lattice = run_text(common + "{kind: lattice, n: 8}");
    EXPECT_LT(lattice.comparison->potential.max, 3.2e-5);
    EXPECT_FALSE(lattice.comparison->acceleration);
}

std::string refusal(const std::string& text) {
    try {
        (void)run_text(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        return error.what();
    }
    return "accepted";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Run, ReferencesWithOtherBoundaries) {
    EXPECT_HAS(
        refusal("{problem: {kind: sine_wave}, solver: {boundary: isolated}, compare: {reference: analytic}}"),
        "compare.reference is analytic: problem.kind sine_wave has a closed form for solver.boundary periodic, not isolated");
    EXPECT_HAS(refusal("{problem: {kind: cube, max_level: 3}, solver: {boundary: periodic}, compare: {reference: analytic}}"),
               "problem.kind cube has a closed form for solver.boundary isolated, not periodic");
    EXPECT_HAS(refusal("{problem: {kind: sech2_layer, min_level: 2, max_level: 2}, compare: {reference: cuboid}}"),
               "solver.boundary [periodic, periodic, isolated], the cuboid sum is for isolated");
    EXPECT_HAS(refusal("{problem: {kind: plummer, n: 10}, solver: {boundary: [periodic, isolated, isolated]}}"),
               "solver.boundary is [periodic, isolated, isolated]: problem.kind plummer needs problem.domain");
}

// A solution that is off by a known part of the reference's rms; no solve.
TEST(Run, PeriodicErrorsAreRelativeToTheRms) {
    RunConfig config = parse_config("{problem: {kind: sine_wave, min_level: 2}, compare: {reference: analytic}}", {}, "test");
    const Problem problem = make_problem(MPI_COMM_WORLD, config.problem);
    config.solver.boundary = problem.boundary;
    Solution solution(problem, true);
    // Over a period, the rms of a sine is its amplitude divided by sqrt 2.
    const double potential_rms = 0.5 / (std::numbers::pi * std::numbers::sqrt2);
    const double acceleration_rms = 1.0 / std::numbers::sqrt2;
    for (std::size_t i = 0; i < problem.targets(); ++i) {
        const Array3 at = problem.target(i);
        solution.potential[i] = problem.potential(at) + 0.01 * potential_rms;
        const Array3 acceleration = problem.acceleration(at);
        for (std::size_t d = 0; d < 3; ++d) solution.acceleration[d][i] = acceleration[d];
        solution.acceleration[1][i] += 0.02 * acceleration_rms;
    }
    RunResult result;
    result.options = config.solver;
    result.reference = Reference::analytic;
    result.comparison = compare(MPI_COMM_WORLD, config, problem, solution, 1);
    for (const double error : {result.comparison->potential.max, result.comparison->potential.median})
        EXPECT_NEAR(error, 0.01, 1e-14);
    EXPECT_NEAR(result.comparison->acceleration->max, 0.02, 1e-14);
    EXPECT_NEAR(result.comparison->acceleration->rms, 0.02, 5e-14);
    EXPECT_HAS(to_table(result), "error (relative to rms)");
    const nlohmann::json json = nlohmann::json::parse(to_json(result));
    EXPECT_EQ(json["options"]["boundary"], "periodic");
    EXPECT_EQ(json["error"]["relative_to"], "rms");
}

TEST(Run, NoTargetsAtAll) {
    const RunResult result =
        run_text("{problem: {kind: plummer, n: 0}, run: {warmup: 0, repeat: 1}, compare: {reference: analytic}}");
    EXPECT_EQ(result.report.targets, 0);
    EXPECT_EQ(nlohmann::json::parse(to_json(result))["error"]["samples"], 0);
}

}  // namespace
}  // namespace gravlet
