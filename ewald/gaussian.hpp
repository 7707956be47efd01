// SPDX-License-Identifier: Apache-2.0
// What sums over images are made of.
#pragma once

#include <cmath>

namespace gravlet {

/// Where exp(-x^2) ends: at 1e-21.
inline constexpr double end_of_gaussian = 7.0;

/// Adds the derivatives of exp(-u^2 t^2) by u, degrees 0 to `order`.
inline void add_gaussian(double u, double t, int order, double* out) {
    double here = std::exp(-u * u * t * t), before = 0.0;
    for (int k = 0; k <= order; ++k) {
        out[k] += here;
        const double next = -2.0 * t * t * (u * here + k * before);
        before = here;
        here = next;
    }
}

}  // namespace gravlet
