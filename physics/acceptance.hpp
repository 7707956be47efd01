// SPDX-License-Identifier: Apache-2.0
// The acceptance criterion: d > l/theta + delta (Barnes 1994), d from the node's centre of mass to a box of
// targets. A box's distance never exceeds that of the targets inside it, so what a box accepts each of its targets accepts.
//
// Heavy and large nodes are opened wider: those with more than 2^-14 of all mass, or longer than 1/32 of its extent, by the sixth
// root of the excess in mass or volume. At one opening angle a node's relative error is the same whatever its mass, so that
// heavy nodes make most of the error; they are few, and far from most targets, so opening them costs next to nothing. By mass,
// because a deeply refined mesh has heavy nodes at every depth; by size, because cells scattered over many ranks make none
// (docs/accuracy.md).
//
// Nodes with mass far from their centre are too: a filament through the corners of its cube, a clump in each of two, one body far
// from all others. How far one mass would be from the centre that had the node's quadrupole, over 0.3, is what counts as its
// size, where that is more than l; likewise by its moments of degrees 3 and 4, over 0.36. A full cube has no quadrupole; a
// sheet's or a beam's is that of a mass at 0.29 l.
#pragma once

#include "physics/multipole.hpp"
#include "physics/types.hpp"

#include <cmath>

namespace gravlet {

/// What decides how far a node must be, the same for all nodes of a solve. Solver units.
struct Opening {
    double theta;
    double total_mass;
    double extent;        ///< longest side of the bounding box of all mass
    double largest_node;  ///< larger ones are opened: one image of a periodic box would not do. 0: none are

    /// Without delta: a node at a distance d > reach(l, M, stretch) + delta is accepted. `stretch`: see stretch_of().
    [[nodiscard]] GRAVLET_HD double reach(double size, double mass, double stretch) const {
        if (largest_node > 0.0 && size > largest_node) return 1e9;
        const double heavy = mass / total_mass * 16384.0, side = size / extent * 32.0, large = side * side * side;
        const double excess = heavy > large ? heavy : large;
        const double open = size / theta * (excess > 1.0 ? cbrt(sqrt(excess)) : 1.0) * stretch;
        if (size > 1e-9) return open;
        const double strong = cbrt(1e-37 * mass);  // nearer, M/d^3 would overflow single precision
        return open > strong ? open : strong;
    }
};

GRAVLET_HD inline double outside(double position, double lower, double upper) {
    return position < lower ? lower - position : position > upper ? position - upper : 0.0;
}

/// The same for the nearest image of the position, which is less than a period away from the interval.
GRAVLET_HD inline double outside(double position, double lower, double upper, double period) {
    const double here = outside(position, lower, upper);
    if (period == 0.0) return here;
    return fmin(here, fmin(outside(position - period, lower, upper), outside(position + period, lower, upper)));
}

/// Of nothing.
GRAVLET_HD inline Bounds empty_bounds() { return {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}; }

/// The smallest box that holds both.
GRAVLET_HD inline Bounds united(const Bounds& a, const Bounds& b) {
    const auto low = [](double p, double q) { return p < q ? p : q; };
    const auto high = [](double p, double q) { return p > q ? p : q; };
    return {{low(a.lower.x, b.lower.x), low(a.lower.y, b.lower.y), low(a.lower.z, b.lower.z)},
            {high(a.upper.x, b.upper.x), high(a.upper.y, b.upper.y), high(a.upper.z, b.upper.z)}};
}

GRAVLET_HD inline TargetBox united(const TargetBox& a, const TargetBox& b) {
    return {united(a.box, b.box), larger(a.softening, b.softening)};
}

/// Square of the distance from the nearest image of (x, y, z) to a box.
GRAVLET_HD inline double distance_squared(const Bounds& box, double x, double y, double z, const Period& period) {
    const double dx = outside(x, box.lower.x, box.upper.x, period.x);
    const double dy = outside(y, box.lower.y, box.upper.y, period.y);
    const double dz = outside(z, box.lower.z, box.upper.z, period.z);
    return dx * dx + dy * dy + dz * dz;
}

/// `margin`: open_margin() (physics/softening.hpp).
GRAVLET_HD inline bool accepts(const TargetBox& targets, const Node& node, const Period& period, double margin) {
    const double softening = larger(targets.softening, static_cast<double>(node.most_softening));
    const double radius = node.open_radius + margin * softening;
    return distance_squared(targets.box, node.x, node.y, node.z, period) > radius * radius;
}

}  // namespace gravlet
