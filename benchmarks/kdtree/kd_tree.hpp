// SPDX-License-Identifier: Apache-2.0
// A kd-tree by volume and mass (Kofler, Steinhauser, Cosenza, Grasso, Schindler & Fahringer): the longest side of a node's tight
// box is cut in two, in the middle where there are many sources, else where the sum of both sides' volume times mass is least.
// Three such cuts on top of each other make the up to eight children of one node, so that the octree's walk takes the tree.
#pragma once

#include "cpu/cpu.hpp"
#include "solver/tree/build.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gravlet::bench {

/// Nodes of at least this many sources are cut in the middle: trying each source would cost too much. The paper's number.
inline constexpr std::uint32_t large_node = 256;

/// Local. Fills in the nodes and levels of `tree`, as build_tree() does: structure only, children contiguous and level by level.
/// Returns the order: source k of the tree is sources[order[k]]. Leaves have at most leaf_size (1 or more) sources, or sources of
/// one place.
[[nodiscard]] std::vector<std::uint32_t> build_kd_tree(std::span<const Source> sources, std::uint32_t leaf_size, Tree<Cpu>& tree);

}  // namespace gravlet::bench
