// SPDX-License-Identifier: Apache-2.0
// What a rank tells all others of itself: the root of its tree (mass, centre of mass, size, delta, multipoles), and tight boxes
// around its targets. A run of a space-filling curve is not a box, so its boxes are those of many shorter runs.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "physics/types.hpp"

namespace gravlet {

inline constexpr int max_virtual_root_boxes = 256;

struct VirtualRootHeader {
    Node root;               ///< a pruned node: whoever is far enough needs no more of this rank
    std::int32_t box_count;  ///< 0: no targets
    std::int32_t has_mass;
    std::int32_t depth;  ///< levels of nodes in its tree
    float moments[moment_count(max_order)];
};

/// All ranks' virtual roots: boxes of rank r are boxes[r * stride] on, headers[r].box_count of them.
struct VirtualRoots {
    const VirtualRootHeader* headers = nullptr;
    const TargetBox* boxes = nullptr;
    std::size_t stride = 0;
    int ranks = 0;
    Period period{};
    double softening_margin = 0.0;  ///< open_margin()
};

/// Whether every target of a rank accepts a node and all its images.
GRAVLET_HD inline bool accepts(const VirtualRoots& roots, std::size_t rank, const Node& node) {
    const TargetBox* const boxes = roots.boxes + rank * roots.stride;
    for (std::int32_t b = 0; b < roots.headers[rank].box_count; ++b)
        if (!accepts(boxes[b], node, roots.period, roots.softening_margin)) return false;
    return true;
}

/// Whether `from` must send more than its root to `to`: decided alike on both.
GRAVLET_HD inline bool sends(const VirtualRoots& roots, std::size_t from, std::size_t to) {
    return from != to && roots.headers[from].has_mass != 0 && roots.headers[to].box_count > 0 &&
           !accepts(roots, to, roots.headers[from].root);
}

}  // namespace gravlet
