// SPDX-License-Identifier: Apache-2.0
// Which blocks are those of the last solve: what they say decides, not what lies between their members.
#include "solver/arrays/known_blocks.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <iterator>
#include <new>

namespace gravlet::test {
namespace {

/// Two blocks side by side, written over bytes that are all `between`.
class Pair {
public:
    explicit Pair(double* memory, int between) {
        std::memset(bytes_, between, sizeof bytes_);
        for (std::size_t b = 0; b < 2; ++b) {
            Block& block = *new (bytes_ + b * sizeof(Block)) Block;
            block.lower = {0.5 * static_cast<double>(b), 0.0, 0.0};
            block.cell_size = {0.25, 0.25, 0.25};
            block.n = {2, 2, 2};
            block.stride = {1, 2, 4};
            block.density = memory + 40 * b;
            block.potential = memory + 100 + 40 * b;
        }
    }
    [[nodiscard]] Block* blocks() { return reinterpret_cast<Block*>(bytes_); }
    [[nodiscard]] Input input() {
        Input input;
        input.blocks = blocks();
        input.block_count = 2;
        return input;
    }

private:
    alignas(Block) unsigned char bytes_[2 * sizeof(Block)];
};

TEST(SameBlocks, WhatIsBetweenMembersIsNothing) {
    double memory[240] = {};
    KnownBlocks known;
    Pair one(memory, 0), other(memory, 0xa5);
    Input first = one.input(), again = other.input();
    known.describe(first, 1, true);
    known.describe(again, 1, true);
    EXPECT_EQ(first.blocks_version, again.blocks_version);
    EXPECT_NE(first.blocks_version, 0u);
    EXPECT_EQ(again.cell_count, 16u);
    EXPECT_EQ(again.cells_per_block, 8u);
}

TEST(SameBlocks, AnyMemberIsSomething) {
    double memory[240] = {};
    const std::function<void(Block&)> changes[] = {
        [](Block& b) { b.lower[1] = 1.0; },
        [](Block& b) { b.cell_size[2] = 0.5; },
        [](Block& b) { b.n[2] = 1; },
        [](Block& b) { b.stride[2] = 8; },
        [&](Block& b) { b.density = memory; },
        // At the same addresses.
        [&](Block& b) { b.density = reinterpret_cast<const float*>(memory + 40); },
        [&](Block& b) { b.potential = reinterpret_cast<float*>(memory + 140); },
        [](Block& b) { b.potential = nullptr; },
        [&](Block& b) {
            b.acceleration = {memory + 200, memory + 208, memory + 216};
        },
        [&](Block& b) {
            for (std::size_t k = 0; k < 6; ++k) b.tidal[k] = memory + 180 + 8 * k;
        },
        [&](Block& b) { b.face_acceleration[1] = memory + 180; },
        [](Block& b) { b.active = false; },
        [](Block& b) {
            b.result_stride = {1, 4, 8};
        },
        [](Block& b) {
            b.result_guards = {1, 0, 0}, b.result_stride = {1, 4, 8};
        },
        [](Block& b) {
            b.face_stride[0] = {1, 3, 6};
        },
    };
    KnownBlocks known;
    std::uint64_t before = 0;
    const auto version_of = [&known](Pair& pair, std::size_t count = 2) {
        Input input = pair.input();
        input.block_count = count;
        known.describe(input, 1, true);
        return input.blocks_version;
    };
    // Each change next to the pair as it is: only what was changed tells the two apart.
    Pair same(memory, 0);
    for (std::size_t k = 0; k < std::size(changes); ++k) {
        Pair changed(memory, 0);
        changes[k](changed.blocks()[1]);
        const std::uint64_t original = version_of(same);
        EXPECT_EQ(version_of(same), original);
        EXPECT_NE(version_of(changed), original) << "change " << k;
        before = version_of(same);
    }
    const std::uint64_t one = version_of(same, 1), two = version_of(same, 2);
    EXPECT_NE(one, before);
    EXPECT_NE(two, one);
    EXPECT_NE(version_of(same, 1), two);
    before = version_of(same, 2);
    Pair wrong(memory, 0);
    wrong.blocks()[1].n[0] = -1;
    Input input = wrong.input();
    EXPECT_THROW(known.describe(input, 1, true), Error);
    Pair right(memory, 0);
    Input good = right.input();
    known.describe(good, 1, true);
    EXPECT_GT(good.blocks_version, before);
}

}  // namespace
}  // namespace gravlet::test
