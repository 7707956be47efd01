// SPDX-License-Identifier: Apache-2.0
// The sizes of a walk's blocks, stacks and sets.
#pragma once

#include "physics/path_size.hpp"
#include "physics/types.hpp"

namespace gravlet {

inline constexpr int warp_size = 32;
inline constexpr int warps_per_block = 4;
/// An entry of a warp's stack is a run of siblings: their first node, in the lowest three bits their number less one, and in the
/// highest whether they are known to be in pieces of a periodic box that are walked.
inline constexpr node_index max_walk_nodes = node_index{1} << 28;
inline constexpr std::uint32_t stack_in_piece = 1u << 31;
inline constexpr int local_terms = 25;  ///< terms of a local expansion: those with c <= 1
/// What sets leave to their groups is kept for so many at a time.
inline constexpr std::size_t sets_at_once = path_size(8192, 4);
/// SetStart::entries, where groups begin at the root.
inline constexpr std::uint32_t no_set = ~0u;
/// A visit takes four entries from the top and adds at most 32, one level deeper: 28 more for each level of the tree.
GRAVLET_HD constexpr int walk_stack_entries(const TreeView& tree) { return warp_size * tree.depth; }

}  // namespace gravlet
