// SPDX-License-Identifier: Apache-2.0
// Cells that overlap would count mass twice: on one rank they are named, on two their volumes give them away.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

/// A block of n^3 cells.
void add_block(BodyArrays& cells, int n, double x, double y, double z, double side) {
    const double h = side / n;
    for (int i = 0; i < n * n * n; ++i)
        cells.add_cell(x + (i % n + 0.5) * h, y + (i / n % n + 0.5) * h, z + (i / n / n + 0.5) * h, h, h * h * h);
}

/// The unit cube in eight blocks of 4^3 cells but the last one.
BodyArrays seven_blocks() {
    BodyArrays mesh;
    for (int b = 0; b < 7; ++b) add_block(mesh, 4, 0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2), 0.5);
    return mesh;
}

Caught solve(Solver& solver, const BodyArrays& mine) {
    Result result(mine.size());
    const Caught caught = agreed([&] { solver.solve(mine.cells(), result.fields()); });
    if (caught.code != 0) {
        EXPECT_EQ(result, Result(mine.size()));
    }
    return caught;
}

struct Case {
    const char* what;
    std::function<void(BodyArrays&)> add;
    bool by_volume = true;  ///< more than the box has room for
};

std::vector<Case> cases() {
    return {{"a parent and its children", [](BodyArrays& b) { b.add_cell(0.125, 0.125, 0.125, 0.25, 1.0); }, false},
            {"a parent and its grandchildren", [](BodyArrays& b) { b.add_cell(0.25, 0.25, 0.25, 0.5, 1.0); }, false},
            {"a child", [](BodyArrays& b) { b.add_cell(0.40625, 0.40625, 0.40625, 0.0625, 1.0); }, false},
            {"a whole level of parents", [](BodyArrays& b) { add_block(b, 4, 0.0, 0.0, 0.0, 1.0); }},
            {"a block shifted by a cell and a half", [](BodyArrays& b) { add_block(b, 4, 0.3125, 0.5, 0.5, 0.5); }, false},
            {"one shifted by half a cell in all directions", [](BodyArrays& b) { add_block(b, 4, 0.4375, 0.4375, 0.4375, 0.5); },
             false},
            {"one shifted by three quarters of a cell", [](BodyArrays& b) { add_block(b, 4, 0.40625, 0.5, 0.5, 0.5); }, false},
            {"all blocks once more, by half a cell", [](BodyArrays& b) {
                 const std::size_t n = b.size();
                 for (std::size_t i = 0; i < n; ++i) b.add_cell(b.x[i] + 0.0625, b.y[i], b.z[i], b.dx[i], b.mass[i]);
             }}};
}

void expect_named_on_one_rank(const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.what);
        BodyArrays mesh = seven_blocks();
        const std::size_t first = mesh.size();
        one.add(mesh);
        // The last rank has all that overlap, and another order in the array.
        const BodyArrays mine = part_of(mesh, [](std::size_t) { return world_size() - 1; });
        const Caught caught = solve(solver, mine);
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
        EXPECT_NE(caught.message.find("overlap"), std::string::npos) << caught.message;
        EXPECT_NE(caught.message.find("cell "), std::string::npos) << caught.message;
        if (mesh.size() == first + 1) {
            EXPECT_TRUE(caught.names(std::to_string(first))) << caught.message;
        }
        EXPECT_EQ(solve(solver, part_of(seven_blocks(), [](std::size_t) { return 0; })).code, 0);
    }
}

// Alike in every method.
TEST(Overlaps, OnOneRank) { expect_named_on_one_rank({}); }
TEST(Overlaps, InADirectSum) { expect_named_on_one_rank({.theta = 0.0}); }
TEST(Overlaps, WithATable) {
    expect_named_on_one_rank({.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic},
                              .domain = Box{{0, 0, 0}, {2, 2, 2}},
                              .periodic_method = PeriodicMethod::table,
                              .ewald_nodes = 8});
}

