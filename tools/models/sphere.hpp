// SPDX-License-Identifier: Apache-2.0
// Spherical mass: what lies within a radius, and the potential of all that there is. G = 1.
#pragma once

#include "tools/models/power_laws.hpp"
#include "tools/models/radial_table.hpp"

#include <cmath>
#include <limits>
#include <span>

namespace gravlet {

/// The grid of a model around scales of about 1: from far inside to where nothing of an infinite one is missed, with a radius at
/// the edge if there is one.
[[nodiscard]] RadialGrid model_grid(double edge = std::numeric_limits<double>::infinity());

/// One spherical component of a model: a density of some mass and scale, and its mass within each radius of a grid.
class Sphere {
public:
    Sphere(const PowerLaws& density, double mass, double scale, RadialGrid grid);

    [[nodiscard]] LocalDensity density(double radius) const;
    [[nodiscard]] const RadialTable& mass() const { return mass_; }
    /// The radius that nothing of it lies beyond.
    [[nodiscard]] double end() const { return scale_ * law_.end(); }

private:
    PowerLaws law_;
    double scale_, factor_ = 1.0;
    RadialTable mass_;
};

/// The field of masses within radii of one grid.
struct SphericalField {
    RadialTable log_mass;  ///< ln of all the mass within a radius: near a power of the radius, and so exact in a core
    RadialTable depth;     ///< the potential with the other sign: 0 at infinity, positive within

    [[nodiscard]] double mass(double radius) const { return std::exp(log_mass(radius)); }

    [[nodiscard]] static SphericalField of(std::span<const RadialTable> masses);
};

}  // namespace gravlet
