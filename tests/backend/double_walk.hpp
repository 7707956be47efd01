// SPDX-License-Identifier: Apache-2.0
// The walk once more: on the host, in double precision, a node at a time, over the tree that a backend made. What is left between
// the two is rounding. Of the library it takes the data alone: which node has which children and sources, and how near it may be
// (tests/backend/test_radii.cpp). What a node does it finds from the bodies below it (tests/backend/taylor.hpp), and whom it may
// do that to by the rules of docs/algorithm.md, written once more.
#pragma once

#include "tests/backend/host_tree.hpp"
#include "tests/backend/taylor.hpp"

namespace gravlet::test {

/// All that a backend's walk may decide in its own way.
struct Rules {
    std::size_t frame_groups;  ///< consecutive groups that share a frame of single precision
    double far;                ///< nodes nearer to a group than so many radii of its frame do not act on its centre
    double gap;                ///< nor do those nearer than so many sides of the group act on its targets
    double longest_lists;      ///< times 1/theta^3: a group that meets more nodes and sources is walked in subgroups
    std::size_t set_groups;    ///< consecutive groups for which the upper part of the tree is walked at once
    std::size_t set_entries;   ///< unless that leaves more nodes to them; 0: it is not
    double set_sides;          ///< how many times farther than from a group nodes must be from a set to be far from it
    bool set_asks_groups;      ///< a set opens what each of its groups would open, and not what is near the box that all hold
    /// How long subgroups are, of so many groups that were given up and of groups so long.
    std::uint32_t (*subgroup)(std::size_t given_up, std::uint32_t length);
};

struct DoubleSums {
    std::vector<Sums> of;  ///< of each target
    /// Targets whose group met a node so near to a threshold that single precision may decide otherwise.
    std::vector<bool> doubtful;
    InteractionCounts counts;
    std::size_t split_groups = 0;
};

/// `order` is one of `orders`. `elsewhere`: the bodies below nodes that their rank has pruned.
DoubleSums double_walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules,
                       const std::vector<Source>& elsewhere);

}  // namespace gravlet::test
