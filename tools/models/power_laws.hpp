// SPDX-License-Identifier: Apache-2.0
// Densities that go from one power of the radius to another (Zhao 1996), and may end: beyond an edge they fall as
// r^p exp(-10 r/edge), p such that the slope goes on there (Springel & White 1999). Were they to end at once, or much faster, the
// distribution function would be negative.
#pragma once

#include <limits>

namespace gravlet {

/// The density at one radius, and the first two derivatives of its logarithm by ln r.
struct LocalDensity {
    double value, slope, bend;
};

/// The density r^-inner (1 + r^sharpness)^((inner - outer)/sharpness), r in scales; a factor gives it its mass.
struct PowerLaws {
    double inner, outer, sharpness;
    double edge = std::numeric_limits<double>::infinity();  ///< radius, in scales, from which on the density falls exponentially

    [[nodiscard]] LocalDensity at(double r) const;
    /// The radius, in scales, beyond which there is nothing that a double would notice.
    [[nodiscard]] double end() const { return edge * (1.0 + decays_ * decay_); }

private:
    static constexpr double decay_ = 0.1;  // the length of the exponential, in edges
    static constexpr double decays_ = 60.0;
};

[[nodiscard]] inline PowerLaws plummer_density() { return {.inner = 0.0, .outer = 5.0, .sharpness = 2.0}; }
[[nodiscard]] inline PowerLaws hernquist_density() { return {.inner = 1.0, .outer = 4.0, .sharpness = 1.0}; }
[[nodiscard]] inline PowerLaws nfw_density(double edge) { return {.inner = 1.0, .outer = 3.0, .sharpness = 1.0, .edge = edge}; }

}  // namespace gravlet
