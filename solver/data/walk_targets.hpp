// SPDX-License-Identifier: Apache-2.0
// A walk's targets: sorted bodies, and what a solve's options say of how they are walked for.
#pragma once

#include "physics/softening.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_types.hpp"

#include <cmath>

namespace gravlet {

/// A node acts on a group's centre if it is farther from there than its open radius and this many sides of the group. A node at
/// its open radius errs by about (theta/2)^(order + 1); a local expansion of order 4 by (side / distance)^5 at most, its gradient
/// by the fourth power, and so on: the two are made alike. Half of it would show in the largest errors of coarse meshes
/// (docs/notebook/2026-11-accuracy.md).
inline double far_sides(double theta, int order, int derivatives) {
    return std::pow(2.0 / theta, (order + 1) / (5.0 - derivatives));
}

template <class Exec>
WalkTargets walk_targets(TargetSet<Exec>& b, const Frame& frame, const Options& options) {
    WalkTargets targets;
    targets.bodies = b.bodies.data();
    targets.count = b.count;
    targets.groups = b.all_active ? b.groups.data() : b.walked.data();
    targets.group_count = b.walked_groups();
    targets.all_groups = b.groups.size();
    targets.active = b.all_active ? nullptr : b.walked_active.data();
    targets.group_size = static_cast<int>(b.group_size);
    targets.points = frame.points;
    targets.softened = frame.softening > 0.0;
    targets.softening_kernel = frame.softening_kernel;
    targets.theta = options.theta;
    targets.extents = opening_of(options, frame).extents();
    targets.far_sides = far_sides(options.theta, options.order, frame.derivatives);
    targets.series_limits = series_limits(options.theta, options.order);
    targets.far_margin = far_margin(frame.softening_kernel, targets.series_limits.potential);
    targets.derivatives = frame.derivatives;
    targets.sums = b.sum_arrays();
    return targets;
}

}  // namespace gravlet
