// SPDX-License-Identifier: Apache-2.0
// One pair of a direct sum with periodic boundaries, double precision. Host and device.
#pragma once

#include "solver/direct_types.hpp"

namespace gravlet {

/// Nearer than 3e-13 of the shortest period (squared) is at the same place.
inline constexpr double same_place = 1e-25;

/// What is added up for a target: -sum m/r, and minus its gradient.
struct DirectSum {
    double potential = 0.0, x = 0.0, y = 0.0, z = 0.0;
    std::int64_t left_out = 0;

    /// To target i of those of a call; host only.
    void add_to(const DirectTargets& targets, std::size_t i) const {
        targets.potential[i] += potential;
        if (targets.acceleration[0].empty()) return;
        targets.acceleration[0][i] += x;
        targets.acceleration[1][i] += y;
        targets.acceleration[2][i] += z;
    }
};

/// (x, y, z) from target to source; `self`: they are one body, which feels its images only. `softening2`: the period's, or 0.
/// Sums are in the bodies' units.
GRAVLET_HD inline void add_periodic_pair(const DirectPeriod& period, double x, double y, double z, double softening2, double mass,
                                         bool self, DirectSum& sum) {
    const double scale = 1.0 / period.unit;
    x = nearest_image(x * scale, period.correction.period[0]);
    y = nearest_image(y * scale, period.correction.period[1]);
    z = nearest_image(z * scale, period.correction.period[2]);
    const Polynomial<double> others = ewald_correction(period.correction, -x, -y, -z, softening2 > 0.0);
    softening2 *= scale * scale;
    DirectSum pair;
    const double r2 = x * x + y * y + z * z + softening2;
    if (!self && r2 <= same_place) {
        ++sum.left_out;
    } else if (!self) {
        const double r_inverse = 1.0 / sqrt(r2), field = r_inverse * r_inverse * r_inverse;
        pair.potential = -r_inverse;
        pair.x = field * x, pair.y = field * y, pair.z = field * z;
    }
    pair.potential -= others.value;
    pair.x += others.x, pair.y += others.y, pair.z += others.z;
    const double potential_unit = mass * scale, field_unit = potential_unit * scale;
    sum.potential += potential_unit * pair.potential;
    sum.x += field_unit * pair.x, sum.y += field_unit * pair.y, sum.z += field_unit * pair.z;
}

}  // namespace gravlet
