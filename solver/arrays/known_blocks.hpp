// SPDX-License-Identifier: Apache-2.0
// What is known of a caller's blocks. Most hosts bring the same ones for many steps, thousands of them: they are compared with
// the last solve's, and only if they are others, looked through.
#pragma once

#include "solver/arrays/block_memory.hpp"
#include "solver/input/input.hpp"

#include <vector>

namespace gravlet {

class KnownBlocks {
public:
    /// Local. Sets all that `input` says of its blocks, which it must not outlive. Throws Error(invalid_input), naming the block,
    /// if one is malformed, or results have no place of their own to go to.
    /// `on_host`: their arrays must be in memory that the CPU can read.
    void describe(Input& input, int threads, bool on_host);

    /// Local, after describe(). Throws Error(invalid_input) if an array of the input's points shares memory with the blocks.
    void require_others_apart(const Input& input) const { memory_.require_others_apart(input); }

private:
    void look_through(const Input& input, int threads, bool on_host);

    std::vector<Block> given_;
    BlockMemory memory_;
    std::vector<std::size_t> begin_, guard_begin_;
    Input known_;  ///< what is known of the given blocks alone
    std::uint64_t versions_ = 0, numbers_ = 0;
};

/// A loop over so many blocks is not worth more threads: on a host with other work, one that comes late costs more than many
/// blocks.
[[nodiscard]] inline int threads_for_blocks(std::size_t blocks, int threads) {
    return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), 1 + blocks / 1024));
}

}  // namespace gravlet
