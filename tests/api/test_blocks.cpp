// SPDX-License-Identifier: Apache-2.0
// Blocks in the host's own memory layouts give the bits of the same cells passed one by one, and nothing else is written.
#include "tests/api/block_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

Result solve_as_cells(Solver& solver, const BlockMesh& mesh) {
    const BodyArrays cells = mesh.as_cells();
    Result result(cells.size());
    solver.solve(cells.cells(), result.fields());
    return result;
}

void expect_flash_layout_same(const BlockMesh& mesh, int guards) {
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 2});
    const Result expected = solve_as_cells(solver, mesh);
    FlashArray host(mesh, guards), untouched = host;
    solver.solve(host.blocks(mesh));
    std::size_t cell = 0;
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        ASSERT_EQ(host.at(1, i, j, k, b), expected.potential[cell]);
        host.at(1, i, j, k, b) = guard_value;
        for (int axis = 0; axis < 3; ++axis) {
            ASSERT_EQ(host.at(2 + axis, i, j, k, b), expected.acceleration[static_cast<std::size_t>(axis)][cell]);
            host.at(2 + axis, i, j, k, b) = guard_value;
        }
        ++cell;
    });
    EXPECT_EQ(host.data, untouched.data);  // guard cells, other variables, density
}

TEST(Blocks, FlashLayout) { expect_flash_layout_same(BlockMesh({4, 4, 4}), 4); }

TEST(Blocks, NoGuards) { expect_flash_layout_same(BlockMesh({4, 4, 4}), 0); }

TEST(Blocks, CellsNeedNotBeCubes) { expect_flash_layout_same(BlockMesh({5, 3, 2}), 1); }

TEST(Blocks, OneLayer) { expect_flash_layout_same(BlockMesh({4, 8, 1}), 2); }

// As AMReX keeps them: results in arrays of their own, with other guard cells.
TEST(Blocks, ResultsInAnotherArray) {
    const BlockMesh mesh({4, 3, 5});
    for (const GpuSharing sharing : {GpuSharing::share, GpuSharing::gather}) {
        Solver solver(MPI_COMM_WORLD, {.gpu_sharing = sharing, .theta = 0.5});
        FlashArray together(mesh, 4), density(mesh, 4), results(mesh, 1);
        const std::vector<double> before = density.data;
        solver.solve(together.blocks(mesh));
        FlashArray expected(mesh, 1);
        mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
            for (int variable = 1; variable <= 4; ++variable)
                expected.at(variable, i, j, k, b) = together.at(variable, i, j, k, b);
        });
        solver.solve(between(density.blocks(mesh), results.blocks(mesh)));
        EXPECT_EQ(results.data, expected.data);
        EXPECT_EQ(density.data, before);
    }
}

TEST(Blocks, ContiguousWithGuards) {
    const BlockMesh mesh({4, 3, 5});
    const int guards = 2;
    const std::size_t nx = 8, ny = 7, nz = 9;
    const std::size_t count = mesh.lower.size();
    std::vector<std::vector<double>> density(count), potential(count);
    std::vector<Block> blocks;
    const auto offset = [&](int i, int j, int k) {
        return static_cast<std::size_t>(i + guards) +
               nx * (static_cast<std::size_t>(j + guards) + ny * static_cast<std::size_t>(k + guards));
    };
    for (std::size_t b = 0; b < count; ++b) {
        density[b].assign(nx * ny * nz, guard_value);
        potential[b].assign(nx * ny * nz, guard_value);
        blocks.push_back(
            block_with_guards(mesh.lower[b], mesh.cell_size[b], mesh.n, guards, density[b].data(), potential[b].data()));
    }
    mesh.for_each_cell(
        [&](std::size_t b, int i, int j, int k, std::size_t number) { density[b][offset(i, j, k)] = mesh.density[b][number]; });
    Solver solver(MPI_COMM_WORLD);
    solver.solve(blocks);
    const BodyArrays cells = mesh.as_cells();
    Result expected(cells.size());
    solver.solve(cells.cells(), expected.potential_only());
    std::size_t cell = 0;
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        ASSERT_EQ(potential[b][offset(i, j, k)], expected.potential[cell++]);
        potential[b][offset(i, j, k)] = guard_value;
    });
    for (std::size_t b = 0; b < count; ++b) EXPECT_EQ(potential[b], std::vector<double>(nx * ny * nz, guard_value));
}

TEST(Blocks, AccelerationAlone) {
    const BlockMesh mesh({4, 4, 4});
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 2});
    const Result expected = solve_as_cells(solver, mesh);
    FlashArray host(mesh, 1);
    std::vector<Block> blocks = host.blocks(mesh);
    for (Block& block : blocks) block.potential = nullptr;
    solver.solve(blocks);
    std::size_t cell = 0;
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        ASSERT_EQ(host.at(1, i, j, k, b), guard_value);
        ASSERT_EQ(host.at(4, i, j, k, b), expected.acceleration[2][cell++]);
    });
}

TEST(Blocks, WithPoints) {
    const BlockMesh mesh({4, 4, 4});
    const BodyArrays points = part_of(random_points(9, 60)), cells = mesh.as_cells();
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 2, .softening = 0.01});
    Result cell_result(cells.size()), with_cells(points.size()), with_blocks(points.size());
    solver.solve(cells.cells(), cell_result.fields(), points.points(), with_cells.fields());
    FlashArray host(mesh, 1);
    solver.solve(host.blocks(mesh), points.points(), with_blocks.fields());
    EXPECT_EQ(with_blocks, with_cells);
    std::size_t cell = 0;
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        ASSERT_EQ(host.at(1, i, j, k, b), cell_result.potential[cell++]);
    });
}

}  // namespace
}  // namespace gravlet::test
