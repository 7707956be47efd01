// SPDX-License-Identifier: Apache-2.0
// The rules that every walk goes by: the CPU's, the GPU's, and the tests' in double precision, which must decide as these do.
// Lengths are in solver units.
#pragma once

#include "physics/path_size.hpp"
#include "physics/types.hpp"

#include <cmath>

namespace gravlet {

/// A leaf of at most so many sources acts through them wherever a node may not act on the group's centre: they cost less than the
/// node, and are exact.
GRAVLET_HD constexpr std::uint32_t cheap_leaf(int order) { return order < 2 ? 1 : order < 4 ? 2 : 4; }

/// A cube's diagonal in sides: no source is farther from its node's centre of mass.
inline constexpr float cube_diagonal = 1.7320509f;

/// Distance nearer than which a pair's m/r^3 might overflow single precision.
inline constexpr double nearest_single_precision = 1e-12;

/// Whether a pair is at one place and nothing softens it: it is left out.
GRAVLET_HD constexpr bool at_one_place(double distance2, double softening) { return distance2 == 0.0 && softening == 0.0; }

/// Local expansions have the fifth power of 1/distance in single precision: where groups are deep in the tree, they count lengths
/// in a smaller unit than all else. That is nothing but powers of two, no result depends on it.
inline constexpr float nearest_far_node = 0x1p-38f;
/// One over the unit of lengths in a group's local expansions. Its far nodes are farther than `nearest` (at least
/// nearest_far_node), which becomes 2^-18.
GRAVLET_HD inline float far_scale(float nearest) { return nearest < 0x1p-18f ? ldexpf(1.0f, -18 - ilogbf(nearest)) : 1.0f; }

// What a backend decides in its own way, because of the frames that its single precision is relative to.

/// CPU: nodes nearer to a group than so many radii of its batch's frame do not act on its centre.
inline constexpr double cpu_far_radii = 1.0 / 16.0;
/// CPU: how many times farther than from a group as large a node must be from a batch to act on its centre. What both series may
/// err by adds up: at 1, half of the groups of a periodic mesh of 64^3 cells were walked again, each alone.
inline constexpr double cpu_batch_sides = 1.25;
/// GPU: nodes and sources nearer to a group than so many of its sides are not accepted, nor taken for well away.
inline constexpr double gpu_gap_sides = 1.0 / 16.0;
/// GPU, times 1/theta^3: a group that meets more nodes and sources is given up, and walked in subgroups.
inline constexpr double gpu_longest_lists = path_size(6144.0, 300.0);
/// Groups in a set on a GPU: consecutive ones along the curve (of 64 cells each, a cube of blocks of 8), which walks the upper
/// part of the tree for all of them.
inline constexpr std::size_t gpu_set_groups = 8;
/// GPU: how many nodes a set may leave to its groups. (Of sets measured, 99% leave at most 590 to 630/theta^2, order 2; of order
/// 4, 700.) 0: there are no sets; those of few groups would take as long as a single one does, and those of a small angle leave
/// most of the tree.
GRAVLET_HD constexpr std::uint32_t gpu_set_entries(std::size_t groups, double theta) {
    return groups < path_size<std::size_t>(12000, 8) || theta < 0.4 ? 0 : static_cast<std::uint32_t>(640.0 / (theta * theta));
}
/// Targets of a subgroup on a GPU. Where subgroups are given up in turn, or only a few groups, targets walk one by one.
GRAVLET_HD constexpr std::uint32_t gpu_subgroup(std::size_t given_up, std::uint32_t group_size) {
    constexpr std::uint32_t subgroup = 8, few_targets = path_size(4096u, 64u);
    return group_size > subgroup && given_up * group_size > few_targets ? subgroup : 1;
}

}  // namespace gravlet
