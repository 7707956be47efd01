// SPDX-License-Identifier: Apache-2.0
// The acceptance criteria. The first: d > l/theta + delta (Barnes 1994), d from the node's centre of mass to a box of
// targets. A box's distance never exceeds that of the targets inside it, so what a box accepts each of its targets accepts.
//
// Heavy and large nodes are opened wider: those with more than 2^-14 of all mass, or longer than 1/32 of its extent, by the sixth
// root of the excess in mass or volume. At one opening angle a node's relative error is the same whatever its mass, so that
// heavy nodes make most of the error; they are few, and far from most targets, so opening them costs next to nothing. By mass,
// because a deeply refined mesh has heavy nodes at every depth; by size, because cells scattered over many ranks make none
// (docs/notebook/2026-11-accuracy.md).
//
// So are nodes that make much of what pulls at their place (solver/criterion/widen.hpp): a piece of a filament to the next piece,
// a cusp to what is around it. There what a node errs by shows; in an even medium all that is around hides it.
//
// Nodes with mass far from their centre are too: a filament through the corners of its cube, a clump in each of two, one body far
// from all others. How far one mass would be from the centre that had the node's quadrupole, over 0.3, is what counts as its
// size, where that is more than l; likewise by its moments of degrees 3 and 4, over 0.36. A full cube has no quadrupole; a
// sheet's or a beam's is that of a mass at 0.29 l.
//
// The others (Options::criterion) hold what a node errs by against what acts on the targets: d > b + R f, with its extent b, R of
// the node's mass and size or second moment (Springel 2005; Salmon & Warren 1994), and f of the targets.
#pragma once

#include "physics/error_bound.hpp"
#include "physics/multipole.hpp"
#include "physics/types.hpp"

#include <gravlet/options.hpp>

#include <cmath>

namespace gravlet {

/// What pulls near a node on its account, about.
GRAVLET_HD inline float pull_of(const Node& node) { return node.mass / (node.size * node.size); }

/// What decides how far a node must be, the same for all nodes of a solve. Solver units.
struct Opening {
    double theta;
    double total_mass;
    double extent;        ///< longest side of the bounding box of all mass
    double largest_node;  ///< nodes larger than this are opened: one image of a periodic box would not do. 0: none are
    Criterion criterion = Criterion::opening;
    double alpha = 0.0;
    int degree = 0;       ///< degree of the first moments that are left out
    bool field = false;   ///< whether errors are held against the field, not the potential
    float around = 0.0f;  ///< what pulls the root, about, that is not in the tree

    friend bool operator==(const Opening&, const Opening&) = default;

    /// Node::open_radius.
    [[nodiscard]] GRAVLET_HD double radius(const NodeMeasures& node) const {
        if (criterion == Criterion::opening) return reach(node.size, node.mass, node.stretch) + node.delta;
        if (largest_node > 0.0 && node.size > largest_node) return 1e9 / least_factor;
        return with_error_bound(criterion, [&](auto bound) {
            const double l = bound.length(node);
            double moment = bound.second_moment(node);  // at most, that of `degree`
            for (int n = 2; n < degree; ++n) moment *= l;
            return fmax(pow(moment, exponent()), node.size > 1e-9 ? 0.0 : strong(node.mass) / least_factor);
        });
    }

    /// Factor by which nodes' open radii count for targets in such a potential, or field.
    [[nodiscard]] GRAVLET_HD float factor(double scale) const {
        return static_cast<float>(fmin(fmax(pow(alpha * scale, -exponent()), least_factor), most_factor));
    }
    /// Factor by which nodes' extents count for targets.
    [[nodiscard]] GRAVLET_HD float extents() const { return criterion == Criterion::opening ? 0.0f : 1.0f; }

    /// Factor by which the open radius grows of a node that makes such a share of what pulls at its place.
    [[nodiscard]] GRAVLET_HD float widening(const Node& node, float share) const {
        const float power = static_cast<float>(degree), least_share = 0.012f * power;
        if (criterion != Criterion::opening || share <= least_share) return 1.0f;
        return fmaxf(powf(share / least_share, 1.0f / power) / static_cast<float>(weight(node.size, node.mass)), 1.0f);
    }

private:
    static constexpr double least_factor = 0x1p-20, most_factor = 0x1p40;  // of a body on which nothing acts
    [[nodiscard]] GRAVLET_HD double exponent() const { return 1.0 / (degree + (field ? 2 : 1)); }
    /// Distance from a mass nearer than which M/d^3 would overflow single precision.
    [[nodiscard]] GRAVLET_HD static double strong(double mass) { return cbrt(1e-37 * mass); }

