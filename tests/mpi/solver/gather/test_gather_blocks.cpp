// SPDX-License-Identifier: Apache-2.0
// Gathered blocks with guards and interleaved variables give the bits of the same cells passed one by one; guards stay as they
// are.
#include "solver/arrays/known_blocks.hpp"
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gravlet::test {
namespace {

constexpr double guard_value = -7.0;
constexpr int variables = 6, guards = 2;  // 0 density, 1 potential, 2 to 4 acceleration
constexpr std::ptrdiff_t length = 32;     // of a block's array in each direction

/// A slab of [0, 1]^3 a rank, cut into blocks of different sizes along x; rank 1 has none.
struct Slab {
    std::vector<Block> blocks;
    std::vector<std::vector<double>> data;
    std::vector<std::size_t> block_begin;
    BodyArrays cells;

    explicit Slab(bool wanted) {
        std::mt19937_64 random(static_cast<std::uint64_t>(5 + world_rank()));
        std::uniform_real_distribution<double> uniform;
        const double thickness = 1.0 / world_size();
        for (int b = 0; world_rank() != 1 && b < 4; ++b) {
            const std::array<int, 3> n = {4 + world_rank() % 2 * b, 3 + b % 2, 2 + world_rank() % 3};
            const std::array<double, 3> lower = {0.25 * b, 0.0, world_rank() * thickness},
                                        h = {0.25 / n[0], 1.0 / n[1], thickness / n[2]};
            data.emplace_back(static_cast<std::size_t>(variables * length * length * length), guard_value);
            Block block{lower, h, n, {variables, variables * length, variables * length * length}};
            double* const first = data.back().data() + guards * (block.stride[0] + block.stride[1] + block.stride[2]);
            block.density = first;
            if (wanted || b != 2) block.potential = first + 1;
            if (wanted) block.acceleration = {first + 2, first + 3, first + 4};
            blocks.push_back(block);
            for_each_cell(block, [&](std::ptrdiff_t at, int i, int j, int k) {
                const double density = first[at] = uniform(random) < 0.1 ? 0.0 : uniform(random);
                cells.add_cell(lower[0] + (i + 0.5) * h[0], lower[1] + (j + 0.5) * h[1], lower[2] + (k + 0.5) * h[2], h[0],
                               density * h[0] * h[1] * h[2]);
                cells.dy.push_back(h[1]);
                cells.dz.push_back(h[2]);
            });
        }
    }
    template <class F>
    static void for_each_cell(const Block& block, F visit) {
        for (int k = 0; k < block.n[2]; ++k)
            for (int j = 0; j < block.n[1]; ++j)
                for (int i = 0; i < block.n[0]; ++i)
                    visit(i * block.stride[0] + j * block.stride[1] + k * block.stride[2], i, j, k);
    }
    Input input(const BodyArrays& points, const Fields& point_fields) {
        Input out = make_input({}, {}, points.points(), point_fields);
        out.blocks = blocks.data();
        out.block_count = blocks.size();
        lay_out_blocks(out, block_begin);
        return out;
    }
};

void expect_as_cells(const Grouping& grouping, bool acceleration) {
    const Options options{.theta = 0.6, .order = 2, .threads = 1};
    Gathered gathered(grouping, options);
    Slab slab(acceleration);
    const BodyArrays points = random_points(static_cast<std::uint64_t>(world_rank()), 20);
    Result expected(slab.cells.size()), expected_points(points.size()), point_result(points.size());
    const auto wanted = [&](Result& r) { return acceleration ? r.fields() : r.potential_only(); };
    gathered.solve(make_input(slab.cells.cells(), wanted(expected), points.points(), wanted(expected_points)));
    std::vector<std::vector<double>> before = slab.data;
    gathered.solve(slab.input(points, wanted(point_result)));
    EXPECT_EQ(point_result, expected_points) << grouping.name;

    std::size_t cell = 0;
    for (std::size_t b = 0; b < slab.blocks.size(); ++b) {
        const std::ptrdiff_t start = slab.blocks[b].density.doubles() - slab.data[b].data();
        Slab::for_each_cell(slab.blocks[b], [&](std::ptrdiff_t at, int, int, int) {
            double* const values = before[b].data() + start + at;
            if (slab.blocks[b].potential != nullptr) values[1] = expected.potential[cell];
            for (std::size_t axis = 0; axis < 3 && acceleration; ++axis) values[2 + axis] = expected.acceleration[axis][cell];
            ++cell;
        });
        EXPECT_EQ(slab.data[b], before[b]) << grouping.name << ", block " << b;
    }
}

TEST(GatherBlocks, AsCells) {
    for (const Grouping& grouping : groupings()) {
        expect_as_cells(grouping, true);
        expect_as_cells(grouping, false);
    }
}

// One engine, blocks that change between its solves on one rank: it gives what an engine gives that has not seen them before.
TEST(GatherBlocks, ThatChange) {
    const Options options{.theta = 0.6, .order = 2, .threads = 1};
    const std::function<void(std::vector<Block>&)> changes[] = {
        [](std::vector<Block>&) {},
        [](std::vector<Block>& blocks) { blocks[1].active = false; },
        [](std::vector<Block>& blocks) { blocks[1].active = true; },
        [](std::vector<Block>& blocks) { blocks[3].n[1] -= 1; },
        [](std::vector<Block>& blocks) { blocks[2].cell_size[2] *= 0.5; },
        [](std::vector<Block>& blocks) { blocks[0].potential = nullptr; },
        [](std::vector<Block>& blocks) { blocks.pop_back(); },
    };
    for (const Grouping& grouping : groupings()) {
        Gathered gathered(grouping, options);
        KnownBlocks known;
        Slab slab(true);
        const auto solve = [&slab](Gathered& by, KnownBlocks& blocks) {
            Input input = make_input({}, {}, {}, {});
            input.blocks = slab.blocks.data();
            input.block_count = slab.blocks.size();
            blocks.describe(input, 1, true);
            return by.solve(input);
        };
        const std::vector<std::vector<double>> before = slab.data;
        for (const auto& change : changes) {
            if (world_rank() == (world_size() > 2 ? 2 : 0)) change(slab.blocks);
            solve(gathered, known);
            const std::vector<std::vector<double>> got = slab.data;
            for (std::size_t b = 0; b < before.size(); ++b) std::ranges::copy(before[b], slab.data[b].begin());
            Gathered fresh(grouping, options);
            KnownBlocks of_fresh;
            solve(fresh, of_fresh);
            for (std::size_t b = 0; b < before.size(); ++b) {
                EXPECT_EQ(got[b], slab.data[b]) << grouping.name << ", block " << b << ", change " << &change - changes;
                std::ranges::copy(before[b], slab.data[b].begin());
            }
        }
    }
}

// Inactive blocks are sources, and nothing is written to them.
TEST(GatherBlocks, Inactive) {
    const Options options{.theta = 0.6, .order = 2, .threads = 1, .active_bits = ActiveBits::same};
    for (const Grouping& grouping : groupings()) {
        Slab slab(true);
        const std::vector<std::vector<double>> before = slab.data;
        Gathered(grouping, options).solve(slab.input({}, {}));
        const std::vector<std::vector<double>> all = slab.data;
        for (std::size_t b = 0; b < before.size(); ++b) std::ranges::copy(before[b], slab.data[b].begin());
        long targets = 0;
        for (std::size_t b = 0; b < slab.blocks.size(); ++b) {
            slab.blocks[b].active = b % 2 == static_cast<std::size_t>(world_rank()) % 2;
            if (slab.blocks[b].active) targets += static_cast<long>(count_cells(slab.blocks[b].n));
        }
        MPI_Allreduce(MPI_IN_PLACE, &targets, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_EQ(Gathered(grouping, options).solve(slab.input({}, {})).targets, targets) << grouping.name;
        for (std::size_t b = 0; b < before.size(); ++b)
            EXPECT_EQ(slab.data[b], slab.blocks[b].active ? all[b] : before[b]) << grouping.name << ", block " << b;
    }
}

TEST(GatherBlocks, NoneAtAll) {
    Gathered gathered(groupings().front(), {.threads = 1});
    Input none;
    EXPECT_EQ(gathered.solve(none).targets, 0);
}

}  // namespace
}  // namespace gravlet::test
