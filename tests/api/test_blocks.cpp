// SPDX-License-Identifier: Apache-2.0
// Blocks in the host's own memory layouts give the bits of the same cells passed one by one, and nothing else is written.
#include "tests/api/bodies.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <random>

namespace gravlet::test {
namespace {

// The blocks of one rank: [0, 1]^3 in 2^3 blocks of which the first is refined; every size()th is this rank's.
struct BlockMesh {
    std::array<int, 3> n;
    std::vector<std::array<double, 3>> lower, cell_size;
    std::vector<std::vector<double>> density;  // x fastest, without guards

    explicit BlockMesh(const std::array<int, 3>& cells) : n(cells) {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> uniform;
        int count = 0;
        const auto add = [&](double x, double y, double z, double side) {
            std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
            for (double& value : values) value = uniform(random) < 0.1 ? 0.0 : uniform(random);
            if (count++ % world_size() != world_rank()) return;
            lower.push_back({x, y, z});
            cell_size.push_back({side / n[0], side / n[1], side / n[2]});
            density.push_back(values);
        };
        for (int b = 0; b < 8; ++b) {
            for (int c = 0; b == 0 && c < 8; ++c) add(0.25 * (c & 1), 0.25 * (c >> 1 & 1), 0.25 * (c >> 2), 0.25);
            if (b > 0) add(0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2), 0.5);
        }
    }

    // visit(block, i, j, k, number in the block), x fastest
    template <class F>
    void for_each_cell(F visit) const {
        for (std::size_t b = 0; b < lower.size(); ++b) {
            std::size_t number = 0;
            for (int k = 0; k < n[2]; ++k) {
                for (int j = 0; j < n[1]; ++j) {
                    for (int i = 0; i < n[0]; ++i) visit(b, i, j, k, number++);
                }
            }
        }
    }

    [[nodiscard]] Bodies as_cells() const {
        Bodies cells;
        for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t number) {
            const auto& h = cell_size[b];
            cells.add_cell(lower[b][0] + (i + 0.5) * h[0], lower[b][1] + (j + 0.5) * h[1], lower[b][2] + (k + 0.5) * h[2], h[0],
                           density[b][number] * h[0] * h[1] * h[2]);
            cells.dy.push_back(h[1]);
            cells.dz.push_back(h[2]);
        });
        return cells;
    }
};

constexpr double guard_value = -7.0;

// Host memory for the blocks of one rank: `variables` interleaved, fastest, as FLASH's unk; 0 density, 1 potential, 2 to 4
// acceleration.
struct HostArray {
    static constexpr int variables = 7;
    std::array<int, 3> padded;
    int guards;
    std::vector<double> data;

    HostArray(const BlockMesh& mesh, int guard_width)
        : padded{mesh.n[0] + 2 * guard_width, mesh.n[1] + 2 * guard_width, mesh.n[2] + 2 * guard_width},
          guards(guard_width),
          data(mesh.lower.size() * block_size(), guard_value) {
        mesh.for_each_cell(
            [&](std::size_t b, int i, int j, int k, std::size_t number) { at(0, i, j, k, b) = mesh.density[b][number]; });
    }
    [[nodiscard]] std::size_t block_size() const {
        return static_cast<std::size_t>(variables * padded[0] * padded[1] * padded[2]);
    }
    [[nodiscard]] double& at(int variable, int i, int j, int k, std::size_t block) {
        const int cell = i + guards + padded[0] * (j + guards + padded[1] * (k + guards));
        return data[block * block_size() + static_cast<std::size_t>(variable + variables * cell)];
    }
    [[nodiscard]] std::vector<Block> blocks(const BlockMesh& mesh) {
        std::vector<Block> out;
        for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
            const std::array<std::ptrdiff_t, 3> stride = {variables, variables * padded[0], variables * padded[0] * padded[1]};
            out.push_back({mesh.lower[b],
                           mesh.cell_size[b],
                           mesh.n,
                           stride,
                           &at(0, 0, 0, 0, b),
                           &at(1, 0, 0, 0, b),
                           {&at(2, 0, 0, 0, b), &at(3, 0, 0, 0, b), &at(4, 0, 0, 0, b)}});
        }
        return out;
    }
};

Result solve_as_cells(Solver& solver, const BlockMesh& mesh) {
    const Bodies cells = mesh.as_cells();
    Result result(cells.size());
    solver.solve(cells.cells(), result.fields());
    return result;
}

void expect_flash_layout_same(const BlockMesh& mesh, int guards) {
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 2});
    const Result expected = solve_as_cells(solver, mesh);
    HostArray host(mesh, guards), untouched = host;
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
    const Bodies cells = mesh.as_cells();
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
    HostArray host(mesh, 1);
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
    const Bodies points = piece_of(random_points(9, 60)), cells = mesh.as_cells();
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 2, .softening = 0.01});
    Result cell_result(cells.size()), with_cells(points.size()), with_blocks(points.size());
    solver.solve(cells.cells(), cell_result.fields(), points.points(), with_cells.fields());
    HostArray host(mesh, 1);
    solver.solve(host.blocks(mesh), points.points(), with_blocks.fields());
    EXPECT_EQ(with_blocks, with_cells);
    std::size_t cell = 0;
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        ASSERT_EQ(host.at(1, i, j, k, b), cell_result.potential[cell++]);
    });
}

}  // namespace
}  // namespace gravlet::test
