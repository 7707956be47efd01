// SPDX-License-Identifier: Apache-2.0
// The box that repeats: its sides, and in which directions it does. A sheared one (Hawley, Gammie & Balbus 1995) repeats in x
// with a displacement in y, which is periodic.
#pragma once

#include "physics/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gravlet {

struct PeriodicBox {
    std::array<double, 3> side{};
    std::array<bool, 3> periodic{};
    double shear = 0.0;  ///< displacement in y of the image one period up in x; half a period of y at most, either way

    friend bool operator==(const PeriodicBox&, const PeriodicBox&) = default;

    [[nodiscard]] int dimensions() const { return int{periodic[0]} + int{periodic[1]} + int{periodic[2]}; }
    [[nodiscard]] double shortest_period() const {
        double shortest = std::numeric_limits<double>::infinity();
        for (std::size_t d = 0; d < 3; ++d)
            if (periodic[d]) shortest = std::min(shortest, side[d]);
        return shortest;
    }
    [[nodiscard]] double longest_period() const {
        double longest = 0.0;
        for (std::size_t d = 0; d < 3; ++d)
            if (periodic[d]) longest = std::max(longest, side[d]);
        return longest;
    }
    /// Displacement of the image that is so many periods away.
    [[nodiscard]] Vector3 image(int i, int j, int k) const { return {i * side[0], j * side[1] + i * shear, k * side[2]}; }
    /// The periods, where there are any.
    [[nodiscard]] Period period() const {
        const auto along = [this](std::size_t d) { return periodic[d] ? side[d] : 0.0; };
        return {along(0), along(1), along(2), shear};
    }
};

/// A coordinate moved by periods into the box, from its corner up to, but not, its other end; as it is if it is there, and where
/// the period is 0.
GRAVLET_HD inline double in_box(double x, double corner, double period) {
    if (!(period > 0.0)) return x;
    const double moved = x - period * floor((x - corner) / period);
    return moved < corner + period ? moved : corner;  // what lies below by less than rounding
}

/// A place moved by periods into the box that begins at a corner.
GRAVLET_HD inline Vector3 in_box(Vector3 at, const Vector3& corner, const Period& period) {
    const double x = at.x;
    at.x = in_box(x, corner.x, period.x);
    if (period.shear != 0.0) at.y -= period.shear * rint((x - at.x) / period.x);
    return {at.x, in_box(at.y, corner.y, period.y), in_box(at.z, corner.z, period.z)};
}

}  // namespace gravlet
