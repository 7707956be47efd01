// SPDX-License-Identifier: Apache-2.0
#include "solver/arrays/known_blocks.hpp"

#include "solver/input/host_memory.hpp"
#include "solver/input/input_checks.hpp"

#include <algorithm>
#include <cstring>

namespace gravlet {
namespace {

bool is_same(const RealPointer<const double>& a, const RealPointer<const double>& b) {
    return a == b && a.is_single() == b.is_single();
}

template <std::size_t N>
bool are_same(const std::array<ResultPointer, N>& a, const std::array<ResultPointer, N>& b) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [](const ResultPointer& p, const ResultPointer& q) { return is_same(p, q); });
}

/// Whether two descriptions are the same: to the byte, as most are; or, since what is between the members may be anything, member
/// by member.
bool is_same(const Block& a, const Block& b) {
    return std::memcmp(&a, &b, sizeof(Block)) == 0 ||  // NOLINT(bugprone-suspicious-memory-comparison)
           (a.lower == b.lower && a.cell_size == b.cell_size && a.n == b.n && a.stride == b.stride &&
            is_same(a.density, b.density) && is_same(a.potential, b.potential) && are_same(a.acceleration, b.acceleration) &&
            a.active == b.active && a.result_stride == b.result_stride && are_same(a.tidal, b.tidal) &&
            a.result_guards == b.result_guards && are_same(a.face_acceleration, b.face_acceleration) &&
            a.face_stride == b.face_stride);
}

bool are_the_same(const std::vector<Block>& known, const Block* blocks, int threads) {
    bool same = true;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(&& : same)
    for (std::size_t b = 0; b < known.size(); ++b) same = same && is_same(known[b], blocks[b]);
    return same;
}

}  // namespace

void KnownBlocks::describe(Input& input, int threads, bool on_host) {
    require_readable_blocks(input);
    if (input.blocks == nullptr) return;
    threads = threads_for_blocks(input.block_count, threads);
    if (known_.blocks_version == 0 || known_.block_count != input.block_count || !are_the_same(given_, input.blocks, threads))
        look_through(input, threads, on_host);
    input.block_begin = known_.block_begin, input.cells_per_block = known_.cells_per_block;
    static_cast<GuardPlaces&>(input) = known_;
    static_cast<BlockNumbers&>(input) = known_;
    input.cell_count = known_.cell_count;
    input.derivatives = std::max(input.derivatives, known_.derivatives);
}

void KnownBlocks::look_through(const Input& input, int threads, bool on_host) {
    known_.blocks_version = 0;
    const std::span<const Block> given(input.blocks, input.block_count);
    check_blocks(given);
    if (on_host) require_host_memory(given);
    memory_.look_through(given);
    Input blocks;
    blocks.blocks = input.blocks;
    blocks.block_count = input.block_count;
    const std::vector<std::size_t> before = begin_;
    lay_out_blocks(blocks, begin_);
    if (begin_ != before) ++numbers_;
    lay_out_guards(blocks, guard_begin_);
    given_.resize(input.block_count);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t b = 0; b < input.block_count; ++b) std::memcpy(given_.data() + b, input.blocks + b, sizeof(Block));
    known_ = blocks;
    known_.blocks = nullptr;
    known_.blocks_version = ++versions_, known_.numbers_version = numbers_;
}

}  // namespace gravlet
