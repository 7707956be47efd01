// SPDX-License-Identifier: Apache-2.0
// One pair of a direct sum with periodic boundaries, double precision. Host and device.
#pragma once

#include "physics/close_pair.hpp"
#include "solver/direct/direct_types.hpp"

namespace gravlet {

/// What is added up for a target: its sums, with the sign of all sums (physics/multipole.inl).
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

/// From `from` to the nearest image of `to` along one direction, `period` in units of `unit`: a pair across a face of the box is
/// as exact as any.
GRAVLET_HD inline double to_nearest_image(double from, double to, double period, double unit) {
    return period > 0.0 ? separation(to, from, period * unit * rint((to - from) / (period * unit))) : to - from;
}

/// `self`: target and source are one body, which feels its images only. `softening`: the pair's. Sums are in the bodies' units.
template <class Target, class From>
GRAVLET_HD void add_periodic_pair(const DirectLaw& law, const Target& target, const From& source, double softening, bool self,
                                  DirectSum& sum) {
    const double scale = 1.0 / law.unit, mass = source.mass;
    const double x = to_nearest_image(target.x, source.x, law.correction.period[0], law.unit) * scale,
                 y = to_nearest_image(target.y, source.y, law.correction.period[1], law.unit) * scale,
                 z = to_nearest_image(target.z, source.z, law.correction.period[2], law.unit) * scale;
    const Polynomial<double> others = ewald_correction(law.correction, -x, -y, -z, softening > 0.0);
    softening *= scale;
    DirectSum pair;
    const double r2 = x * x + y * y + z * z;
    if (!self && at_one_place(r2, softening)) {
        ++sum.left_out;
    } else if (!self) {
        const PairLaw<double> at = pair_law(r2, softening, law.softening);
        pair.potential = at.potential;
        pair.x = at.field * x, pair.y = at.field * y, pair.z = at.field * z;
    }
    pair.potential += others.value;
    pair.x += others.x, pair.y += others.y, pair.z += others.z;
    const double potential_unit = mass * scale, field_unit = potential_unit * scale;
    sum.potential += potential_unit * pair.potential;
    sum.x += field_unit * pair.x, sum.y += field_unit * pair.y, sum.z += field_unit * pair.z;
}

}  // namespace gravlet
