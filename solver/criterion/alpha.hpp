// SPDX-License-Identifier: Apache-2.0
// Which alpha (Options::alpha) errs as which opening angle.
#pragma once

#include "physics/error_bound.hpp"

#include <gravlet/options.hpp>

#include <algorithm>
#include <cmath>

namespace gravlet {

/// What keeps errors as theta does where it is automatic (docs/notebook/2026-11-accuracy.md); a bound from moments is ten times
/// lower than that of a node as large as can be. In double, at order 10, what keeps accelerations within 1e-11 or potentials
/// within 1e-12.
inline double automatic_alpha(const Options& options, bool acceleration) {
    const double looser = relative_alpha(options.criterion);
    if (options.precision == Precision::double_) return looser * std::pow(10.0, (acceleration ? -0.9 : -0.8) * options.order);
    const double fourth = acceleration ? 0.1 : 0.003, others = acceleration ? 0.03 : 0.001;
    return looser * (options.order == 4 ? fourth : others);
}

/// A node's error over its alpha.
inline double error_of_alpha(const Options& options, bool acceleration) {
    const double looser = 1.0 / relative_alpha(options.criterion);
    return looser * (acceleration ? 0.9 : 60.0) * std::pow(10.0, -0.5 * std::max(options.order - 2, 0));
}

/// The angle at which what is far may err as much as nodes do: its error is (theta/2)^(order + 1) (series_error.hpp). Measured:
/// at a longer one errors grow, at a shorter one nodes are met that could be far.
inline double angle_for_far_nodes(const Options& options, bool acceleration) {
    const double error = options.alpha * error_of_alpha(options, acceleration);
    return std::clamp(2.0 * std::pow(error, 1.0 / (options.order + 1)), 0.1, 1.0);
}

/// The alpha that errs about as nodes at an opening angle: where tolerances start. Far nodes are met a little farther away.
inline double alpha_of_angle(double angle, const Options& options, bool acceleration) {
    const double error = std::pow(angle / 2.0, options.order + 1);
    return std::clamp(0.3 * error / error_of_alpha(options, acceleration), 1e-6, 100.0);
}

}  // namespace gravlet
