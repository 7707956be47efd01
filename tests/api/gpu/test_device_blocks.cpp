// SPDX-License-Identifier: Apache-2.0
// Blocks in any memory, by a solver a rank, gathered on one device and handed over: the bits are the same, and nothing else is
// written.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/gpu/device_memory.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

// Each rank's arrays are on the device that it uses.
class DeviceBlocks : public testing::Test {
protected:
    DeviceBlocks() { check(cudaSetDevice(world_rank() % device_count())); }
};

TEST_F(DeviceBlocks, WithGuards) {
    for (const auto& [n, guards, options] : {std::tuple(std::array{4, 4, 4}, 4, usual), std::tuple(std::array{5, 3, 2}, 0, usual),
                                             std::tuple(std::array{5, 3, 2}, 1, redistributed)}) {
        const BlockMesh blocks(n);
        const FlashArray empty(blocks, guards);
        FlashArray host = empty;
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(host.blocks(blocks));
        for (const Memory memory : all_memories) {
            const Array array(memory, empty.data);
            solver.solve(host.blocks(blocks, array.data()));
            EXPECT_EQ(array.values(), host.data) << to_string(memory);  // guard cells and other variables as well

            FlashArray elsewhere(blocks, guards + 1);
            const Array density(memory, empty.data), results(memory, elsewhere.data);
            solver.solve(between(host.blocks(blocks, density.data()), elsewhere.blocks(blocks, results.data())));
            blocks.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
                for (int variable = 1; variable <= 4; ++variable)
                    elsewhere.at(variable, i, j, k, b) = host.at(variable, i, j, k, b);
            });
            EXPECT_EQ(results.values(), elsewhere.data) << to_string(memory);
            EXPECT_EQ(density.values(), empty.data) << to_string(memory);
        }
    }
}

// Axes that run backwards and are in another order, in floats and doubles by turns.
TEST_F(DeviceBlocks, TurnedAround) {
    const BlockMesh blocks({5, 3, 2});
    constexpr std::ptrdiff_t cells = 30, last = cells - 1;
    std::vector<double> density;
    for (const std::vector<double>& one : blocks.density)
        for (std::size_t c = 0; c < cells; ++c) density.push_back(static_cast<float>(one[c]));
    for (const Options& options : {usual, shared, redistributed}) {
        Solver solver(MPI_COMM_WORLD, options);
        const auto solve = [&](Memory memory) {
            const std::vector<double> empty(density.size(), Result::untouched);
            const Array doubles(memory, density), results(memory, empty);
            const BasicArray<float> floats(memory, density), single_results(memory, empty);
            std::vector<Block> views;
            for (std::size_t b = 0; b < blocks.lower.size(); ++b) {
                const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(b) * cells + last;
                const bool single = b % 3 == 1;
                Block block{.lower = blocks.lower[b], .cell_size = blocks.cell_size[b], .n = blocks.n, .stride = {-1, -5, -15}};
                block.density = single ? InputPointer(floats.data() + at) : InputPointer(doubles.data() + at);
                block.potential = single ? ResultPointer(single_results.data() + at) : ResultPointer(results.data() + at);
                block.result_stride = {-6, -1, -3};
                block.active = b % 4 != 2;
                views.push_back(block);
            }
            solver.solve(views);
            return std::pair(results.values(), single_results.values());
        };
        const auto expected = solve(Memory::host);
        EXPECT_TRUE(blocks.lower.empty() || std::ranges::count(expected.first, Result::untouched) < std::ssize(expected.first));
        for (const Memory memory : all_memories) EXPECT_EQ(solve(memory), expected) << to_string(memory);
    }
}

TEST_F(DeviceBlocks, Floats) {
    BlockMesh blocks({4, 4, 4});
    std::vector<double> densities;
    for (const std::vector<double>& density : blocks.density) densities.insert(densities.end(), density.begin(), density.end());
    densities = rounded(densities);
    const Result empty(densities.size());
    const auto views = [&](const auto& density, const auto& potential, const auto& ax, const auto& ay, const auto& az) {
        std::vector<Block> out;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b) {
            const std::size_t at = 64 * b;
            out.push_back(block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, density.data() + at,
                                            potential.data() + at, {ax.data() + at, ay.data() + at, az.data() + at}));
            out.back().active = b % 3 != 1;
        }
        return out;
    };
    for (const Options& options : {usual, shared, redistributed}) {
        Solver solver(MPI_COMM_WORLD, options);
        const Array density(Memory::host, densities);
        const PlacedResult expected(Memory::host, densities.size());
        solver.solve(views(density, expected.potential, expected.ax, expected.ay, expected.az));
        for (const Memory memory : all_memories) {
            const BasicArray<float> floats(memory, densities);
            const BasicPlacedResult<float> result(memory, densities.size());
            solver.solve(views(floats, result.potential, result.ax, result.ay, result.az));
            EXPECT_TRUE(result.result() == rounded(expected.result())) << to_string(memory);
        }
    }
}

