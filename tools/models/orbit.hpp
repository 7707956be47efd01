// SPDX-License-Identifier: Apache-2.0
// Two point masses on a Kepler orbit. G = 1.
#pragma once

#include "physics/types.hpp"

namespace gravlet {

/// Position and velocity of the second mass as seen from the first: on the x axis, the orbit in the plane z = 0, turning from x
/// to y.
struct RelativeState {
    Array3 position, velocity;
};

/// The orbit's least distance and its eccentricity, and how far apart the masses (`mass` both together) are now, on their way in.
/// The separation must be one that the orbit has.
[[nodiscard]] RelativeState kepler_orbit(double mass, double eccentricity, double pericentre, double separation);

/// The greatest distance; infinite for eccentricities of 1 and more.
[[nodiscard]] double apocentre(double eccentricity, double pericentre);

}  // namespace gravlet
