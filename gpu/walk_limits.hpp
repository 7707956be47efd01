// SPDX-License-Identifier: Apache-2.0
// What the walk's stack can hold.
#pragma once

#include "solver/keys.hpp"

namespace gravlet {

inline constexpr int warp_size = 32;
/// An entry of a warp's stack is a run of siblings: their first node, in the lowest three bits their number less one, and in the
/// highest whether they are known to be in pieces of a periodic box that are walked.
inline constexpr node_index max_walk_nodes = node_index{1} << 28;
inline constexpr std::uint32_t stack_in_piece = 1u << 31;
/// A visit takes four entries from the top and adds at most 32, one level deeper. So no level ever has more than 32 entries on
/// the stack; levels are those of the curve and of the top tree over all ranks (eight to a parent: 8 for 16 M ranks).
inline constexpr int walk_stack_entries = warp_size * (key_levels + 9);

}  // namespace gravlet
