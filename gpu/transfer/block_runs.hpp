// SPDX-License-Identifier: Apache-2.0
// Runs of a rank's cells in blocks, as copies between host and device take them.
#pragma once

#include "physics/path_size.hpp"
#include "solver/input/input.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gravlet {

/// Calls f(block, first cell, extent, its index among `begin` to `end`) for the blocks' cells [begin, end): for a block that is
/// all among them once, for each row of others, or what of it is.
template <class F>
void for_boxes(const Input& input, std::size_t begin, std::size_t end, int threads, F f) {
    const std::size_t first = input.block_of(begin), last = input.block_of(end - 1) + 1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t b = first; b < last; ++b) {
        const Block& block = input.blocks[b];
        std::size_t row = input.block_begin[b];
        if (row >= begin && input.block_begin[b + 1] <= end) {
            f(block, BlockCell{b, 0, 0, 0}, block.n, row - begin);
            continue;
        }
        const std::size_t nx = static_cast<std::size_t>(block.n[0]);
        for (int k = 0; k < block.n[2]; ++k) {
            for (int j = 0; j < block.n[1]; ++j, row += nx) {
                const std::size_t from = std::max(row, begin), to = std::min(row + nx, end);
                if (from < to)
                    f(block, BlockCell{b, static_cast<int>(from - row), j, k}, std::array{static_cast<int>(to - from), 1, 1},
                      from - begin);
            }
        }
    }
}

/// So many cells sooner cross than a copy of their own begins.
inline constexpr std::size_t worth_a_run = path_size(std::size_t{1} << 16, std::size_t{64});

/// Calls f(begin, end) for runs of cells that hold all those of active blocks, and few others.
template <class F>
void for_active_runs(const Input& input, const F& f) {
    std::size_t begin = 0, end = 0;
    for (std::size_t b = 0; b < input.block_count; ++b) {
        const std::size_t first = input.block_begin[b], last = input.block_begin[b + 1];
        if (!input.blocks[b].active || first == last) continue;
        if (begin < end && first > end + worth_a_run) f(begin, end), begin = first;
        if (begin == end) begin = first;
        end = last;
    }
    if (begin < end) f(begin, end);
}

}  // namespace gravlet
