// SPDX-License-Identifier: Apache-2.0
// The hunt finds the worst targets, wherever they are.
#include "physics/multipole.hpp"
#include "tests/api/body_arrays.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/hunt.hpp"
#include "tools/compare/reference.hpp"
#include "tools/config/config.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gravlet::test {
namespace {

// Light points in a cube and one a million times as heavy, in turn to all ranks: those that its pull is wrong for are few.
Problem heavy_among_light() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    Problem problem;
    problem.kind = "heavy_among_light";
    for (int i = 0; i < 4000; ++i) {
        const Array3 at{uniform(random), uniform(random), uniform(random)};
        if (i % world_size() != world_rank()) continue;
        problem.points.x.push_back(at[0]);
        problem.points.y.push_back(at[1]);
        problem.points.z.push_back(at[2]);
        problem.points.mass.push_back(i == 1000 ? 1e6 : 1.0);
    }
    return problem;
}

constexpr int cells_of_a_rank = 2 * 12 * 12 * 12;

// Two blocks a rank, with a heavy cell in one of all.
Problem few_blocks() {
    Problem problem;
    problem.kind = "few_blocks";
    problem.has_blocks = true;
    problem.blocks.n = {12, 12, 12};
    for (int b = 0; b < 2; ++b) {
        const double x = 2.0 * world_rank() + b;
        problem.blocks.lower.push_back({x, 0.0, 0.0});
        problem.blocks.upper.push_back({x + 1.0, 1.0, 1.0});
        problem.blocks.level.push_back(1);
        for (int i = 0; i < cells_of_a_rank / 2; ++i) problem.blocks.density.push_back(1.0 + i * 37 % 64);
    }
    if (world_rank() == 0) problem.blocks.density[1000] = 1e6;
    return problem;
}

RunConfig config_of(std::int64_t samples, std::int64_t hunt) {
    RunConfig config;
    config.solver.backend = Backend::cpu;
    config.solver.threads = 1;
    config.solver.theta = 0.9;
    config.solver.order = 2;
    config.acceleration = true;
    config.compare = {Reference::direct, samples, hunt};
    return config;
}

void expect_same(const ErrorStatistics& a, const ErrorStatistics& b) {
    EXPECT_EQ(a.max, b.max);
    EXPECT_EQ(a.worst, b.worst);
}

void expect_same_but_for_the_worst(const ErrorStatistics& a, const ErrorStatistics& b) {
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.p9999, b.p9999);
    EXPECT_EQ(a.p99, b.p99);
    EXPECT_EQ(a.median, b.median);
    EXPECT_EQ(a.rms, b.rms);
}

TEST(Hunt, FindsTheWorstThatASampleMisses) {
    for (const Problem& problem : {heavy_among_light(), few_blocks()}) {
        const auto compared = [&](std::int64_t samples, std::int64_t hunt) {
            const RunConfig config = config_of(samples, hunt);
            Solver solver(MPI_COMM_WORLD, config.solver);
            Solution solution(problem, config.acceleration);
            solve(solver, problem, solution);
            return compare(MPI_COMM_WORLD, config, problem, solution, 1);
        };
        const Comparison sample = compared(10, 0), hunted = compared(10, 50), all = compared(0, 0);
        EXPECT_TRUE(all.all);
        EXPECT_FALSE(hunted.all);
        EXPECT_EQ(sample.hunted, 0);
        EXPECT_GE(hunted.hunted, 50);
        EXPECT_LE(hunted.hunted, 100);
        EXPECT_LT(sample.potential.max, 0.9 * all.potential.max) << problem.kind;
        expect_same(hunted.potential, all.potential);
        expect_same(*hunted.acceleration, *all.acceleration);
        expect_same_but_for_the_worst(hunted.potential, sample.potential);
        expect_same_but_for_the_worst(*hunted.acceleration, *sample.acceleration);
        EXPECT_EQ(sample.potential.p9999, sample.potential.max);
        // Where all are compared there is nothing to hunt for.
        EXPECT_EQ(compared(1'000'000, 50).hunted, 0);
        EXPECT_TRUE(hunted.error.empty());
    }
}

// Of equal differences as many as are wanted; more than there are targets: all.
TEST(Hunt, AsManyAsAreWanted) {
    const Problem problem = few_blocks();
    const RunConfig config = config_of(10, 0);
    Solver solver(MPI_COMM_WORLD, tighter(config.solver));
    Solution solution(problem, false);
    solve(solver, problem, solution);
    for (const std::int64_t count : {1, 7, cells_of_a_rank - 1, cells_of_a_rank * world_size(), 1'000'000}) {
        auto found = static_cast<std::int64_t>(hunt(MPI_COMM_WORLD, config.solver, problem, solution, count).size());
        MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_EQ(found, std::min<std::int64_t>(count, cells_of_a_rank * world_size()));
    }
}

TEST(Hunt, TheTighterSolve) {
    const auto of = [](double theta, int order) {
        Options options;
        options.theta = theta;
        options.order = order;
        return options;
    };
    EXPECT_EQ(tighter(of(0.8, 2)).theta, 0.4);
    EXPECT_EQ(tighter(of(0.8, 2)).order, max_order);
    EXPECT_EQ(tighter(of(0.15, 2)).theta, 0.1);
    EXPECT_TRUE(can_be_tighter(of(0.1, 3)));
    EXPECT_TRUE(can_be_tighter(of(0.11, max_order)));
    EXPECT_FALSE(can_be_tighter(of(0.1, max_order)));
    EXPECT_FALSE(can_be_tighter(of(0.0, 2)));
}

}  // namespace
}  // namespace gravlet::test