// Cells of two ranks at one place, with and without mass, beside a point on one of them.
TEST(Overlaps, TwinsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    for (const double theta : {0.0, 0.8}) {
        Solver solver(MPI_COMM_WORLD, {.theta = theta});
        BodyArrays mine = part_of(seven_blocks(), [](std::size_t) { return 0; }), points;
        if (world_rank() == 1) mine.add_cell(0.0625, 0.0625, 0.0625, 0.125, 1.0);
        points.add_point(0.0625, 0.0625, 0.1875, 1.0);
        Result result(mine.size()), at_points(1);
        const Caught caught = agreed([&] { solver.solve(mine.cells(), result.fields(), points.points(), at_points.fields()); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
        EXPECT_NE(caught.message.find("at the same place"), std::string::npos) << caught.message;
        EXPECT_EQ(result, Result(mine.size()));
    }
}

// Few active cells on ranks that have kept their trees are sent little: twins are found all the same when they come, or get mass,
// and again. (Ranks that gather on a GPU are as one, which refuses twins without mass too.)
TEST(Overlaps, TwinsThatComeLater) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    for (const bool comes : {true, false}) {
        BodyArrays mesh;
        for (int b = 0; b < 7; ++b) add_block(mesh, 8, 0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2), 0.5);
        BodyArrays good = part_of(mesh);
        const std::size_t last = good.size() - 1;  // far from the first ones
        if (world_rank() == 0 && !comes) std::fill_n(good.mass.begin(), 512, 0.0);
        BodyArrays twin = good;
        if (world_rank() == 1) add_block(twin, 4, 0.0, 0.0, 0.0, 0.25);
        if (!comes) good = twin;
        if (world_rank() == 1) std::fill(good.mass.begin() + static_cast<std::ptrdiff_t>(last) + 1, good.mass.end(), 0.0);
        Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .theta = 0.9, .order = 2});
        const auto solve_few = [&](const BodyArrays& mine) {
            Cells cells = mine.cells();
            std::vector<std::uint8_t> active(mine.size(), 0);
            active[last] = 1;
            cells.active = active;
            Result result(mine.size());
            return agreed([&] { solver.solve(cells, result.fields()); });
        };
        for (int round = 0; round < 2; ++round) {
            for (int solve = 0; solve < 3; ++solve) EXPECT_EQ(solve_few(good).code, 0) << comes;
            for (int solve = 0; solve < 3; ++solve) {
                const Caught caught = solve_few(twin);
                EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input)) << comes << round << solve;
                EXPECT_NE(caught.message.find("at the same place"), std::string::npos) << caught.message;
            }
        }
    }
}

// Two cells in all directions from each other: up to a hundredth of the smaller one's side is a host's rounding.
TEST(Overlaps, ByATenth) {
    for (int axis = 0; axis < 3; ++axis)
        for (const double by : {0.1, 0.012, 0.008}) {
            BodyArrays cells;
            for (int k = 0; k < 2 && world_rank() == 0; ++k) {
                double at[3] = {0.5, 0.5, 0.5};
                if (k == 1) at[axis] = 1.5 - by;
                cells.add_cell(at[0], at[1], at[2], 1.0, 1.0);
            }
            if (world_rank() == 0) cells.add_cell(5.5, 5.5, 5.5, 1.0, 1.0);  // so that their box has room for the volume of all
            Solver solver(MPI_COMM_WORLD, {.theta = 0.8});
            EXPECT_EQ(solve(solver, cells).code, by > 0.01 ? static_cast<int>(ErrorCode::invalid_input) : 0) << axis << " " << by;
        }
}