    /// Factor by which heavy and large nodes are opened wider.
    [[nodiscard]] GRAVLET_HD double weight(double size, double mass) const {
        const double heavy = mass / total_mass * 16384.0, side = size / extent * 32.0, large = side * side * side;
        const double excess = heavy > large ? heavy : large;
        return excess > 1.0 ? cbrt(sqrt(excess)) : 1.0;
    }
    /// Open radius without delta: a node at a distance d > reach(l, M, stretch) + delta is accepted.
    [[nodiscard]] GRAVLET_HD double reach(double size, double mass, double stretch) const {
        if (largest_node > 0.0 && size > largest_node) return 1e9;
        const double open = size / theta * weight(size, mass) * stretch;
        if (size > 1e-9) return open;
        const double least = strong(mass);
        return open > least ? open : least;
    }
};

/// Sides a step of Node::extent.
inline constexpr float extent_step = 0x1p-13f;

/// How far from its centre of mass a node's sources are, at most.
GRAVLET_HD inline float extent_of(const Node& node) { return static_cast<float>(node.extent) * (extent_step * node.size); }
GRAVLET_HD inline double extent_of(const Source&) { return 0.0; }

GRAVLET_HD inline void set_extent(Node& node, double extent) {
    const double steps = ceil(extent / (extent_step * static_cast<double>(node.size)));
    node.extent = (steps < 32767.0 ? static_cast<unsigned>(steps) : 32767u) & 32767u;
}

/// How much of a node's extent is kept between it and targets, for a criterion's `extents`.
GRAVLET_HD inline float kept_away(const Node& node, float extents) { return extents > 0.0f ? extents * extent_of(node) : 0.0f; }

/// The one rule of how near a node may be to act on targets, but for softening: those nearer than this open it. `factor`, the
/// targets', is 1 with the criterion opening, and not read then.
GRAVLET_HD inline float open_distance(const Node& node, const float& factor, float extents) {
    return extents > 0.0f ? node.open_radius * factor + extents * extent_of(node) : node.open_radius;
}

GRAVLET_HD inline double outside(double position, double lower, double upper) {
    return position < lower ? lower - position : position > upper ? position - upper : 0.0;
}

/// Distance of the nearest image of a position from an interval: outside() for the image, which is less than a period away from
/// the interval.
GRAVLET_HD inline double outside(double position, double lower, double upper, double period) {
    const double here = outside(position, lower, upper);
    if (period == 0.0) return here;
    return fmin(here, fmin(outside(position - period, lower, upper), outside(position + period, lower, upper)));
}

/// Bounds of nothing.
GRAVLET_HD inline Bounds empty_bounds() { return {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}; }

/// The smallest box that holds both.
GRAVLET_HD inline Bounds united(const Bounds& a, const Bounds& b) {
    const auto low = [](double p, double q) { return p < q ? p : q; };
    const auto high = [](double p, double q) { return p > q ? p : q; };
    return {{low(a.lower.x, b.lower.x), low(a.lower.y, b.lower.y), low(a.lower.z, b.lower.z)},
            {high(a.upper.x, b.upper.x), high(a.upper.y, b.upper.y), high(a.upper.z, b.upper.z)}};
}

/// The box around all lanes' boxes.
template <class Team>
GRAVLET_HD Bounds united_of(const Team& team, const Bounds& own) {
    return {{team.least(own.lower.x), team.least(own.lower.y), team.least(own.lower.z)},
            {team.most(own.upper.x), team.most(own.upper.y), team.most(own.upper.z)}};
}

GRAVLET_HD inline TargetBox united(const TargetBox& a, const TargetBox& b) {
    return {united(a.box, b.box), larger(a.softening, b.softening), larger(a.factor, b.factor)};
}

/// Distance along y, for an image that is displaced by any length.
GRAVLET_HD inline double outside_displaced(double position, double lower, double upper, double period) {
    const double from_middle = position - 0.5 * (lower + upper);
    return outside(position - period * rint(from_middle / period), lower, upper, period);
}

/// Square of the distance from the nearest image of (x, y, z) to a box.
GRAVLET_HD inline double distance_squared(const Bounds& box, double x, double y, double z, const Period& period) {
    const double dz = outside(z, box.lower.z, box.upper.z, period.z);
    if (period.shear == 0.0) {
        const double dx = outside(x, box.lower.x, box.upper.x, period.x);
        const double dy = outside(y, box.lower.y, box.upper.y, period.y);
        return dx * dx + dy * dy + dz * dz;
    }
    double least = 1e300;
    for (int image = -1; image <= 1; ++image) {
        const double dx = outside(x + image * period.x, box.lower.x, box.upper.x);
        const double dy = outside_displaced(y + image * period.shear, box.lower.y, box.upper.y, period.y);
        least = fmin(least, dx * dx + dy * dy);
    }
    return least + dz * dz;
}

/// A displacement between two places, to the nearest image of the second, or, in a sheared box, one no farther than half a period
/// in each direction.
GRAVLET_HD inline Vector3 to_nearest(Vector3 by, const Period& period) {
    const auto periods = [](double along, double length) { return length > 0.0 ? rint(along / length) : 0.0; };
    const double i = periods(by.x, period.x);
    by.x -= i * period.x;
    by.y -= i * period.shear;
    by.y -= period.y * periods(by.y, period.y);
    by.z -= period.z * periods(by.z, period.z);
    return by;
}

/// How targets and nodes are compared.
struct Distance {
    Period period{};
    double softening_margin = 0.0;  ///< open_margin() (physics/softening.hpp)
    float extents = 0.0f;           ///< the criterion's
};

GRAVLET_HD inline bool accepts(const TargetBox& targets, const Node& node, const Distance& by) {
    const double softening = larger(targets.softening, static_cast<double>(node.most_softening));
    const double radius = open_distance(node, static_cast<float>(targets.factor), by.extents) + by.softening_margin * softening;
    return distance_squared(targets.box, node.x, node.y, node.z, by.period) > radius * radius;
}

}  // namespace gravlet
