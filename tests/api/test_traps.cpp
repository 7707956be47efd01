// SPDX-License-Identifier: Apache-2.0
// A host with traps on floating-point exceptions, on all its threads, solves as any other, and keeps its traps and flags.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <omp.h>

#include <cfenv>

namespace gravlet::test {
namespace {

constexpr int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

void expect_untouched(const Options& options) {
    const BodyArrays mesh = part_of(random_mesh(9, 4)), points = part_of(random_points(10, 100));
    Result expected(mesh.size()), got(mesh.size()), point_result(points.size());
    Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), expected.fields(), points.points(), point_result.fields());

#pragma omp parallel num_threads(options.threads)
    {
        std::feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(traps);
    }
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(mesh.cells(), got.fields(), points.points(), point_result.fields());
    bool same = true;
#pragma omp parallel num_threads(options.threads) reduction(&& : same)
    same = fegetexcept() == traps && std::fetestexcept(FE_ALL_EXCEPT) == 0;
#pragma omp parallel num_threads(options.threads)
    fedisableexcept(traps);
    EXPECT_TRUE(same);
    EXPECT_EQ(got, expected);
}

constexpr Box box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
constexpr Boundary isolated = Boundary::isolated, periodic = Boundary::periodic;

TEST(Traps, Isolated) { expect_untouched({.theta = 0.5, .order = 4, .threads = 2}); }
TEST(Traps, Periodic) { expect_untouched({.boundary = {periodic, periodic, isolated}, .domain = box, .threads = 2}); }
TEST(Traps, DirectSum) {
    expect_untouched({.boundary = {periodic, periodic, periodic}, .theta = 0.0, .domain = box, .threads = 2});
}

}  // namespace
}  // namespace gravlet::test
