// SPDX-License-Identifier: Apache-2.0
// Bodies that outweigh all else are in no tree. What a host sees of that beside better sums: nothing.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

/// A star, the first of all, and light points around it.
BodyArrays star_and(std::size_t others, double star) {
    BodyArrays all;
    all.add_point(0.47, 0.51, 0.44, star);
    const BodyArrays light = random_points(5, others);
    for (std::size_t i = 0; i < others; ++i) all.add_point(light.x[i], light.y[i], light.z[i], 1e-3 * light.mass[i]);
    return all;
}

Result solve(Solver& solver, const BodyArrays& points, std::span<const std::uint8_t> active = {}) {
    Result result(points.size());
    Points mine = points.points();
    mine.active = active;
    solver.solve(mine, result.all_fields());
    return result;
}

/// Of a solver that has solved nothing before.
Result solve_anew(const BodyArrays& points, const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    return solve(solver, points);
}

TEST(Heavy, ComesAndGoesWhereTheTreeIsKept) {
    const Options options{.gpu_sharing = GpuSharing::share, .keep_tree = true};
    Solver solver(MPI_COMM_WORLD, options);
    for (const double star : {1.0, 1e-8, 2.0, 0.0, 1.0, 1.0}) {
        const BodyArrays mine = part_of(star_and(2000, star));
        EXPECT_EQ(solve(solver, mine), solve_anew(mine, options)) << star;
    }
}

TEST(Heavy, IsCountedAsOthersAre) {
    BodyArrays all = star_and(2000, 1.0);
    all.add_point(all.x[0], all.y[0], all.z[0], 1e-7);
    all.add_point(all.x[0], all.y[0], all.z[0], 0.0);
    const Naive naive(BodyArrays{}, all, Options{});
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share});
    (void)solve(solver, part_of(all));
    EXPECT_EQ(solver.report().sources, 2002);
    EXPECT_EQ(solver.report().targets, 2003);
    EXPECT_EQ(solver.report().coincident_pairs, naive.coincident_pairs);
}

TEST(Heavy, IsPulledAsItPulls) {
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share});
    (void)solve(solver, part_of(star_and(3000, 1.0)));
    ASSERT_TRUE(solver.report().net_force);
    EXPECT_LT(*solver.report().net_force, 4e-9);  // of the others among themselves, a tree's
}

TEST(Heavy, ActiveOrNot) {
    const Options options{.gpu_sharing = GpuSharing::share, .active_bits = ActiveBits::same};
    const BodyArrays mine = part_of(star_and(3000, 1.0));
    const Result all = solve_anew(mine, options);
    for (const bool star : {true, false}) {
        std::vector<std::uint8_t> active(mine.size());
        for (std::size_t k = 0; k < mine.size(); ++k) active[k] = (mine.index[k] == 0) == star || mine.index[k] % 7 == 3 ? 1 : 0;
        Solver solver(MPI_COMM_WORLD, options);
        const Result some = solve(solver, mine, active);
        for (std::size_t k = 0; k < mine.size(); ++k) {
            EXPECT_EQ(some.potential[k], active[k] != 0 ? all.potential[k] : Result::untouched);
            EXPECT_EQ(some.acceleration[1][k], active[k] != 0 ? all.acceleration[1][k] : Result::untouched);
            EXPECT_EQ(some.tidal[4][k], active[k] != 0 ? all.tidal[4][k] : Result::untouched);
        }
    }
}

}  // namespace
}  // namespace gravlet::test
