// SPDX-License-Identifier: Apache-2.0
// A solver that has seen the same blocks before looks at their descriptions no more than it must: any change of one is noticed,
// on whatever rank, and results are those of a solver that has seen none.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace gravlet::test {
namespace {

using Blocks = std::vector<Block>;

/// One solver for all solves, and its blocks' memory.
struct Seen {
    const BlockMesh mesh{{4, 3, 5}};
    const Options options;
    Solver solver;
    FlashArray array{mesh, 1}, other{mesh, 2};
    int solves = 0;

    explicit Seen(const Options& o) : options(o), solver(MPI_COMM_WORLD, o) {}

    /// Solves for the blocks as `edit` leaves them, with densities that were not there before.
    void expect_as_new(const char* what, const std::function<void(Blocks&, FlashArray& other)>& edit) {
        SCOPED_TRACE(what);
        ++solves;
        for (FlashArray* a : {&array, &other}) {
            mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t number) {
                for (int variable = 1; variable < FlashArray::variables; ++variable) a->at(variable, i, j, k, b) = guard_value;
                a->at(0, i, j, k, b) = solves * mesh.density[b][number];
            });
        }
        FlashArray expected = array, expected_other = other;
        Blocks blocks = array.blocks(mesh), fresh = expected.blocks(mesh);
        edit(blocks, other);
        edit(fresh, expected_other);
        solver.solve(blocks);
        Solver(MPI_COMM_WORLD, options).solve(fresh);
        EXPECT_EQ(array.data, expected.data);
        EXPECT_EQ(other.data, expected_other.data);
    }
    void expect_refused(const char* what, const std::function<void(Blocks&)>& edit) {
        SCOPED_TRACE(what);
        Blocks blocks = array.blocks(mesh);
        if (world_rank() == 0) edit(blocks);
        EXPECT_EQ(agreed([&] { solver.solve(blocks); }).code, static_cast<int>(ErrorCode::invalid_input));
    }
};

class KnownBlocks : public testing::TestWithParam<Options> {};

TEST_P(KnownBlocks, AnyChangeIsNoticed) {
    Seen seen(GetParam());
    const auto nothing = [](Blocks&, FlashArray&) {};
    const auto on_last_rank = [](auto edit) {
        return [edit](Blocks& blocks, FlashArray&) {
            if (world_rank() == world_size() - 1) edit(blocks);
        };
    };
    seen.expect_as_new("first", nothing);
    seen.expect_as_new("the same", nothing);
    seen.expect_as_new("an inactive block", on_last_rank([](Blocks& blocks) { blocks[1].active = false; }));
    seen.expect_as_new("active again", nothing);
    seen.expect_as_new("no acceleration", [](Blocks& blocks, FlashArray&) {
        for (Block& block : blocks) block.acceleration = {};
    });
    seen.expect_as_new("no potential of one block", on_last_rank([](Blocks& blocks) { blocks[0].potential = nullptr; }));
    seen.expect_as_new("results in another array",
                       [&](Blocks& blocks, FlashArray& other) { blocks = between(blocks, other.blocks(seen.mesh)); });
    seen.expect_as_new("the same, after that", nothing);
    seen.expect_refused("no density", [](Blocks& blocks) { blocks[0].density = nullptr; });
    seen.expect_as_new("the same, after an error", nothing);
    seen.expect_refused("a negative density", [](Blocks& blocks) { const_cast<double&>(*blocks[0].density.doubles()) = -1.0; });
    seen.expect_as_new("the same, after an error in a cell", nothing);
    seen.expect_as_new("one block less", on_last_rank([](Blocks& blocks) { blocks.pop_back(); }));
    seen.expect_as_new("blocks in another order", on_last_rank([](Blocks& blocks) { std::swap(blocks[0], blocks[1]); }));
    seen.expect_as_new("a tidal tensor", [](Blocks& blocks, FlashArray&) { ask_for_tides(blocks); });
    seen.expect_as_new("the same, at last", nothing);
}

// Blocks whose numbers lie one after the other, which a GPU copies as a whole: others' numbers, and elsewhere.
TEST_P(KnownBlocks, OtherDenseArrays) {
    const BlockMesh mesh({4, 3, 5});
    const std::size_t cells = 4 * 3 * 5, all = cells * mesh.lower.size();
    Solver seen(MPI_COMM_WORLD, GetParam());
    std::vector<std::vector<double>> densities, potentials;
    for (const double factor : {1.0, 3.0, 0.5}) {  // all stay, so that none gets another's memory
        std::vector<double>& density = densities.emplace_back();
        for (const std::vector<double>& of_block : mesh.density)
            for (const double value : of_block) density.push_back(factor * value);
        std::vector<double>&got = potentials.emplace_back(all, guard_value), expected(all, guard_value);
        const auto blocks = [&](std::vector<double>& potential) {
            Blocks out;
            for (std::size_t b = 0; b < mesh.lower.size(); ++b)
                out.push_back({.lower = mesh.lower[b],
                               .cell_size = mesh.cell_size[b],
                               .n = mesh.n,
                               .stride = {1, 4, 12},
                               .density = density.data() + b * cells,
                               .potential = potential.data() + b * cells});
            return out;
        };
        seen.solve(blocks(got));
        Solver(MPI_COMM_WORLD, GetParam()).solve(blocks(expected));
        EXPECT_EQ(got, expected) << factor;
    }
}

TEST_P(KnownBlocks, PointsComeAndGo) {
    Seen seen(GetParam());
    for (const std::size_t n : {0UL, 20UL, 20UL, 3UL}) {
        const BodyArrays points = random_points(static_cast<std::uint64_t>(world_rank()), n);
        Result points_result(n), expected_result(n);
        FlashArray expected = seen.array;
        seen.solver.solve(seen.array.blocks(seen.mesh), points.points(), points_result.fields());
        Solver(MPI_COMM_WORLD, GetParam()).solve(expected.blocks(seen.mesh), points.points(), expected_result.fields());
        EXPECT_EQ(seen.array.data, expected.data);
        EXPECT_EQ(points_result, expected_result);
    }
}

const Options usual{.gpu_sharing = GpuSharing::share, .theta = 0.5, .order = 2, .softening = 1e-3};

INSTANTIATE_TEST_SUITE_P(Options, KnownBlocks,
                         testing::Values(
                             usual,
                             [] {
                                 Options kept = usual;
                                 kept.keep_tree = true;
                                 return kept;
                             }(),
                             [] {
                                 Options gathered = usual;
                                 gathered.gpu_sharing = GpuSharing::gather;
                                 return gathered;
                             }()));

}  // namespace
}  // namespace gravlet::test
