// SPDX-License-Identifier: Apache-2.0
// The walk once more: on the host, in double precision, a node at a time, over the tree that a backend made. What is left between
// the two is rounding.
#pragma once

#include "tests/backend/host_tree.hpp"

namespace gravlet::test {

/// All that a backend's walk may decide in its own way.
struct Rules {
    std::size_t frame_groups;  ///< consecutive groups that share a frame of single precision
    double far;                ///< nodes nearer to a group than so many radii of its frame do not act on its centre
    double gap;                ///< nor do those nearer than so many sides of the group act on its targets
    double longest_lists;      ///< times 1/theta^3: a group that meets more nodes and sources is walked in subgroups
    std::size_t set_groups;    ///< consecutive groups for which the upper part of the tree is walked at once
    std::size_t set_entries;   ///< unless that leaves more nodes to them; 0: it is not
};

struct DoubleSums {
    std::vector<double> potential;
    std::vector<Vector3> field;
    /// Targets whose group met a node so near to a threshold that single precision may decide otherwise.
    std::vector<bool> doubtful;
    InteractionCounts counts;
    std::size_t split_groups = 0;
};

/// `order` is 0, 2, 3 or 4.
DoubleSums double_walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules);

}  // namespace gravlet::test
