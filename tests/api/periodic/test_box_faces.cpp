// SPDX-License-Identifier: Apache-2.0
// Bodies on the faces of a periodic box and of its pieces, or a rounding beyond them, in boxes of any shape, unit and corner: the
// tree against the direct sum. Where a body's piece and its cube were not the same, everybody's potential was wrong.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
constexpr std::array<Boundary, 3> all_boundaries[] = {{p, i, i}, {i, p, i}, {p, p, i}, {i, p, p}, {p, i, p}, {p, p, p}};

/// Corner and sides: not of numbers that binary holds.
struct Shape {
    double lower[3], side[3];
};
constexpr Shape shapes[] = {{{0, 0, 0}, {1, 1, 1}},
                            {{0, 0, 0}, {8, 8, 16}},
                            {{0, 0, 0}, {0.8057059168316898, 0.8057059168316898, 0.8057059168316898}},
                            {{0.1, -0.7, 0.3}, {0.3, 0.1, 0.2}},
                            {{-3.3, 1e3 / 3, -0.55}, {1.1, 3.3, 1.1}}};

Box box_of(const Shape& shape) {
    Box box;
    for (std::size_t d = 0; d < 3; ++d) box.lower[d] = shape.lower[d], box.upper[d] = shape.lower[d] + shape.side[d];
    return box;
}

struct Bodies {
    std::string what;
    BodyArrays cells, points;
};

/// Potentials of all bodies of this rank, cells first.
Result solve(Solver& solver, const Bodies& all) {
    const Bodies mine{all.what, part_of(all.cells), part_of(all.points)};
    Result cells(mine.cells.size()), points(mine.points.size());
    const Caught caught =
        agreed([&] { solver.solve(mine.cells.cells(), cells.fields(), mine.points.points(), points.fields()); });
    EXPECT_EQ(caught.code, 0) << caught.message;
    cells.potential.insert(cells.potential.end(), points.potential.begin(), points.potential.end());
    return cells;
}

