// SPDX-License-Identifier: Apache-2.0
// Points alone and with cells, softened or not, also on a cell's centre and on each other, against naive loops.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

// Tight enough that only a mistake exceeds them; theta = 0 is the direct sum.
struct Case {
    Options options;
    double potential, acceleration;
};

std::vector<Case> cases(double softening) {
    return {{{.theta = 0.0, .softening = softening}, 1e-12, 1e-11},
            {{.theta = 0.4, .order = 4, .softening = softening}, 1e-5, 2e-4}};
}

void expect_matches_naive(const BodyArrays& mesh, const BodyArrays& points) {
    const BodyArrays my_cells = part_of(mesh), my_points = part_of(points);
    for (const double softening : {0.0, 0.03}) {
        for (const Case& c : cases(softening)) {
            const Naive naive(mesh, points, c.options);
            Solver solver(MPI_COMM_WORLD, c.options);
            Result cell_result(my_cells.size()), point_result(my_points.size());
            if (mesh.size() == 0) {
                solver.solve(my_points.points(), point_result.fields());
            } else {
                solver.solve(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields());
                EXPECT_LE(potential_errors(cell_result, naive.cells, my_cells.index).max, c.potential);
                EXPECT_LE(acceleration_errors(cell_result, naive.cells, my_cells.index).max, 5.0 * c.acceleration);
            }
            EXPECT_LE(potential_errors(point_result, naive.points, my_points.index).max, c.potential)
                << "softening " << softening;
            EXPECT_LE(acceleration_errors(point_result, naive.points, my_points.index).max, c.acceleration);
            EXPECT_EQ(solver.report().coincident_pairs, naive.coincident_pairs) << "softening " << softening;
            EXPECT_EQ(solver.report().targets, static_cast<std::int64_t>(mesh.size() + points.size()));
        }
    }
}

TEST(Points, Alone) { expect_matches_naive({}, random_points(1, 1500)); }

TEST(Points, WithCells) { expect_matches_naive(random_mesh(2, 3), random_points(3, 300)); }

TEST(Points, OnCellCentres) {
    const BodyArrays mesh = random_mesh(4, 3);
    BodyArrays points = random_points(5, 50);
    for (std::size_t i = 0; i < mesh.size(); i += 7) points.add_point(mesh.x[i], mesh.y[i], mesh.z[i], 1e-3);
    expect_matches_naive(mesh, points);
}

TEST(Points, OnEachOther) {
    BodyArrays points = random_points(6, 400);
    for (std::size_t i = 0; i < 40; i += 2) points.add_point(points.x[i], points.y[i], points.z[i], i % 4 == 0 ? 0.0 : 1e-4);
    for (std::size_t i = 0; i < 30; ++i) points.add_point(0.25, 0.5, 0.125, 1e-4);  // more than a leaf holds
    expect_matches_naive({}, points);
    expect_matches_naive(random_mesh(4, 3), points);
}

// So many that they are moved as a whole (solver/data/bodies.hpp), most of them without mass.
TEST(Points, Many) {
    BodyArrays points = random_points(7, (std::size_t{1} << 18) + 300), massive;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i % 1024 == 5)
            massive.add_point(points.x[i], points.y[i], points.z[i], points.mass[i]);
        else
            points.mass[i] = 0.0;
    }
    const BodyArrays mine = world_rank() == 0 ? points : BodyArrays{};
    std::vector<std::uint8_t> active(mine.size(), 1);
    for (std::size_t i = 0; i < active.size(); i += 7) active[i] = 0;
    Solver solver(MPI_COMM_WORLD, {.theta = 0.4, .order = 4, .softening = 0.03});
    Result result(mine.size());
    Points given = mine.points();
    given.active = active;
    solver.solve(given, result.fields());
    std::vector<double> of_potential, of_field;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        if (active[i] == 0) {
            ASSERT_EQ(result.potential[i], Result::untouched) << i;
            continue;
        }
        if (i % 97 != 0) continue;
        double potential = 0.0, field[3] = {};
        for (std::size_t k = 0; k < massive.size(); ++k) {
            const double x = massive.x[k] - mine.x[i], y = massive.y[k] - mine.y[i], z = massive.z[k] - mine.z[i];
            if (x == 0.0 && y == 0.0 && z == 0.0) continue;
            const double r = std::sqrt(x * x + y * y + z * z + 0.03 * 0.03);
            potential -= massive.mass[k] / r;
            const double pull = massive.mass[k] / (r * r * r);
            field[0] += pull * x, field[1] += pull * y, field[2] += pull * z;
        }
        const auto off = [&](std::size_t d) { return result.acceleration[d][i] - field[d]; };
        of_potential.push_back(std::abs(result.potential[i] / potential - 1.0));
        of_field.push_back(std::hypot(off(0), off(1), off(2)) / std::hypot(field[0], field[1], field[2]));
    }
    if (of_field.empty()) return;
    std::ranges::sort(of_potential);
    std::ranges::sort(of_field);
    EXPECT_LE(of_potential.back(), 7e-7);
    EXPECT_LE(of_field.back(), 4e-6);
    EXPECT_LE(of_field[of_field.size() * 99 / 100], 1.5e-6);
}

