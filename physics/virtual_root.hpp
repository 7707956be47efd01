// SPDX-License-Identifier: Apache-2.0
// What a rank tells others of itself. To all: the root of its tree (mass, centre of mass, size, delta, multipoles) and one box
// around its targets. To those whose root that box does not accept: finer boxes. A run of a space-filling curve is not a box, so
// these are those of many shorter runs.
//
// The root is as large as the box around the rank's bodies, not as its octree cube: bodies on both sides of the domain's middle
// have no smaller cube than all of it, and would be near to every rank. Where nodes may not be that large (a periodic box is cut
// into pieces) the root's parts, one a piece, are told in its place.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "physics/types.hpp"

namespace gravlet {

inline constexpr int max_virtual_root_boxes = 256;

/// A node that a rank is told of another. Of a pruned one, whoever is far enough needs no more of what is below it; one that is
/// told along with its children, or its sources, none has to accept.
struct FarNode {
    Node node;
    float moments[moment_count(max_order)];
    Bounds reach = empty_bounds();  ///< where targets are to which one of its cells is near (physics/cuboid/near_cells.hpp)
};

struct VirtualRoot {
    FarNode root;
    TargetBox box;  ///< box around all its targets
    std::int32_t has_mass, has_targets;
    std::int32_t depth;  ///< levels of nodes in its tree
    std::int32_t parts;  ///< nodes that stand for the root; 0: it stands for itself
};

/// Finer boxes of some ranks' targets: those of the k-th are boxes[k * stride] to boxes[(k + 1) * stride - 1].
struct RemoteTargets {
    const TargetBox* boxes = nullptr;
    std::size_t stride = 0;
    Distance distance{};
};

GRAVLET_HD inline bool are_apart(double lower, double upper, double other_lower, double other_upper, double period) {
    double between = 0.5 * ((lower + upper) - (other_lower + other_upper));
    if (period > 0.0) between -= period * rint(between / period);
    return fabs(between) > 0.5 * ((upper - lower) + (other_upper - other_lower));
}

/// Whether two boxes overlap, or the nearest images of them.
GRAVLET_HD inline bool overlap(const Bounds& a, const Bounds& b, const Period& period) {
    if (are_apart(a.lower.z, a.upper.z, b.lower.z, b.upper.z, period.z)) return false;
    if (period.shear == 0.0)
        return !are_apart(a.lower.x, a.upper.x, b.lower.x, b.upper.x, period.x) &&
               !are_apart(a.lower.y, a.upper.y, b.lower.y, b.upper.y, period.y);
    for (int image = -1; image <= 1; ++image) {
        const double x = image * period.x, y = image * period.shear;
        if (!are_apart(a.lower.x, a.upper.x, b.lower.x + x, b.upper.x + x, 0.0) &&
            !are_apart(a.lower.y, a.upper.y, b.lower.y + y, b.upper.y + y, period.y))
            return true;
    }
    return false;
}

/// Whether some target of the k-th rank may be where `reach` says.
GRAVLET_HD inline bool is_reached(const RemoteTargets& targets, std::size_t k, const Bounds& reach) {
    const TargetBox* const boxes = targets.boxes + k * targets.stride;
    for (std::size_t b = 0; b < targets.stride; ++b)
        if (overlap(boxes[b].box, reach, targets.distance.period)) return true;
    return false;
}

GRAVLET_HD inline bool accepts(const TargetBox& targets, const FarNode& far, const Distance& by) {
    return far.node.count > 0 || (accepts(targets, far.node, by) && !overlap(targets.box, far.reach, by.period));
}

/// Whether every target of the k-th rank accepts a node and all its images.
GRAVLET_HD inline bool accepts(const RemoteTargets& targets, std::size_t k, const Node& node) {
    const TargetBox* const boxes = targets.boxes + k * targets.stride;
    for (std::size_t b = 0; b < targets.stride; ++b)
        if (!accepts(boxes[b], node, targets.distance)) return false;
    return true;
}

}  // namespace gravlet
