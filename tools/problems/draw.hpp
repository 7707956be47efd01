// SPDX-License-Identifier: Apache-2.0
// Places drawn from distributions by numbers between 0 and 1, for the command's problems and the benchmark's.
#pragma once

#include "physics/types.hpp"
#include "tools/problems/analytic.hpp"

#include <cmath>
#include <numbers>

namespace gravlet {

/// The point at this radius in the direction that two numbers from 0 to 1 give.
[[nodiscard]] inline Array3 on_sphere(double radius, double for_height, double for_angle) {
    const double z = 2.0 * for_height - 1.0, angle = 2.0 * std::numbers::pi * for_angle;
    const double across = radius * std::sqrt(1.0 - z * z);
    return {across * std::cos(angle), across * std::sin(angle), radius * z};
}

/// Where a growing function has a value; from 0 to `most`.
template <class F>
[[nodiscard]] double where(double value, double most, F function) {
    double low = 0.0, high = most;
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (function(middle) < value ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// The radius of a Plummer sphere of scale 1 within which a share of its mass lies: M(r) = r^3 / (r^2 + 1)^(3/2), solved for r.
[[nodiscard]] inline double plummer_radius(double mass) { return 1.0 / std::sqrt(std::pow(mass, -2.0 / 3.0) - 1.0); }

/// The radius of a Hernquist sphere of scale 1 within which a share of its mass lies: M(r) = r^2 / (r + 1)^2, solved for r.
[[nodiscard]] inline double hernquist_radius(double mass) {
    const double root = std::sqrt(mass);
    return root / (1.0 - root);
}

/// The radius of an NFW sphere of scale 1, ending at the concentration, within which a share of its mass lies.
[[nodiscard]] inline double nfw_radius(double mass, double concentration) {
    const double all = NfwSphere::scaled_mass(concentration);
    return where(mass * all, concentration, [](double x) { return NfwSphere::scaled_mass(x); });
}

/// The radius of an exponential disc of scale 1 within which a share of its mass lies: M(R) = 1 - (1 + R) exp(-R).
[[nodiscard]] inline double disc_radius(double mass) {
    return where(mass, 50.0, [](double r) { return 1.0 - (1.0 + r) * std::exp(-r); });
}

/// A galaxy: a share of the mass in an exponential disc of scale 1 and density sech^2(z/height), the rest in an NFW sphere.
struct DiscInHalo {
    double disc_mass = 0.2, height = 0.1, halo_scale = 5.0, concentration = 10.0;

    /// u(0) to u(3): the numbers.
    template <class U>
    [[nodiscard]] Array3 draw(U u) const {
        if (u(3) >= disc_mass) return on_sphere(halo_scale * nfw_radius(u(2), concentration), u(0), u(1));
        const double r = disc_radius(u(2)), angle = 2.0 * std::numbers::pi * u(1);
        return {r * std::cos(angle), r * std::sin(angle), height * std::atanh(2.0 * u(0) - 1.0)};
    }
};

}  // namespace gravlet
