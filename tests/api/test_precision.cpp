// SPDX-License-Identifier: Apache-2.0
// What single-precision arithmetic with double sums leaves where the tree itself is all but exact (theta 0.1, order 4); and that
// softening costs no accuracy. References are direct sums, theta 0, by the same solver.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

BodyArrays unit_points(std::uint64_t seed, std::size_t n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        points.add_point(x, y, z, 0.5 + uniform(random));
    }
    return points;
}

struct Answer {
    Result cells, points;
};

Answer solve(const BodyArrays& mesh, const BodyArrays& points, const Options& options) {
    Answer answer{Result(mesh.size()), Result(points.size())};
    Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), answer.cells.fields(), points.points(), answer.points.fields());
    return answer;
}

/// rms errors of the potential at cells and points, and of the acceleration, against the direct sum.
struct Precision {
    Errors cells, points, acceleration;
};

Precision precision(const BodyArrays& mesh, const BodyArrays& points, Options options) {
    const BodyArrays my_cells = part_of(mesh), my_points = part_of(points);
    const Answer got = solve(my_cells, my_points, options);
    options.theta = 0.0;
    const Answer exact = solve(my_cells, my_points, options);
    return {potential_errors(got.cells, exact.cells), potential_errors(got.points, exact.points),
            acceleration_errors(got.points, exact.points)};
}

const Options finest{.theta = 0.1, .order = 4};

void expect_single_precision(const char* what, const BodyArrays& mesh, const BodyArrays& points) {
    const Precision got = precision(mesh, points, finest);
    EXPECT_LT(got.cells.rms, 3e-7) << what;
    EXPECT_LT(got.points.rms, 3e-7) << what;
}

TEST(Precision, Points) { expect_single_precision("uniform points", {}, unit_points(1, 20'000)); }

TEST(Precision, Mesh) { expect_single_precision("mesh", random_mesh(2, 7), {}); }

TEST(Precision, ClosePairs) {
    BodyArrays points = unit_points(3, 10'000);
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> exponent(-9.0, -5.0), direction(-1.0, 1.0);
    for (std::size_t i = 0; i < 10'000; i += 2) {
        const double distance = i % 20 == 0 ? 1e-9 : std::pow(10.0, exponent(random));
        const double x = direction(random), y = direction(random), z = direction(random), norm = std::hypot(x, y, z);
        points.add_point(points.x[i] + distance * x / norm, points.y[i] + distance * y / norm, points.z[i] + distance * z / norm,
                         1.0);
    }
    expect_single_precision("close pairs", {}, points);
}

TEST(Precision, FarOutliers) {
    BodyArrays points = unit_points(5, 10'000);
    for (const double distance : {1e2, 1e3, 1e4, 1e5}) {
        points.add_point(distance, 0.3 * distance, -distance, 1.0);
        points.add_point(-0.1 * distance, -distance, 0.7 * distance, 0.0);
    }
    expect_single_precision("outliers", {}, points);
}

// Softening from far below to far above the points' spacing (1/15) errs like none.
TEST(Precision, Softening) {
    const BodyArrays mesh = random_mesh(6, 4), points = unit_points(7, 3000);
    const auto errors = [&](const BodyArrays& cells, double softening) {
        return precision(cells, points, {.theta = 0.5, .order = 2, .softening = softening});
    };
    for (const BodyArrays& cells : {mesh, BodyArrays{}}) {
        const Precision bare = errors(cells, 0.0);
        for (const double softening : {0.0, 1e-9, 1e-4, 0.02, 0.07, 0.3, 2.0}) {
            const Precision got = errors(cells, softening);
            EXPECT_LE(got.cells.rms, 1.5 * bare.cells.rms) << softening;
            EXPECT_LE(got.points.rms, 1.5 * bare.points.rms) << softening;
            EXPECT_LE(got.acceleration.rms, 1.5 * bare.acceleration.rms) << softening;
        }
    }
}

}  // namespace
}  // namespace gravlet::test
