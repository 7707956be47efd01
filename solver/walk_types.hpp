// SPDX-License-Identifier: Apache-2.0
// What every backend's walk is given and gives back.
#pragma once

#include "solver/bodies.hpp"

#include <gravlet/options.hpp>

#include <algorithm>

namespace gravlet {

inline constexpr std::uint32_t no_target = 0xffffffffu;

struct InteractionCounts {
    std::uint64_t node = 0, cell = 0, coincident = 0;
    /// A cell (sorted index) at distance zero from a remote source: two equal cells, unless that one is a point.
    std::uint32_t coincident_target = no_target;

    void add(const InteractionCounts& other) {
        node += other.node;
        cell += other.cell;
        coincident += other.coincident;
        coincident_target = std::min(coincident_target, other.coincident_target);
    }
};

/// The targets, and where their sums go. Backend memory.
struct WalkTargets {
    const Source* bodies = nullptr;
    std::size_t count = 0;
    const Group* groups = nullptr;
    std::size_t group_count = 0;
    int group_size = 0;
    bool points = false;    ///< some target or source, on any rank, is a point
    bool softened = false;  ///< and points are softened
    double* potential = nullptr;
    double* field[3] = {};  ///< null if no acceleration is wanted
};

template <class Exec>
WalkTargets walk_targets(Bodies<Exec>& b, const Frame& frame, const Options& options) {
    WalkTargets targets;
    targets.bodies = b.bodies.data();
    targets.count = b.count;
    targets.groups = b.groups.data();
    targets.group_count = b.groups.size();
    targets.group_size = options.group_size;
    targets.points = frame.points;
    targets.softened = frame.softening > 0.0;
    targets.potential = b.potential.data();
    for (int axis = 0; axis < 3 && frame.acceleration; ++axis) targets.field[axis] = b.field[axis].data();
    return targets;
}

}  // namespace gravlet
