// SPDX-License-Identifier: Apache-2.0
// Which strides put two cells of a block in one place, against trying all of them.
#include "solver/input/block_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace gravlet {
namespace {

bool by_trying(const std::array<int, 3>& n, const Stride& stride) {
    std::vector<std::ptrdiff_t> offsets;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) offsets.push_back(i * stride[0] + j * stride[1] + k * stride[2]);
    std::ranges::sort(offsets);
    return std::ranges::adjacent_find(offsets) != offsets.end();
}

TEST(BlockLayout, AnyStrides) {
    std::mt19937 random(1);
    int shared = 0;
    constexpr int tries = 20'000;
    for (int t = 0; t < tries; ++t) {
        const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
        const std::array<int, 3> n = {1 + below(5), 1 + below(5), 1 + below(5)};
        const Stride stride = {below(41) - 20, below(41) - 20, below(41) - 20};
        const bool expected = by_trying(n, stride);
        shared += expected ? 1 : 0;
        ASSERT_EQ(has_cells_in_one_place(n, stride), expected)
            << n[0] << n[1] << n[2] << ": " << stride[0] << " " << stride[1] << " " << stride[2];
    }
    EXPECT_GT(shared, tries / 10);
    EXPECT_LT(shared, tries - tries / 10);
}

TEST(BlockLayout, LayoutsOfHosts) {
    EXPECT_FALSE(has_cells_in_one_place({16, 16, 16}, {1, 24, 24 * 24}));          // x fastest, guard cells
    EXPECT_FALSE(has_cells_in_one_place({16, 16, 16}, {24 * 24, 24, 1}));          // z fastest
    EXPECT_FALSE(has_cells_in_one_place({16, 16, 16}, {7, 7 * 24, 7 * 24 * 24}));  // FLASH's unk
    EXPECT_FALSE(has_cells_in_one_place({4, 4, 4}, {-1, 4, -16}));                 // backwards
    EXPECT_FALSE(has_cells_in_one_place({2, 2, 2}, {2, 3, 4}));                    // odd, but each has its own
    EXPECT_FALSE(has_cells_in_one_place({8, 1, 1}, {1, 0, 0}));
    EXPECT_FALSE(has_cells_in_one_place({1, 1, 1}, {0, 0, 0}));
    EXPECT_TRUE(has_cells_in_one_place({8, 8, 8}, {0, 0, 0}));
    EXPECT_TRUE(has_cells_in_one_place({8, 8, 8}, {1, 8, 8}));
    EXPECT_TRUE(has_cells_in_one_place({8, 8, 8}, {1, 7, 56}));
    EXPECT_TRUE(has_cells_in_one_place({8, 8, 8}, {1, -8, 63}));
}

// The longest way to an answer.
TEST(BlockLayout, LargestBlock) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(has_cells_in_one_place({1600, 1600, 1600}, {1601 * 1600, 1601, 1600 * 1601 + 1}));
    EXPECT_TRUE(has_cells_in_one_place({1600, 1600, 1600}, {1600 * 1600, 1600, 1598}));
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5.0);
}

TEST(BlockLayout, FitsInMemory) {
    constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max();
    EXPECT_TRUE(fits_in_memory({8, 8, 8}, {1, 8, 64}));
    EXPECT_TRUE(fits_in_memory({1, 1, 1}, {most, -most, most}));
    EXPECT_FALSE(fits_in_memory({3, 1, 1}, {most, 0, 0}));
    EXPECT_FALSE(fits_in_memory({2, 2, 1}, {most / 2, -most / 2, 0}));
    EXPECT_FALSE(fits_in_memory({2, 1, 1}, {std::numeric_limits<std::ptrdiff_t>::min(), 0, 0}));
}

}  // namespace
}  // namespace gravlet