/// Of all ranks: the largest difference over the rms.
double error_of(const Result& result, const Result& exact) {
    double largest = 0.0, sums[2] = {0.0, static_cast<double>(exact.potential.size())};
    for (std::size_t k = 0; k < exact.potential.size(); ++k) {
        largest = std::fmax(largest, std::abs(result.potential[k] - exact.potential[k]));
        sums[0] += exact.potential[k] * exact.potential[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return largest / std::sqrt(sums[0] / sums[1]);
}

/// 5.3e-4 at most, as seen; a body in the wrong piece makes it 4e-3 and more.
constexpr double bound = 1.2e-3;

void expect_right(const Shape& shape, const std::vector<Bodies>& sets) {
    for (const std::array<Boundary, 3>& boundary : all_boundaries) {
        Options options{.boundary = boundary, .domain = box_of(shape)};
        Solver tree(MPI_COMM_WORLD, options);
        options.theta = 0.0;
        Solver direct(MPI_COMM_WORLD, options);
        for (const Bodies& bodies : sets)
            EXPECT_LE(error_of(solve(tree, bodies), solve(direct, bodies)), bound)
                << bodies.what << ", " << to_string(boundary) << ", side " << shape.side[2];
    }
}

BodyArrays random_points_in(const Shape& shape, std::uint64_t seed, int n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays points;
    const auto anywhere = [&](std::size_t d) { return shape.lower[d] + shape.side[d] * uniform(random); };
    for (int k = 0; k < n; ++k) {
        const double x = anywhere(0), y = anywhere(1), z = anywhere(2);
        points.add_point(x, y, z, 0.5 + uniform(random));
    }
    return points;
}

/// A point's coordinate, by direction.
double& coordinate(BodyArrays& points, std::size_t d, std::size_t point) {
    return (d == 0 ? points.x : d == 1 ? points.y : points.z)[point];
}

Bodies points_at_faces(const Shape& shape, double ulps) {
    const Box box = box_of(shape);
    BodyArrays points = random_points_in(shape, 3, 200);
    for (std::size_t k = 0; k < 24; ++k) {
        const std::size_t d = k % 3;
        const double face = k % 2 == 0 ? box.lower[d] : box.upper[d];
        coordinate(points, d, k) = ulps == 0.0 ? face : std::nextafter(face, ulps * infinity);
    }
    return {"points off the faces by ulps: " + std::to_string(ulps), {}, points};
}

//// Where pieces meet, heavy points with companions that weigh nothing beside them: rounding takes the centre of mass across.
Bodies heavy_where_pieces_meet(const Shape& shape) {
    BodyArrays points = random_points_in(shape, 4, 60);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    for (std::size_t heavy = 0; heavy < 40; ++heavy) {
        const std::size_t d = heavy % 3;
        double at[3];
        for (std::size_t e = 0; e < 3; ++e) at[e] = shape.lower[e] + shape.side[e] * uniform(random);
        at[d] = shape.lower[d] + shape.side[d] * 0.25 * static_cast<double>(heavy % 4);
        points.add_point(at[0], at[1], at[2], 1.0 + uniform(random));
        at[d] += 0.24 * shape.side[d] * uniform(random);
        points.add_point(at[0], at[1], at[2], 1e-20);
    }
    return {"heavy points where pieces meet", {}, points};
}

TEST(BoxFaces, Points) {
    for (const Shape& shape : shapes)
        expect_right(shape, {points_at_faces(shape, 0.0), points_at_faces(shape, -1.0), points_at_faces(shape, 1.0),
                             heavy_where_pieces_meet(shape)});
}

/// Cells of a box, n in its shortest direction, some of them divided. Centres as a host adds them up, or by one product.
BodyArrays mesh_of(const Shape& shape, int n, bool added_up, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const double h = std::min({shape.side[0], shape.side[1], shape.side[2]}) / n;
    BodyArrays cells;
    const auto centres = [&](std::size_t d) {
        std::vector<double> at;
        double x = shape.lower[d] + 0.5 * h;
        for (long k = 0; k < std::lround(shape.side[d] / h); ++k, x += h)
            at.push_back(added_up ? x : shape.lower[d] + (static_cast<double>(k) + 0.5) * h);
        return at;
    };
    for (const double z : centres(2))
        for (const double y : centres(1))
            for (const double x : centres(0)) {
                const bool divided = random() % 4 == 0;
                if (!divided) cells.add_cell(x, y, z, h, h * h * h * static_cast<double>(1 + random() % 4));
                for (int c = 0; c < 8 && divided; ++c)
                    cells.add_cell(x + (c & 1 ? h : -h) / 4, y + (c & 2 ? h : -h) / 4, z + (c & 4 ? h : -h) / 4, h / 2,
                                   h * h * h);
            }
    return cells;
}

TEST(BoxFaces, CellsWithComputedCentres) {
    for (const Shape& shape : shapes) {
        BodyArrays points = random_points_in(shape, 8, 30);
        for (std::size_t k = 0; k < 6; ++k)
            coordinate(points, k % 3, k) = k < 3 ? box_of(shape).upper[k % 3] : box_of(shape).lower[k % 3];
        expect_right(shape, {{"a product each", mesh_of(shape, 2, false, 7), {}},
                             {"added up", mesh_of(shape, 3, true, 7), {}},
                             {"with points", mesh_of(shape, 2, true, 9), points}});
    }
}

// Beyond rounding they are refused, by name. Single precision has more of it.
TEST(BoxFaces, WhatLiesBeyondIsNamed) {
    const Shape shape{{0, 0, 0}, {0.3, 0.3, 0.3}};
    for (const double theta : {0.0, 0.8})
        for (const auto& [x, good] : {std::pair(0.3 * (1 + 4e-16), true), std::pair(0.3 * (1 + 1e-14), false),
                                      std::pair(static_cast<double>(0.3f), true), std::pair(0.3 * (1 + 1e-6), false)}) {
            BodyArrays points = random_points_in(shape, 9, 20);
            points.x[7] = x;
            Result result(points.size());
            const Caught caught = agreed([&] {
                Solver(MPI_COMM_WORLD, {.boundary = {p, p, p}, .theta = theta, .domain = box_of(shape)})
                    .solve(points.points(), result.fields());
            });
            EXPECT_EQ(caught.code, good ? 0 : static_cast<int>(ErrorCode::invalid_input)) << x << caught.message;
            EXPECT_TRUE(caught.names(good ? "" : "point 7")) << caught.message;
        }
}

}  // namespace
}  // namespace gravlet::test
