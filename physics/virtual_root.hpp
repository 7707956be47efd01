// SPDX-License-Identifier: Apache-2.0
// What a rank tells others of itself. To all: the root of its tree (mass, centre of mass, size, delta, multipoles) and one box
// around its targets. To those whose root that box does not accept: finer boxes. A run of a space-filling curve is not a box, so
// these are those of many shorter runs.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "physics/types.hpp"

namespace gravlet {

inline constexpr int max_virtual_root_boxes = 256;

struct VirtualRoot {
    Node root;       ///< a pruned node: whoever is far enough needs no more of this rank
    TargetBox box;   ///< of all its targets
    std::int32_t has_mass, has_targets;
    std::int32_t depth;  ///< levels of nodes in its tree
    float moments[moment_count(max_order)];
};

/// How targets and nodes of different ranks are compared.
struct Distance {
    Period period{};
    double softening_margin = 0.0;  ///< open_margin()
};

/// Whether one rank may need more of another than its root: decided alike on both.
GRAVLET_HD inline bool may_need(const VirtualRoot& to, const VirtualRoot& from, const Distance& distance) {
    return from.has_mass != 0 && to.has_targets != 0 && !accepts(to.box, from.root, distance.period, distance.softening_margin);
}

/// Finer boxes of some ranks' targets: those of the k-th are boxes[k * stride] to boxes[(k + 1) * stride - 1].
struct RemoteTargets {
    const TargetBox* boxes = nullptr;
    std::size_t stride = 0;
    Distance distance{};
};

/// Whether every target of the k-th rank accepts a node and all its images.
GRAVLET_HD inline bool accepts(const RemoteTargets& targets, std::size_t k, const Node& node) {
    const TargetBox* const boxes = targets.boxes + k * targets.stride;
    for (std::size_t b = 0; b < targets.stride; ++b)
        if (!accepts(boxes[b], node, targets.distance.period, targets.distance.softening_margin)) return false;
    return true;
}

}  // namespace gravlet
