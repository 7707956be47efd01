// SPDX-License-Identifier: Apache-2.0
// A body far from all others takes nothing from them: each is as right as without it, whatever the ratio, or it is refused. The
// reference is a sum in long double over the caller's coordinates.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace gravlet::test {
namespace {

struct Problem {
    BodyArrays cells, points;
};

/// Errors are those of rounding.
const Options finest{.theta = 0.15, .order = 4, .self_potential = false};

/// Points in a unit box.
Problem unit_box(std::size_t n) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    Problem all;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        all.points.add_point(x, y, z, 0.5 + uniform(random));
    }
    return all;
}

/// 10^3 cells about a unit box, and a point in it.
Problem mesh() {
    Problem all;
    for (int i = 0; i < 1000; ++i)
        all.cells.add_cell(0.1 * (i % 10) - 0.15, 0.1 * (i / 10 % 10) + 0.35, 0.1 * (i / 100) - 0.75, 0.1, 1.0 + 0.1 * (i % 7));
    all.points.add_point(0.21, 0.77, -0.3, 2.0);
    return all;
}

Problem with_one_at(Problem all, double distance) {
    all.points.add_point(0.7 * distance, -distance, 0.1 * distance, 1.0);
    return all;
}

/// In turn over the ranks.
BodyArrays mine_of(const BodyArrays& all) {
    return part_of(all, [](std::size_t i) { return static_cast<int>(i) % world_size(); });
}

/// The largest errors of all bodies but the last point, the accelerations' in units of their rms; and those of the last point.
struct Worst {
    double potential = 0.0, acceleration = 0.0, last_potential = 0.0, last_acceleration = 0.0;
};

Worst worst_of(const Problem& all, const BodyArrays& mine, const Result& got, bool points, double softening) {
    Worst out;
    std::array<double, 2> squares{};  // and their number
    for (std::size_t k = 0; k < mine.size(); ++k) {
        long double potential = 0.0L, a[3] = {};
        for (const BodyArrays* from : {&all.cells, &all.points})
            for (std::size_t j = 0; j < from->size(); ++j) {
                const long double x = static_cast<long double>(from->x[j]) - mine.x[k],
                                  y = static_cast<long double>(from->y[j]) - mine.y[k],
                                  z = static_cast<long double>(from->z[j]) - mine.z[k], r2 = x * x + y * y + z * z;
                if (r2 == 0.0L) continue;
                const bool softened = points || from == &all.points;
                const long double softened2 = r2 + (softened ? static_cast<long double>(softening) * softening : 0.0L);
                const long double m_r3 = from->mass[j] / (softened2 * sqrtl(softened2));
                potential -= m_r3 * softened2, a[0] += m_r3 * x, a[1] += m_r3 * y, a[2] += m_r3 * z;
            }
        const double off = static_cast<double>(
            std::hypot(got.acceleration[0][k] - a[0], got.acceleration[1][k] - a[1], got.acceleration[2][k] - a[2]));
        const double norm = static_cast<double>(std::hypot(a[0], a[1], a[2]));
        const double relative = static_cast<double>(std::abs(got.potential[k] / potential - 1.0L));
        if (points && mine.index[k] + 1 == all.points.size()) {
            out.last_potential = relative, out.last_acceleration = off / norm;
            continue;
        }
        out.potential = std::max(out.potential, relative);
        out.acceleration = std::max(out.acceleration, off);
        squares[0] += norm * norm, squares[1] += 1.0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &out.potential, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, squares.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    out.acceleration /= std::sqrt(squares[0] / std::max(squares[1], 1.0));
    return out;
}

void expect_right(const Problem& all, double distance, double softening = 0.0) {
    const BodyArrays cells = all.cells.size() > 0 ? mine_of(all.cells) : BodyArrays{}, points = mine_of(all.points);
    Result of_cells(cells.size()), of_points(points.size());
    Options options = finest;
    options.softening = softening;
    Solver(MPI_COMM_WORLD, options).solve(cells.cells(), of_cells.fields(), points.points(), of_points.fields());
    for (const bool is_point : {true, false}) {
        if (!is_point && all.cells.size() == 0) continue;
        const Worst worst = worst_of(all, is_point ? points : cells, is_point ? of_points : of_cells, is_point, softening);
        EXPECT_LE(worst.potential, 1e-6) << distance;
        EXPECT_LE(worst.acceleration, 8e-6) << distance;  // without a far one 4e-6
        EXPECT_LE(worst.last_potential, 7e-7) << distance;
        EXPECT_LE(worst.last_acceleration, 1e-6) << distance;
    }
}

TEST(FarBodies, OfPoints) {
    expect_right(unit_box(1000), 0.0);
    for (int exponent = 3; exponent <= 15; ++exponent)
        expect_right(with_one_at(unit_box(1000), std::pow(10.0, exponent)), std::pow(10.0, exponent));
}

// Whichever way the far one is, also one without mass.
TEST(FarBodies, InAnyDirection) {
    for (const double distance : {-1e12, -1e15, 1e30}) {
        Problem all = with_one_at(unit_box(300), distance);
        expect_right(all, distance);
        all.points.mass.back() = 0.0;
        expect_right(all, distance);
    }
}

TEST(FarBodies, Softened) {
    for (const double softening : {1e-7, 1e-4, 0.03}) {
        expect_right(with_one_at(unit_box(300), 1e15), 1e15, softening);
        expect_right(with_one_at(mesh(), 1e11), 1e11, softening);
    }
}

TEST(FarBodies, OfAMesh) {
    for (int exponent = 3; exponent <= 15; ++exponent)
        for (const double distance : {std::pow(10.0, exponent), -std::pow(10.0, exponent)}) {
            const Problem all = with_one_at(mesh(), distance);
            const Caught caught = agreed([&] { expect_right(all, distance); });
            EXPECT_EQ(caught.code, exponent <= 11 ? 0 : static_cast<int>(ErrorCode::invalid_input)) << distance;
            EXPECT_TRUE(caught.names(exponent <= 11 ? "" : "2^41")) << caught.message;
        }
}

// No tree divides them, and all pairs would take minutes.
TEST(FarBodies, TooManyCrowd) {
    Problem all = unit_box(world_rank() == world_size() - 1 ? 262'146 : 0);
    Solver solver(MPI_COMM_WORLD);
    for (const double distance : {1e15, 1e6}) {
        BodyArrays points = all.points;
        if (world_rank() == 0) points.add_point(distance, 0.0, 0.0, 1.0);
        if (distance < 1e15) points.mass.assign(points.size(), 0.0);  // no work
        Result result(points.size());
        const Caught caught = agreed([&] { solver.solve(points.points(), result.fields()); });
        EXPECT_EQ(caught.code, distance < 1e15 ? 0 : static_cast<int>(ErrorCode::invalid_input)) << caught.message;
        EXPECT_TRUE(caught.names(distance < 1e15 ? "" : "262143 others")) << caught.message;
    }
}

}  // namespace
}  // namespace gravlet::test
