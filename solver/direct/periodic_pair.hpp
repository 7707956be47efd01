// SPDX-License-Identifier: Apache-2.0
// One pair of a direct sum with periodic boundaries, double precision. Host and device.
#pragma once

#include "physics/close_pair.hpp"
#include "solver/direct/direct_types.hpp"

namespace gravlet {

/// What is added up for a target: its sums, with the sign of all sums (physics/multipole.inl).
template <int D>
struct DirectSum {
    Jet<double, D> of{};
    std::int64_t left_out = 0;

    /// Adds these sums to target i of those of a call, as far as it wants them; host only.
    void add_to(const DirectTargets& targets, std::size_t i) const {
        for (std::size_t k = 0; k < component_count(D); ++k)
            if (!targets.sums[k].empty()) targets.sums[k][i] += of.term[k];
    }

    /// Adds a jet in lengths of 1/scale.
    GRAVLET_HD void add(const Jet<double, D>& from, double mass, double scale) {
        double unit = mass;
        for (int d = 0; d <= D; ++d) {
            unit *= scale;
            for (std::size_t k = first_component(d); k < component_count(d); ++k) of.term[k] += unit * from.term[k];
        }
    }
};

/// Displacement from `from` to the nearest image of `to`, in units of the shortest period: a pair across a face of the box is as
/// exact as any. In a sheared box that image may be nearer which is half a period away at most in each direction.
template <class From, class To>
GRAVLET_HD Vector3 to_nearest_image(const DirectLaw& law, const From& from, const To& to) {
    const double(&period)[3] = law.correction.period;
    const auto periods = [&](double along, int d) { return period[d] > 0.0 ? rint(along / (period[d] * law.unit)) : 0.0; };
    const auto between = [&](double a, double b, int d, double shift) {
        return period[d] > 0.0 ? separation(b, a, shift) : b - a;
    };
    const double i = periods(to.x - from.x, 0), displaced = i * (law.correction.shear * law.unit),
                 j = periods(to.y - from.y - displaced, 1), k = periods(to.z - from.z, 2), scale = 1.0 / law.unit;
    return {between(from.x, to.x, 0, period[0] * law.unit * i) * scale,
            between(from.y, to.y, 1, period[1] * law.unit * j + displaced) * scale,
            between(from.z, to.z, 2, period[2] * law.unit * k) * scale};
}

/// `self`: target and source are one body, which feels its images only. `softening`: the pair's. Sums are in the bodies' units.
/// Called: see ewald_correction().
template <bool Called = false, class Target, class From, int D>
GRAVLET_HD void add_periodic_pair(const DirectLaw& law, const Target& target, const From& source, double softening, bool self,
                                  DirectSum<D>& sum) {
    const double scale = 1.0 / law.unit;
    const auto [x, y, z] = to_nearest_image(law, target, source);
    const Jet<double, D> others = ewald_correction<D, Called>(law.correction, -x, -y, -z, softening > 0.0);
    softening *= scale;
    Jet<double, D> pair{};
    const double r2 = x * x + y * y + z * z;
    if (!self && at_one_place(r2, softening)) {
        ++sum.left_out;
    } else if (!self) {
        add_softened(pair, -x, -y, -z, 1.0, pair_law(r2, softening, law.softening));
    }
    for (std::size_t k = 0; k < component_count(D); ++k) pair.term[k] += others.term[k];
    sum.add(pair, source.mass, scale);
}

}  // namespace gravlet