TEST(Points, AllAtOnePlace) {
    BodyArrays points;
    for (int i = 0; i < 100; ++i) points.add_point(0.3, 0.3, 0.3, 1.0);
    const BodyArrays mine = part_of(points);
    for (const double theta : {0.0, 0.5}) {
        Result result(mine.size());
        Solver unsoftened(MPI_COMM_WORLD, {.theta = theta});
        unsoftened.solve(mine.points(), result.fields());
        EXPECT_EQ(result, Result::zeros(mine.size()));
        EXPECT_EQ(unsoftened.report().coincident_pairs, 9900);
        Solver softened(MPI_COMM_WORLD, {.theta = theta, .softening = 0.5});
        softened.solve(mine.points(), result.fields());
        EXPECT_EQ(softened.report().coincident_pairs, 0);
        for (std::size_t i = 0; i < mine.size(); ++i) {
            EXPECT_NEAR(result.potential[i], -198.0, 198.0 * 1e-6);
            EXPECT_NEAR(result.acceleration[0][i], 0.0, 1e-9);
        }
    }
}

// Few bodies of one rank act on each other one by one: in double, with their masses; those of softened points are floats.
TEST(Points, FewOnOneRank) {
    BodyArrays points = random_points(6, 400);
    for (std::size_t i = 0; i < points.size(); i += 3) points.mass[i] *= 1e-6;
    for (const double softening : {0.0, 0.03}) {
        const Options options{.softening = softening};
        const Naive naive({}, points, options);
        Result result(points.size());
        Solver(MPI_COMM_SELF, options).solve(points.points(), result.fields());
        EXPECT_LE(potential_errors(result, naive.points, {}, MPI_COMM_SELF).max, softening > 0.0 ? 1.5e-8 : 7e-15);
        EXPECT_LE(acceleration_errors(result, naive.points, {}, MPI_COMM_SELF).max, softening > 0.0 ? 4e-7 : 4e-14);
    }
}

TEST(Points, TwoFarApart) {
    BodyArrays points;
    points.add_point(0.0, 0.0, 0.0, 3.0);
    points.add_point(0.0, 4.0e20, 3.0e20, 1.0);
    const BodyArrays mine = part_of(points);
    Result result(mine.size());
    Solver(MPI_COMM_WORLD, {.G = 2.0}).solve(mine.points(), result.fields());
    for (std::size_t k = 0; k < mine.size(); ++k) {
        const bool light = mine.index[k] == 1;
        EXPECT_NEAR(result.potential[k] / (light ? -6.0 / 5e20 : -2.0 / 5e20), 1.0, 1e-6);
        EXPECT_NEAR(result.acceleration[1][k] / (light ? -6.0 * 0.8 / 25e40 : 2.0 * 0.8 / 25e40), 1.0, 1e-6);
    }
}

TEST(Points, OneAlone) {
    BodyArrays point;
    point.add_point(1.0, 2.0, 3.0, 5.0);
    const BodyArrays mine = part_of(point);
    for (const double softening : {0.0, 0.1}) {
        Result result(mine.size());
        Solver(MPI_COMM_WORLD, {.softening = softening}).solve(mine.points(), result.fields());
        EXPECT_EQ(result, Result::zeros(mine.size()));  // no self term
    }
}

// Points without mass probe the field of the cells alone.
TEST(Points, AsTargetsOnly) {
    const BodyArrays mesh = random_mesh(7, 3);
    BodyArrays probes = random_points(8, 100);
    std::ranges::fill(probes.mass, 0.0);
    const BodyArrays my_cells = part_of(mesh), my_probes = part_of(probes);
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5});
    Result with(my_cells.size()), alone(my_cells.size()), probed(my_probes.size());
    solver.solve(my_cells.cells(), with.fields(), my_probes.points(), probed.fields());
    EXPECT_LE(potential_errors(probed, Naive(mesh, probes, {}).points, my_probes.index).max, 2e-5);
    const std::int64_t sources = solver.report().sources;
    solver.solve(my_cells.cells(), alone.fields());
    EXPECT_EQ(solver.report().sources, sources);
    EXPECT_LE(potential_errors(with, alone).max, 2e-5);
}

}  // namespace
}  // namespace gravlet::test