// What a solver keeps of the last solve's blocks is not taken for what they are now.
TEST_F(DeviceBlocks, ThatChange) {
    const BlockMesh blocks({4, 4, 4});
    const FlashArray empty(blocks, 1);
    FlashArray other = empty;
    for (double& value : other.data) value *= 2.0;
    Solver solver(MPI_COMM_WORLD, usual);
    const auto expect = [&](const FlashArray& start, bool all_active) {
        FlashArray expected = start;
        const auto given = [&](double* data) {
            std::vector<Block> views = expected.blocks(blocks, data);
            if (!views.empty()) views.back().active = all_active;
            return views;
        };
        Solver afresh(MPI_COMM_WORLD, usual);
        afresh.solve(given(expected.data.data()));
        const Array array(Memory::device, start.data);
        for (int again = 0; again < 2; ++again) {
            solver.solve(given(array.data()));
            EXPECT_EQ(array.values(), expected.data);
        }
    };
    expect(empty, true);
    expect(other, true);
    expect(other, false);
    FlashArray host = empty;
    solver.solve(host.blocks(blocks));
    expect(empty, true);
}

// Blocks without guards in dense arrays of their own, potential alone.
TEST_F(DeviceBlocks, AndPoints) {
    const BodyArrays points = part_of(random_points(2, 300));
    const BlockMesh blocks({4, 4, 4});
    std::vector<double> density;
    for (const std::vector<double>& one : blocks.density) density.insert(density.end(), one.begin(), one.end());
    Solver solver(MPI_COMM_WORLD, usual);
    std::vector<std::vector<double>> answers;
    for (const Memory memory : all_memories) {
        const Array mass(memory, density), potential(memory, std::vector<double>(density.size(), Result::untouched));
        const PlacedArrays my_points(memory, points);
        const PlacedResult result(memory, points.size());
        std::vector<Block> views;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b)
            views.push_back(block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, mass.data() + 64 * b,
                                              potential.data() + 64 * b));
        solver.solve(views, my_points.points(), {result.potential.span(), {}});
        answers.push_back(potential.values());
        for (const double value : result.potential.values()) answers.back().push_back(value);
        EXPECT_EQ(answers.back(), answers.front()) << to_string(memory);
    }
}

// Faces of dense blocks, beside the potential.
TEST_F(DeviceBlocks, Faces) {
    const BlockMesh blocks({5, 3, 2});
    constexpr std::size_t cells = 30, faces[3] = {36, 40, 45}, all_faces = 121;
    std::vector<double> density;
    for (const std::vector<double>& one : blocks.density) density.insert(density.end(), one.begin(), one.end());
    Solver solver(MPI_COMM_WORLD, shared);
    std::vector<std::vector<double>> answers;
    for (const Memory memory : all_memories) {
        const std::vector<double> empty(blocks.lower.size() * (cells + all_faces), Result::untouched);
        const Array mass(memory, density), results(memory, empty);
        std::vector<Block> views;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b) {
            double* const to = results.data() + b * (cells + all_faces);
            views.push_back(
                block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, mass.data() + cells * b, to + all_faces));
            views.back().face_acceleration = {to, to + faces[0], to + faces[0] + faces[1]};
        }
        solver.solve(views);
        answers.push_back(results.values());
        EXPECT_EQ(answers.back(), answers.front()) << to_string(memory);
        EXPECT_EQ(std::ranges::count(answers.back(), Result::untouched), 0) << to_string(memory);
    }
}

// Last: a kernel that runs into such an array leaves the process without its device.
TEST_F(DeviceBlocks, OneBlockInTwoMemories) {
    const BlockMesh blocks({4, 4, 4});
    FlashArray host(blocks, 0);
    const FlashArray before = host;
    const Array device(Memory::device, host.data);
    Solver solver(MPI_COMM_WORLD, shared);
    const auto expect_refused = [&](bool potential, bool acceleration) {
        std::vector<Block> mixed = host.blocks(blocks);
        const std::vector<Block> there = host.blocks(blocks, device.data());
        for (std::size_t b = 0; b < mixed.size(); ++b) {
            if (potential) mixed[b].potential = there[b].potential;
            if (acceleration) mixed[b].acceleration = there[b].acceleration;
        }
        const Caught caught = agreed([&] { solver.solve(mixed); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names("block 0")) << caught.message;
        EXPECT_EQ(host.data, before.data);
        EXPECT_EQ(device.values(), before.data);
    };
    expect_refused(true, true);
    expect_refused(true, false);
    expect_refused(false, true);
}

}  // namespace
}  // namespace gravlet::test
