// SPDX-License-Identifier: Apache-2.0
// The box that repeats: its sides, and in which directions it does.
#pragma once

#include <gravlet/options.hpp>

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

/// The box of a periodic solve, in the caller's unit.
inline PeriodicBox domain_box(const Options& options) {
    PeriodicBox box;
    for (std::size_t d = 0; d < 3; ++d) {
        box.side[d] = options.domain->upper[d] - options.domain->lower[d];
        box.periodic[d] = options.boundary[d] == Boundary::periodic;
    }
    return box;
}

inline bool is_periodic_everywhere(const Options& options) {
    return std::ranges::all_of(options.boundary, [](Boundary b) { return b == Boundary::periodic; });
}

/// The domain's box in units of its shortest period.
inline PeriodicBox periodic_box(const Options& options) {
    PeriodicBox box = domain_box(options);
    const double unit = box.shortest_period();
    for (double& side : box.side) side /= unit;
    return box;
}

/// Softening lengths are at most so much of each period.
inline constexpr double longest_softening_in_periods = 0.1;

/// What softens images that are far away: beyond its support the spline is none.
inline double image_softening(SofteningKernel kernel, double softening) {
    return kernel == SofteningKernel::plummer ? softening : 0.0;
}

/// Whether every pair is with the nearest image and a correction from the Ewald table.
[[nodiscard]] inline bool is_by_table(const Options& options) {
    return is_periodic(options) && options.periodic_method == PeriodicMethod::table;
}

}  // namespace gravlet
