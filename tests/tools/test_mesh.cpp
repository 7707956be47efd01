// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/p4est/mesh.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace gravlet {
namespace {

std::int64_t sum(std::int64_t value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

// An order-free fingerprint of the set of blocks on all ranks.
std::uint64_t fingerprint(const std::vector<MeshBlock>& blocks) {
    std::uint64_t total = 0;
    for (const MeshBlock& block : blocks) {
        std::uint64_t hash = static_cast<std::uint64_t>(block.level);
        for (const double x : block.lower)
            hash = (hash ^ static_cast<std::uint64_t>(std::lround(x * (1 << 20)))) * 0x9e3779b97f4a7c15U;
        total += hash ^ (hash >> 31);
    }
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

bool near_point(const MeshBlock& block) {
    double squares = 0.0;
    const std::array<double, 3> point{0.3, 0.6, 0.2};
    for (std::size_t d = 0; d < 3; ++d) {
        const double distance = std::max({block.lower[d] - point[d], point[d] - block.lower[d] - block.side, 0.0});
        squares += distance * distance;
    }
    return squares < 0.05 * 0.05;
}

TEST(Mesh, UniformTilesTheRoot) {
    const auto blocks = make_mesh(MPI_COMM_WORLD, {{-1.0, -2.0, -3.0}, 4.0, 1}, 4, [](const MeshBlock&) { return true; });
    EXPECT_EQ(sum(static_cast<std::int64_t>(blocks.size())), 512);
    for (const MeshBlock& block : blocks) {
        EXPECT_EQ(block.level, 4);
        EXPECT_EQ(block.side, 0.5);
        EXPECT_GE(block.lower[2], -3.0);
        EXPECT_LE(block.lower[2] + block.side, 1.0);
    }
}

TEST(Mesh, OneBlock) {
    const auto blocks = make_mesh(MPI_COMM_WORLD, {}, 1, [](const MeshBlock&) { return true; });
    EXPECT_EQ(sum(static_cast<std::int64_t>(blocks.size())), 1);
}

TEST(Mesh, SameBlocksAtAnyNumberOfRanks) {
    const auto blocks = make_mesh(MPI_COMM_WORLD, {}, 7, near_point);
    const auto alone = make_mesh(MPI_COMM_SELF, {}, 7, near_point);
    EXPECT_EQ(sum(static_cast<std::int64_t>(blocks.size())), static_cast<std::int64_t>(alone.size()));
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    EXPECT_EQ(fingerprint(blocks), fingerprint(rank == 0 ? alone : std::vector<MeshBlock>{}));
}

TEST(Mesh, BalancedAndCoversTheBox) {
    const auto blocks = make_mesh(MPI_COMM_SELF, {}, 7, near_point);
    double volume = 0.0;
    std::map<std::array<std::int64_t, 4>, bool> there;
    for (const MeshBlock& block : blocks) {
        volume += std::pow(block.side, 3);
        there[{block.level, std::lround(block.lower[0] / block.side), std::lround(block.lower[1] / block.side),
               std::lround(block.lower[2] / block.side)}] = true;
    }
    EXPECT_EQ(volume, 1.0);
    // The block next to one of level L, across a face, is of level L - 1, L or L + 1: it or its parent is there, or it is divided
    // once.
    for (const auto& [at, unused] : there)
        for (std::size_t d = 1; d <= 3; ++d)
            for (const int step : {-1, 1}) {
                auto next = at;
                next[d] += step;
                if (next[d] < 0 || next[d] >= std::int64_t{1} << (at[0] - 1)) continue;
                for (int up = 2; up < at[0]; ++up)
                    EXPECT_FALSE(there.contains({at[0] - up, next[1] >> up, next[2] >> up, next[3] >> up}));
            }
}

TEST(Mesh, DeepestCorner) {
    const auto blocks = make_mesh(MPI_COMM_WORLD, {}, 18, [](const MeshBlock& block) {
        return block.lower == std::array<double, 3>{0.0, 0.0, 0.0};
    });
    EXPECT_EQ(sum(static_cast<std::int64_t>(blocks.size())), 7 * 17 + 1);
    for (const MeshBlock& block : blocks) EXPECT_EQ(block.side, std::ldexp(1.0, 1 - block.level));
}

TEST(Mesh, BadLevelAndThrowingTest) {
    EXPECT_THROW((void)make_mesh(MPI_COMM_WORLD, {}, 0, near_point), Error);
    const auto too_many = [](std::int64_t blocks) {
        if (blocks > 64) throw Error(ErrorCode::out_of_memory, "too many");
    };
    EXPECT_THROW((void)make_mesh(
                     MPI_COMM_WORLD, {}, 7, [](const MeshBlock&) { return true; }, too_many),
                 Error);
    EXPECT_THROW((void)make_mesh(MPI_COMM_WORLD, {}, mesh_max_level + 1, near_point), Error);
    EXPECT_THROW(
        (void)make_mesh(MPI_COMM_WORLD, {}, 5, [](const MeshBlock&) -> bool { throw Error(ErrorCode::invalid_input, "no"); }),
        Error);
}

}  // namespace
}  // namespace gravlet
