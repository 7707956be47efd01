// SPDX-License-Identifier: Apache-2.0
#include "solver/data/known_blocks.hpp"

#include "solver/data/host_memory.hpp"
#include "solver/data/validate_input.hpp"

#include <cstring>

namespace gravlet {
namespace {

/// To the byte.
bool are_the_same(const std::vector<Block>& known, const Block* blocks, int threads) {
    bool same = true;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(&& : same)
    for (std::size_t b = 0; b < known.size(); ++b) same = same && std::memcmp(known.data() + b, blocks + b, sizeof(Block)) == 0;
    return same;
}

}  // namespace

void KnownBlocks::describe(Input& input, int threads) {
    if (input.blocks == nullptr) return;
    require_readable_blocks(input);
    threads = threads_for_blocks(input.block_count, threads);
    if (known_.blocks_version == 0 || known_.block_count != input.block_count || !are_the_same(given_, input.blocks, threads))
        look_through(input, threads);
    static_cast<BlockNumbers&>(input) = known_;
    input.cell_count = known_.cell_count;
    input.derivatives = std::max(input.derivatives, known_.derivatives);
}

void KnownBlocks::look_through(const Input& input, int threads) {
    known_.blocks_version = 0;
    validate_blocks({input.blocks, input.block_count});
    Input blocks;
    blocks.blocks = input.blocks;
    blocks.block_count = input.block_count;
    lay_out_blocks(blocks, begin_);
    lay_out_guards(blocks, guard_begin_);
    given_.resize(input.block_count);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t b = 0; b < input.block_count; ++b) std::memcpy(given_.data() + b, input.blocks + b, sizeof(Block));
    known_ = blocks;
    known_.blocks = nullptr;
    known_.blocks_version = ++versions_;
}

}  // namespace gravlet