// Points may lie between two cells on the curve, up to 1,024.
TEST(Overlaps, WithPointsBetween) {
    for (const auto& [theta, count] : {std::pair{0.0, 100}, {0.0, 1024}, {0.8, 100}, {0.8, 1024}}) {
        Solver solver(MPI_COMM_WORLD, {.theta = theta});
        BodyArrays cells, points;
        for (int k = 0; k < 2 && world_rank() == 0; ++k) cells.add_cell(0.5 + 0.3 * k, 0.5, 0.5, 1.0, 1.0);
        for (int k = 0; k < count && world_rank() == 0; ++k) points.add_point(0.501 + 0.298 * k / count, 0.5, 0.5, 1.0);
        Result result(cells.size()), at_points(points.size());
        const Caught caught = agreed([&] { solver.solve(cells.cells(), result.fields(), points.points(), at_points.fields()); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
        EXPECT_NE(caught.message.find("overlap"), std::string::npos) << caught.message;
    }
}

// Slabs of cells: what two share is seen along their long sides, too.
TEST(Overlaps, CellsThatAreNoCubes) {
    for (const double theta : {0.0, 0.8}) {
        Solver solver(MPI_COMM_WORLD, {.theta = theta});
        BodyArrays slabs;
        for (int k = 0; k < 8 && world_rank() == 0; ++k)
            slabs.add_cell(0.5, 0.5, (k + 0.5) / 8, 1.0, 1.0), slabs.dy.push_back(1.0), slabs.dz.push_back(0.125);
        EXPECT_EQ(solve(solver, slabs).code, 0);
        if (world_rank() == 0) slabs.add_cell(0.9, 0.4, 7.5 / 8, 1.0, 1.0), slabs.dy.push_back(1.0), slabs.dz.push_back(0.125);
        const Caught caught = solve(solver, slabs);
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
        EXPECT_NE(caught.message.find("overlap"), std::string::npos) << caught.message;
    }
}

// Two ranks' unit cubes, the second by some cells too near: the box of both has less room than their cells. By as little as a
// part in a hundred thousand; where they fit, or leave room, all is well.
TEST(Overlaps, ByLittleOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    Solver solver(MPI_COMM_WORLD);
    for (const double shared : {0.3, 0.05, 2e-3, 2e-5, 0.0, -0.1}) {
        BodyArrays mine;
        if (world_rank() < 2) add_block(mine, 4, world_rank() * (1.0 - shared), 0.0, 0.0, 1.0);
        const Caught caught = solve(solver, mine);
        EXPECT_EQ(caught.code, shared > 0.0 ? static_cast<int>(ErrorCode::invalid_input) : 0) << shared;
    }
}

TEST(Overlaps, OnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    Solver solver(MPI_COMM_WORLD);
    for (const Case& one : cases()) {
        if (!one.by_volume) continue;
        SCOPED_TRACE(one.what);
        BodyArrays mesh = seven_blocks();
        const std::size_t first = mesh.size();
        one.add(mesh);
        const Caught caught = solve(solver, part_of(mesh, [=](std::size_t i) { return i < first ? 0 : 1; }));
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
        // Where the ranks share a GPU, one of them sees all cells and names two.
        EXPECT_TRUE(caught.message.find("volumes add up to") != std::string::npos || caught.message.ends_with("overlap"))
            << caught.message;
        EXPECT_EQ(solve(solver, part_of(seven_blocks())).code, 0);
    }
}

TEST(Overlaps, BlocksAreNamed) {
    Solver solver(MPI_COMM_WORLD);
    const std::vector<double> density(64, 1.0);
    std::vector<double> first(64), second(64);
    std::vector<Block> blocks;
    if (world_rank() == 0) {
        for (const auto& [x, potential] : {std::pair(0.0, first.data()), std::pair(0.40625, second.data())})
            blocks.push_back({{x, 0.0, 0.0}, {0.125, 0.125, 0.125}, {4, 4, 4}, {1, 4, 16}, density.data(), potential, {}});
    }
    const Caught caught = agreed([&] { solver.solve(blocks); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_TRUE(caught.names("of block 0")) << caught.message;
    EXPECT_TRUE(caught.names("of block 1")) << caught.message;
}

// What may look like it: cells of a slab, small beside large ones, and far from the origin; rounding in the caller's geometry.
TEST(Overlaps, NoneInGoodMeshes) {
    Solver solver(MPI_COMM_WORLD);
    EXPECT_EQ(solve(solver, part_of(random_mesh(1, 7))).code, 0);
    BodyArrays slab, distant, rounded;
    for (int i = 0; i < 1000; ++i) {
        slab.add_cell(i % 10 + 0.5, 0.1 * (i / 10 % 10 + 0.5), 0.01 * (i / 100 + 0.5), 1.0, 1.0);
        slab.dy.push_back(0.1);
        slab.dz.push_back(0.01);
    }
    add_block(distant, 8, 1e6, -1e6, 3e5, 1e-6);
    add_block(rounded, 8, 0.1, 0.2, 0.3, 0.7);
    for (double& side : rounded.dx) side *= 1.0 + 1e-7;
    for (double& x : rounded.x) x = static_cast<double>(static_cast<float>(x));
    for (const BodyArrays* mesh : {&slab, &distant, &rounded}) EXPECT_EQ(solve(solver, part_of(*mesh)).code, 0);
}

}  // namespace
}  // namespace gravlet::test
