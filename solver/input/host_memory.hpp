// SPDX-License-Identifier: Apache-2.0
// Whether the CPU can read what the caller passes: an address in a device's memory, or in none, is an error and not a crash.
// Looks at the ends of each array, and of blocks' arrays at those of the first and the last block: a few microseconds a solve;
// when descriptions change, also at those of blocks that are unlike the one before.
#pragma once

#include "solver/input/input.hpp"

#include <cstddef>
#include <span>

namespace gravlet {

/// Whether both ends are readable of an array of `count` elements of `size` bytes, found by numbers: what is said of an array may
/// reach beyond all memory, where pointers have no arithmetic. True without elements, or where the system cannot tell.
[[nodiscard]] bool is_readable(const void* array, std::size_t count, std::size_t size);

/// Local. Throws Error(invalid_input) if the blocks' descriptions are not in memory that the CPU can read.
void require_readable_blocks(const Input& input);

/// Local. Throws Error(invalid_input) that names the first array that is not in host memory, of blocks that reach otherwise than
/// the one before. Their strides are good.
void require_host_memory(std::span<const Block> blocks);

/// Local. Throws Error(invalid_input) that names the first array that is not in host memory. The shapes of `input` are checked
/// already.
void require_host_memory(const Input& input);

/// Local. Throws Error(invalid_input) that names the first flags that are not in host memory, where they are whatever solves.
void require_flags_in_host_memory(const Input& input);

}  // namespace gravlet
