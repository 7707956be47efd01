// SPDX-License-Identifier: Apache-2.0
// The acceptance criterion: d > l/theta + delta (Barnes 1994), d from the node's centre of mass to the nearest point of a box
// of targets. A box's distance never exceeds that of the targets inside it, so what a box accepts each of its targets accepts.
#pragma once

#include "solver/types.hpp"

namespace gravlet {

GRAVLET_HD inline double outside(double position, double lower, double upper) {
    return position < lower ? lower - position : position > upper ? position - upper : 0.0;
}

/// The smallest box that holds both.
GRAVLET_HD inline Bounds united(const Bounds& a, const Bounds& b) {
    const auto low = [](double p, double q) { return p < q ? p : q; };
    const auto high = [](double p, double q) { return p > q ? p : q; };
    return {{low(a.lower.x, b.lower.x), low(a.lower.y, b.lower.y), low(a.lower.z, b.lower.z)},
            {high(a.upper.x, b.upper.x), high(a.upper.y, b.upper.y), high(a.upper.z, b.upper.z)}};
}

/// Square of the distance from a point to the nearest point of a box.
GRAVLET_HD inline double distance_squared(const Bounds& box, double x, double y, double z) {
    const double dx = outside(x, box.lower.x, box.upper.x);
    const double dy = outside(y, box.lower.y, box.upper.y);
    const double dz = outside(z, box.lower.z, box.upper.z);
    return dx * dx + dy * dy + dz * dz;
}

GRAVLET_HD inline bool accepts(const Bounds& box, const Node& node) {
    const double radius = node.open_radius;
    return distance_squared(box, node.x, node.y, node.z) > radius * radius;
}

}  // namespace gravlet
