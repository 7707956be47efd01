// SPDX-License-Identifier: Apache-2.0
// The box that repeats: its sides, and in which directions it does.
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
};

/// A coordinate moved by periods into the box, from its corner up to, but not, its other end; as it is if it is there, and where
/// the period is 0.
GRAVLET_HD inline double in_box(double x, double corner, double period) {
    if (!(period > 0.0)) return x;
    const double moved = x - period * floor((x - corner) / period);
    return moved < corner + period ? moved : corner;  // what lies below by less than rounding
}

}  // namespace gravlet
