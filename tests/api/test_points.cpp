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
    return {{{.theta = 0.0, .softening = softening}, 2.5e-14, 2.5e-14},
            {{.theta = 0.4, .order = 4, .softening = softening}, 1.5e-6, 1.3e-5}};
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
                EXPECT_LE(potential_errors(cell_result, naive.cells, my_cells.index).max, 2.5 * c.potential);
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

// Up to 2^18 less one they are moved a number at a time, from there on as a whole (solver/data/bodies.hpp). Most are without
// mass.
TEST(Points, AroundWhereTheyAreMovedAsAWhole) {
    const double softening = 0.03;
    for (const std::size_t count : {(std::size_t{1} << 18) - 1, std::size_t{1} << 18}) {
        SCOPED_TRACE(count);
        BodyArrays points = random_points(7, count), massive;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (i % 1024 == 5)
                massive.add_point(points.x[i], points.y[i], points.z[i], points.mass[i]);
            else
                points.mass[i] = 0.0;
        }
        const BodyArrays mine = world_rank() == 0 ? points : BodyArrays{};
        std::vector<std::uint8_t> active(mine.size(), 1);
        for (std::size_t i = 0; i < active.size(); i += 7) active[i] = 0;
        Points given = mine.points();
        given.active = active;
        for (const bool tidal : {false, true}) {  // these are written a number at a time
            Solver solver(MPI_COMM_WORLD, {.theta = 0.4, .order = 4, .softening = softening});
            Result result(mine.size());
            solver.solve(given, tidal ? result.all_fields() : result.fields());
            std::array<double, 3> worst{};
            for (std::size_t i = 0; i < mine.size(); ++i) {
                if (active[i] == 0) {
                    ASSERT_EQ(result.potential[i], Result::untouched) << i;
                    for (const auto& axis : result.acceleration) ASSERT_EQ(axis[i], Result::untouched) << i;
                    continue;
                }
                if (i % 97 != 0) continue;
                std::array<double, 10> sum{};
                for (std::size_t k = 0; k < massive.size(); ++k) {
                    const double r[] = {massive.x[k] - mine.x[i], massive.y[k] - mine.y[i], massive.z[k] - mine.z[i]};
                    if (r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) continue;
                    const double q2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + softening * softening,
                                 m_q = massive.mass[k] / std::sqrt(q2);
                    sum[0] -= m_q;
                    for (std::size_t a = 0, at = 4; a < 3; ++a) {
                        sum[1 + a] += m_q / q2 * r[a];
                        for (std::size_t b = a; b < 3; ++b, ++at)
                            sum[at] += m_q / q2 * (3.0 * r[a] * r[b] / q2 - (a == b ? 1.0 : 0.0));
                    }
                }
                const auto compare = [&](std::size_t degree, std::size_t first, std::size_t end, const auto& got) {
                    double square = 0.0, error = 0.0;
                    for (std::size_t k = first; k < end; ++k)
                        square += sum[k] * sum[k], error += std::pow(got(k - first) - sum[k], 2);
                    worst[degree] = std::max(worst[degree], std::sqrt(error / square));
                };
                compare(0, 0, 1, [&](std::size_t) { return result.potential[i]; });
                compare(1, 1, 4, [&](std::size_t k) { return result.acceleration[k][i]; });
                if (tidal) compare(2, 4, 10, [&](std::size_t k) { return result.tidal[k][i]; });
            }
            EXPECT_LE(worst[0], 7e-7);
            EXPECT_LE(worst[1], 4e-6);
            EXPECT_LE(worst[2], 6e-6);
        }
    }
}

TEST(Points, AllAtOnePlace) {
    BodyArrays points;
    for (int i = 0; i < 100; ++i) points.add_point(0.3, 0.3, 0.3, 1.0);
    const BodyArrays mine = part_of(points);
    for (const double theta : {0.0, 0.5}) {
        Result result(mine.size());
        Solver unsoftened(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .theta = theta});
        unsoftened.solve(mine.points(), result.fields());
        EXPECT_EQ(result, Result::zeros(mine.size()));
        EXPECT_EQ(unsoftened.report().coincident_pairs, theta == 0.0 ? 9900 : crowd_pairs(100, mine.size()));
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
        EXPECT_NEAR(result.potential[k] / (light ? -6.0 / 5e20 : -2.0 / 5e20), 1.0, 3e-15);
        EXPECT_NEAR(result.acceleration[1][k] / (light ? -6.0 * 0.8 / 25e40 : 2.0 * 0.8 / 25e40), 1.0, 3e-15);
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
    EXPECT_LE(potential_errors(probed, Naive(mesh, probes, {}).points, my_probes.index).max, 1.6e-6);
    const std::int64_t sources = solver.report().sources;
    solver.solve(my_cells.cells(), alone.fields());
    EXPECT_EQ(solver.report().sources, sources);
    EXPECT_LE(potential_errors(with, alone).max, 2e-6);
}

}  // namespace
}  // namespace gravlet::test
