// SPDX-License-Identifier: Apache-2.0
// One pair of a direct sum with periodic boundaries, double precision. Host and device.
#pragma once

#include "solver/direct_types.hpp"

namespace gravlet {

/// What is added up for a target: -sum m/r, and minus its gradient.
struct DirectSum {
    double potential = 0.0, x = 0.0, y = 0.0, z = 0.0;
    std::int64_t left_out = 0;
};

/// Adds what softening changes of the images next to the nearest one, whose own is in the pair's sum already: far ones feel none.
GRAVLET_HD inline void add_softened_images(const DirectPeriod& period, double x, double y, double z, double softening2,
                                           double mass, DirectSum& sum) {
    const double* const p = period.correction.period;
    for (int image = 0; image < 27; ++image) {
        const int i = image % 3 - 1, j = image / 3 % 3 - 1, k = image / 9 - 1;
        if (image == 13 || (i != 0 && p[0] == 0.0) || (j != 0 && p[1] == 0.0) || (k != 0 && p[2] == 0.0)) continue;
        const double dx = x + i * p[0], dy = y + j * p[1], dz = z + k * p[2], r2 = dx * dx + dy * dy + dz * dz;
        const double hard = 1.0 / sqrt(r2), soft = 1.0 / sqrt(r2 + softening2);
        sum.potential -= mass * (soft - hard);
        const double field = mass * (soft * soft * soft - hard * hard * hard);
        sum.x += field * dx, sum.y += field * dy, sum.z += field * dz;
    }
}

/// (x, y, z) from target to source; `self`: they are one body, which feels its images only. Sums are in the bodies' units.
GRAVLET_HD inline void add_periodic_pair(const DirectPeriod& period, double x, double y, double z, double softening2, double mass,
                                         bool self, DirectSum& sum) {
    const double scale = 1.0 / period.unit;
    x = nearest_image(x * scale, period.correction.period[0]);
    y = nearest_image(y * scale, period.correction.period[1]);
    z = nearest_image(z * scale, period.correction.period[2]);
    softening2 *= scale * scale;
    DirectSum pair;
    const double r2 = x * x + y * y + z * z + softening2;
    if (!self && r2 == 0.0) {
        ++sum.left_out;
    } else if (!self) {
        const double r_inverse = 1.0 / sqrt(r2), field = r_inverse * r_inverse * r_inverse;
        pair.potential = -r_inverse;
        pair.x = field * x, pair.y = field * y, pair.z = field * z;
    }
    const Polynomial<double> others = ewald_correction(period.correction, -x, -y, -z);
    pair.potential -= others.value;
    pair.x += others.x, pair.y += others.y, pair.z += others.z;
    if (softening2 > 0.0) add_softened_images(period, x, y, z, softening2, 1.0, pair);
    const double potential_unit = mass * scale, field_unit = potential_unit * scale;
    sum.potential += potential_unit * pair.potential;
    sum.x += field_unit * pair.x, sum.y += field_unit * pair.y, sum.z += field_unit * pair.z;
}

}  // namespace gravlet
