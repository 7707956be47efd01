// SPDX-License-Identifier: Apache-2.0
// The acceptance criterion: d > l/theta + delta (Barnes 1994), d from the node's centre of mass to the nearest point of a box
// of targets. A box's distance never exceeds that of the targets inside it, so what a box accepts each of its targets accepts.
//
// Nodes larger than 1/32 of the whole mass distribution are opened wider, by sqrt(32 l / extent). At one opening angle a node's
// relative error is the same at every size, but large nodes carry more mass, so theirs is most of the error; they are few, and
// far from most targets, so opening them costs next to nothing (docs/accuracy.md).
#pragma once

#include "solver/types.hpp"

#include <cmath>

namespace gravlet {

/// What decides how far a node must be, the same for all nodes of a solve. Lengths in solver units.
struct Opening {
    double theta;
    double extent;  ///< longest side of the bounding box of all mass
    double margin;  ///< added for softening (docs/algorithm.md)

    /// Without delta: a node at a distance d > reach(l) + delta is accepted.
    [[nodiscard]] GRAVLET_HD double reach(double size) const {
        const double large = 32.0 * size / extent;
        return size / theta * (large > 1.0 ? sqrt(large) : 1.0) + margin;
    }
};

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
