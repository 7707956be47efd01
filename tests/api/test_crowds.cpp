// SPDX-License-Identifier: Apache-2.0
// Bodies that crowd in a tiny part of the box that holds all cost what they cost without the one that is far away, and are as
// accurate.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace gravlet::test {
namespace {

/// Points uniform in a ball.
void add_ball(BodyArrays& points, std::uint64_t seed, std::size_t n, double x, double radius) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (std::size_t i = 0; i < n;) {
        const double a = uniform(random), b = uniform(random), c = uniform(random);
        if (a * a + b * b + c * c > 1.0) continue;
        points.add_point(x + radius * a, 0.3 * x + radius * b, radius * c, 0.5 + 0.4 * a);
        ++i;
    }
}

/// A cube of n^3 cells from (1, 0, 0) on.
void add_cells(BodyArrays& cells, int n, double side) {
    for (int i = 0; i < n * n * n; ++i)
        cells.add_cell(1.0 + (i % n + 0.5) * side, (i / n % n + 0.5) * side, (i / n / n + 0.5) * side, side, 1.0 + i % 3);
}

struct Solved {
    Report report;
    Result result;
};

Solved solve(const BodyArrays& mine, const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    Result result(mine.size());
    if (mine.dx.empty()) {
        solver.solve(mine.points(), result.fields());
    } else {
        solver.solve(mine.cells(), result.fields());
    }
    return {solver.report(), result};
}

/// By the numbers of interactions, which tell the work whatever else the machine does. One batch of the walk (512 targets)
/// reaches from the crowd to what is far, and may open it all.
void expect_cheap_and_accurate(const BodyArrays& crowd, const BodyArrays& with_outlier) {
    const BodyArrays mine = part_of(with_outlier);
    const Solved near = solve(part_of(crowd), {.uniform_mesh = UniformMesh::tree}), all = solve(mine, {}),
                 exact = solve(mine, {.theta = 0.0});
    const auto work = [](const Report& r) {
        return static_cast<double>(r.cell_interactions + r.node_interactions + 32 * r.far_interactions);
    };
    EXPECT_LT(work(all.report), 1.5 * work(near.report) + 600.0 * static_cast<double>(with_outlier.size()));
    EXPECT_LT(potential_errors(all.result, exact.result).max, 2e-5);
    EXPECT_LT(acceleration_errors(all.result, exact.result).rms, 1.6e-4);
}

TEST(Crowds, CellsBesideALargeOne) {
    const double side = std::ldexp(1.0, -40);
    BodyArrays crowd, all;
    add_cells(crowd, 24, side);
    all.add_cell(0.5, 0.5, 0.5, 1.0, 1.0);
    add_cells(all, 24, side);
    expect_cheap_and_accurate(crowd, all);
}

TEST(Crowds, TwoClusters) {
    BodyArrays near, far;
    for (const std::uint64_t seed : {1UL, 2UL}) {
        add_ball(near, seed, 8000, seed == 1 ? 0.0 : 4e-6, 1e-6);
        add_ball(far, seed, 8000, seed == 1 ? 0.0 : 1.0, 1e-6);
    }
    expect_cheap_and_accurate(near, far);
}

TEST(Crowds, AnEscaper) {
    for (const double distance : {1e6, 1e9}) {
        BodyArrays crowd, all;
        add_ball(crowd, 3, 16000, 0.0, 1.0);
        add_ball(all, 3, 16000, 0.0, 1.0);
        all.add_point(distance, 0.2 * distance, 0.1 * distance, 1.0);
        expect_cheap_and_accurate(crowd, all);
    }
}

TEST(Crowds, KeepTheirTree) {
    BodyArrays all;
    add_ball(all, 4, 8000, 0.0, 1.0);
    all.add_point(1e7, 2e6, 1e6, 1.0);
    for (std::size_t i = 0; i < all.size(); i += 7) all.mass[i] = 0.0;
    BodyArrays mine = part_of(all);
    Solver keeping(MPI_COMM_WORLD), building(MPI_COMM_WORLD, {.keep_tree = false});
    Result kept(mine.size()), built(mine.size());
    keeping.solve(mine.points(), kept.fields());
    for (double& mass : mine.mass) mass *= 1.5 + static_cast<double>(&mass - mine.mass.data()) / 1e4;
    keeping.solve(mine.points(), kept.fields());
    building.solve(mine.points(), built.fields());
    EXPECT_GE(keeping.report().unchanged_ranks, 1);
    EXPECT_EQ(kept, built);
    // The crowd dissolves, and forms again.
    for (double& x : mine.x) x *= 1e6;
    keeping.solve(mine.points(), kept.fields());
    building.solve(mine.points(), built.fields());
    EXPECT_EQ(kept, built);
    for (double& x : mine.x) x /= 1e6;
    keeping.solve(mine.points(), kept.fields());
    building.solve(mine.points(), built.fields());
    EXPECT_EQ(kept, built);
}

TEST(Crowds, AtOnePlace) {
    BodyArrays all;
    for (int i = 0; i < 3000; ++i) all.add_point(0.25, 0.5, 0.75, 1.0);
    all.add_point(1e6, 0.0, 0.0, 1.0);
    const BodyArrays mine = part_of(all);
    const Solved got = solve(mine, {.gpu_sharing = GpuSharing::share});
    EXPECT_EQ(got.report.coincident_pairs, crowd_pairs(3000, mine.size() - (mine.x.back() == 1e6 ? 1 : 0)));
    for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_TRUE(std::isfinite(got.result.potential[i])) << i;
}

}  // namespace
}  // namespace gravlet::test
