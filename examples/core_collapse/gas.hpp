// SPDX-License-Identifier: Apache-2.0
// The gas: isothermal, and stiffer beyond a critical density, where it no longer cools.
#pragma once

#include "block.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace core_collapse {

constexpr double G = 1.0;

struct Medium {
    double sound = 1.0;  ///< the speed in thin gas
    double critical_density = std::numeric_limits<double>::infinity();
    double least_density = 0.0;  ///< what a cell has at least; see flow()

    [[nodiscard]] double stiffness(double density) const {
        return density < 1e-6 * critical_density ? 0.0 : std::pow(density / critical_density, 2.0 / 3.0);
    }
    [[nodiscard]] double pressure(double density) const { return sound * sound * density * (1.0 + stiffness(density)); }
    [[nodiscard]] double sound_squared(double density) const { return sound * sound * (1.0 + 5.0 / 3.0 * stiffness(density)); }
    [[nodiscard]] double jeans_length(double density) const {
        return std::sqrt(std::numbers::pi * sound_squared(density) / (G * density));
    }
    /// The density whose Jeans length this is.
    [[nodiscard]] double density_of(double jeans) const {
        double low = std::numbers::pi * sound * sound / (G * jeans * jeans), high = low;
        while (jeans_length(high) > jeans) high *= 2.0;
        for (int i = 0; i < 60; ++i) (jeans_length(std::sqrt(low * high)) > jeans ? low : high) = std::sqrt(low * high);
        return low;
    }
};

/// Flux along an axis between two sides' densities and velocities: Harten, Lax & van Leer (1983) with the outermost speeds, and
/// what is carried along comes from where the mass comes from.
inline Gas flux(const Gas& left, const Gas& right, std::size_t axis, const Medium& medium) {
    const double u = left[axis + 1], v = right[axis + 1];
    const double c = std::sqrt(medium.sound_squared(left[0])), d = std::sqrt(medium.sound_squared(right[0]));
    const double slow = std::min({u - c, v - d, 0.0}), fast = std::max({u + c, v + d, 0.0});
    const auto mix = [&](double q, double flux_q, double r, double flux_r) {
        return (fast * flux_q - slow * flux_r + slow * fast * (r - q)) / (fast - slow);
    };
    const double a = left[0] * u, b = right[0] * v;
    const double mass = mix(left[0], a, right[0], b);
    Gas out;
    for (std::size_t f = 1; f < 4; ++f) out[f] = mass * (mass > 0.0 ? left[f] : right[f]);
    out[0] = mass;
    out[axis + 1] = mix(a, a * u + medium.pressure(left[0]), b, b * v + medium.pressure(right[0]));
    return out;
}

}  // namespace core_collapse
