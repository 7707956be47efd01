// SPDX-License-Identifier: Apache-2.0
#include "tools/models/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gravlet {

RelativeState kepler_orbit(double mass, double eccentricity, double pericentre, double separation) {
    const double across = std::sqrt(mass * pericentre * (1.0 + eccentricity)) / separation;
    // v_r^2 = mass (separation - pericentre) (apocentre - separation)/(a separation^2), in a form that holds for any
    // eccentricity.
    const double rest = (1.0 + eccentricity) * pericentre - (1.0 - eccentricity) * separation;
    const double inwards = std::sqrt(std::max(0.0, mass * (separation - pericentre) * rest / pericentre)) / separation;
    return {{separation, 0.0, 0.0}, {-inwards, across, 0.0}};
}

double apocentre(double eccentricity, double pericentre) {
    if (eccentricity >= 1.0) return std::numeric_limits<double>::infinity();
    return pericentre * (1.0 + eccentricity) / (1.0 - eccentricity);
}

}  // namespace gravlet
