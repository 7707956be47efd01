// SPDX-License-Identifier: Apache-2.0
// How far a group's local expansion may be off, read off the expansion itself. What a single mass at a distance R adds to it in
// degree n is M/R (s/R)^n at most, s the farthest of the group's targets from its centre; the norms of degrees 3 and 4 give the
// strength and the ratio s/R of all that is far, added up as vectors are, and so the series that was cut off. Where that is too
// much, next to what acts on the group in all, the group is walked again, with nodes far only beyond some larger distance:
// a rule for each node alone would not see a hundred light nodes in one direction, or would open what nothing depends on.
#pragma once

#include "physics/multipole.hpp"

#include <cmath>

namespace gravlet {

/// What errors are allowed to be, relative to a group's potential, field and tidal tensor.
struct SeriesLimits {
    float potential = 0.0f, field = 0.0f, tide = 0.0f;
};

/// Limits of what a series may err by: at its open radius a node errs by about (theta/2)^(order + 1).
inline SeriesLimits series_limits(double theta, int order) {
    const double node = std::pow(0.5 * theta, order + 1);
    return {static_cast<float>(1e-3 * node), static_cast<float>(3e-2 * node), static_cast<float>(0.1 * node)};
}

/// Bounds over a group, in the units of the series.
template <class Real>
struct SeriesError {
    Real potential = 0, field = 0, tide = 0;
    Real distance = 0;  ///< distance, as if all of the error came from there

    /// The error of the series in lengths 1/unit.
    [[nodiscard]] GRAVLET_HD SeriesError in_units(Real unit) const {
        return {potential * unit, field * unit * unit, tide * unit * unit * unit, distance / unit};
    }
    /// Another series' errors add up; its distance does not count.
    GRAVLET_HD void add(const SeriesError& other) {
        potential += other.potential;
        field += other.field;
        tide += other.tide;
    }
};

/// Norm of the terms of degree N at a distance s, as multiples of the term of degree 0: 1 where s is R, for a single mass.
template <int N, class Real>
GRAVLET_HD Real term_bound(const Real* series, Real s) {
    Real power = 1 / series[0], sum = 0;
    for (int n = 0; n < N; ++n) power *= s;
    multipole::for_components<N>([&](auto k) GRAVLET_INLINE_LAMBDA {
        const Real term = series[local_index(k.a, k.b, k.c)] * power;
        constexpr Real share = 1 / static_cast<Real>(multipole::factorials(k.a, k.b, k.c) * multipole::odd_factorial(N));
        sum += term * term * share;
    });
    return sqrt(sum);
}

/// `series` are the L_k of local_expansion.inl, all components; `reach` is the farthest that a target may be from the centre,
/// and `nearest` the nearest that a node in the series can be.
template <class Real>
GRAVLET_HD SeriesError<Real> series_error(const Real* series, Real reach, Real nearest) {
    if (!(series[0] > 0)) return {};
    const Real third = term_bound<3>(series, reach), fourth = term_bound<4>(series, reach), most = reach / nearest;
    if (!(fourth > 0)) return {};
    const Real ratio = fourth < most * third ? fourth / third : most, rest = ratio / (1 - ratio);
    const Real potential = series[0] * (fourth * rest), less = 1 - ratio;
    return {potential, potential * ((5 - 4 * ratio) / less) / reach,
            potential * ((20 - ratio * (30 - 12 * ratio)) / (less * less)) / (reach * reach), reach / ratio};
}

/// What errors are held against: the least of a group's potentials, fields and tidal tensors. Where a field vanishes between
/// masses on all sides, a quarter of what one mass as large as all would have where its potential is this; a tensor likewise.
template <class Real>
struct SeriesScale {
    Real potential = INFINITY, field = INFINITY, tide = INFINITY;

    template <int D>
    GRAVLET_HD void take(const Jet<Real, D>& sum, Real mass) {
        const Real* const at = sum.term;
        potential = smaller(at[0], potential);
        if constexpr (D > 0) {
            const Real floor = at[0] * at[0] / (4 * mass);
            field = smaller(larger(sqrt(at[1] * at[1] + at[2] * at[2] + at[3] * at[3]), floor), field);
            if constexpr (D > 1) {
                const Real diagonal = at[4] * at[4] + at[7] * at[7] + at[9] * at[9],
                           others = at[5] * at[5] + at[6] * at[6] + at[8] * at[8], size = sqrt(diagonal + 2 * others);
                tide = smaller(larger(size, static_cast<Real>(2.4495) * floor * (at[0] / mass)), tide);
            }
        }
    }
};

/// How many times farther a node must be to be far for a group whose sums have D derivatives. At most 1: the series is good
/// enough.
template <int D, class Real>
GRAVLET_HD Real missing_distance(const SeriesError<Real>& error, const SeriesScale<Real>& scale, const SeriesLimits& limits) {
    const Real of_potential = error.potential / (limits.potential * scale.potential),
               of_field = error.field / (limits.field * scale.field);
    const Real missing = sqrt(sqrt(larger(of_potential, of_field)));
    if constexpr (D > 1) return larger(missing, static_cast<Real>(cbrt(error.tide / (limits.tide * scale.tide))));
    return missing;
}

/// The far radius with which the group is walked again.
template <class Real>
GRAVLET_HD Real longer_far_radius(Real radius, const SeriesError<Real>& error, Real missing) {
    return (radius > error.distance ? radius : error.distance) * missing * static_cast<Real>(1.1);
}

}  // namespace gravlet
