// SPDX-License-Identifier: Apache-2.0
// Numbers of the report that can be counted by hand: 64 points on a lattice of 4 x 4 x 4, and as many farther along x, so placed
// that their tree's cubes are those of the lattice: a root, 8 cubes of 8 points, 64 of one each. At so small a theta nothing acts
// as one, and so every rank needs every node and point of every other.
#include "physics/types.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gravlet::test {
namespace {

constexpr std::int64_t points_of_one = 64, nodes_of_one = 1 + 8 + 64;

BodyArrays lattices(bool first, bool second) {
    BodyArrays points;
    for (int lattice = 0; lattice < 2; ++lattice)
        for (int i = 0; i < 64 && (lattice == 0 ? first : second); ++i)
            points.add_point(12.0 * lattice + i % 4, i / 4 % 4, i / 16, 1.0);
    return points;
}

BodyArrays my_points() {
    const int last = world_size() - 1;
    return lattices(world_rank() == 0, world_rank() == last);
}

const Options options{.theta = 0.1, .order = 2, .leaf_size = 1};

TEST(Report, CountedByHand) {
    const BodyArrays mine = my_points();
    Result result(mine.size());
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(mine.points(), result.fields());
    const Report& report = solver.report();

    const std::int64_t all = 2 * points_of_one, others = world_size() > 1 ? 2 : 0;
    EXPECT_EQ(report.ranks, world_size());
    EXPECT_EQ(report.targets, all);
    EXPECT_EQ(report.sources, all);
    EXPECT_EQ(report.cell_interactions, all * all);
    EXPECT_EQ(report.node_interactions, 0);
    EXPECT_EQ(report.far_interactions, 0);
    EXPECT_EQ(report.coincident_pairs, 0);
    EXPECT_EQ(report.nodes_imported, others * nodes_of_one);
    EXPECT_EQ(report.cells_imported, others * points_of_one);
    constexpr std::int64_t quadrupole = 6 * sizeof(float);
    EXPECT_EQ(report.bytes_sent, others * (nodes_of_one * (static_cast<std::int64_t>(sizeof(Node)) + quadrupole) +
                                           points_of_one * static_cast<std::int64_t>(sizeof(Source))));
}

// Every target with every source of all ranks; nobody is at the place of another, also in a box that repeats.
TEST(Report, OfADirectSum) {
    const BodyArrays mine = my_points();
    Result result(mine.size());
    for (const Boundary boundary : {Boundary::isolated, Boundary::periodic}) {
        Options direct{.boundary = {boundary, boundary, boundary}, .theta = 0.0};
        if (boundary == Boundary::periodic) direct.domain = Box{{-1.0, -1.0, -1.0}, {19.0, 19.0, 19.0}};
        Solver solver(MPI_COMM_WORLD, direct);
        solver.solve(mine.points(), result.fields());
        const Report& report = solver.report();
        EXPECT_EQ(report.targets, 2 * points_of_one);
        EXPECT_EQ(report.sources, 2 * points_of_one);
        EXPECT_EQ(report.cell_interactions, 4 * points_of_one * points_of_one);
        EXPECT_EQ(report.coincident_pairs, 0);
    }
}

// Two masses far from each other's whole lattice: every group acts with the other lattice's root alone, and with its own points.
TEST(Report, OneFarNode) {
    BodyArrays points = my_points();
    for (double& x : points.x) x = x < 8.0 ? x : x - 12.0 + 4096.0;
    Result result(points.size());
    Solver solver(MPI_COMM_WORLD, {.theta = 0.4, .order = 2, .group_size = 64, .leaf_size = 64});
    solver.solve(points.points(), result.fields());
    const Report& report = solver.report();
    EXPECT_EQ(report.node_interactions, 0);
    EXPECT_GE(report.far_interactions, 2);  // of groups
    EXPECT_LE(report.far_interactions, 2 * points_of_one);
    EXPECT_EQ(report.cell_interactions, 2 * points_of_one * points_of_one);
    EXPECT_EQ(report.nodes_imported, 0);
}

TEST(Report, StagesAndMemory) {
    const BodyArrays mine = my_points(), all = lattices(true, true);
    Result result(mine.size()), of_all(all.size());
    Solver solver(MPI_COMM_WORLD, options), alone(MPI_COMM_SELF, options);
    solver.solve(mine.points(), result.fields());
    alone.solve(all.points(), of_all.fields());
    const Report& report = solver.report();
    double sum = 0.0;
    for (const StageTime& stage : report.stages) {
        EXPECT_GE(stage.mean, 0.0) << stage.name;
        EXPECT_LE(stage.mean, stage.max * (1.0 + 1e-12)) << stage.name;
        sum += stage.mean;
    }
    EXPECT_LE(sum, report.seconds * (1.0 + 1e-12));
    // Of the rank with the most: each has the half of all bodies, and room for the other half.
    EXPECT_GT(report.peak_bytes, alone.report().peak_bytes / 2);
    EXPECT_LT(report.peak_bytes, alone.report().peak_bytes * 3 / 2);
}

/// The shortest sqrt(h/|a|) of active bodies whose lengths are `h`, on any rank.
double shortest_step(const Result& result, const std::vector<double>& h, const std::vector<std::uint8_t>& active) {
    double least = infinity;
    for (std::size_t i = 0; i < h.size(); ++i) {
        if (active[i] == 0 || h[i] == 0.0) continue;
        const auto& a = result.acceleration;
        least = std::min(least, std::sqrt(h[i] / std::hypot(a[0][i], a[1][i], a[2][i])));
    }
    return least;
}

// From the results themselves: in any units, of active cells and points alone, by trees and sums, in boxes that repeat.
TEST(Report, ShortestTimeStep) {
    BodyArrays mesh = part_of(random_mesh(2, 4)), points = part_of(random_points(3, 300));
    for (BodyArrays* const all : {&mesh, &points})
        for (auto* const values : {&all->x, &all->y, &all->z, &all->dx})
            for (double& value : *values) value *= 3e20;
    for (std::size_t i = 0; i < points.size(); ++i)
        points.softening.push_back(i % 3 == 0 ? 0.0 : 1e17 * static_cast<double>(i % 7));
    std::vector<std::uint8_t> active_cells(mesh.size()), active_points(points.size());
    for (std::size_t i = 0; i < mesh.size(); ++i) active_cells[i] = i % 3 != 0;
    for (std::size_t i = 0; i < points.size(); ++i) active_points[i] = i % 4 != 0;
    // The shortest of all, too, is not asked for.
    Result all_cells(mesh.size()), all_points(points.size());
    Solver(MPI_COMM_WORLD).solve(mesh.cells(), all_cells.fields(), points.points(), all_points.fields());
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::uint8_t> alone(points.size(), 0), everyone(points.size(), 1);
        alone[i] = 1;
        if (shortest_step(all_points, points.softening, alone) <= shortest_step(all_points, points.softening, everyone))
            active_points[i] = 0;
    }
    for (const Options& with : {Options{.G = 6.67e-8}, Options{.theta = 0.0, .G = 6.67e-8},
                                Options{.precision = Precision::double_, .softening_kernel = SofteningKernel::spline}}) {
        Cells cells = mesh.cells();
        Points masses = points.points();
        cells.active = active_cells, masses.active = active_points;
        Result of_cells(mesh.size()), of_points(points.size());
        Solver solver(MPI_COMM_WORLD, with);
        solver.solve(cells, of_cells.potential_only(), masses, of_points.potential_only());
        EXPECT_FALSE(solver.report().time_step);
        solver.solve(cells, of_cells.fields(), masses, of_points.fields());
        double least =
            std::min(shortest_step(of_cells, mesh.dx, active_cells), shortest_step(of_points, points.softening, active_points));
        MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        ASSERT_TRUE(solver.report().time_step);
        EXPECT_NEAR(*solver.report().time_step, least, 4e-8 * least);
    }
    Solver solver(MPI_COMM_WORLD);  // without a length there is no step
    points.softening.clear();
    Result of_points(points.size());
    solver.solve(points.points(), of_points.fields());
    EXPECT_FALSE(solver.report().time_step);
}

}  // namespace
}  // namespace gravlet::test
