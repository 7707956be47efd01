// SPDX-License-Identifier: Apache-2.0
// A pair of bodies in single precision, and what makes it soft.
#pragma once

#include "gpu/walk/softened.hpp"
#include "physics/softening.hpp"

namespace gravlet {

/// Number by which a pair finds its law: its softening length, or one over the spline's support.
template <Softened S>
__device__ __forceinline__ float softening_factor(float length) {
    return S == Softened::spline ? inverse_support(length) : length;
}

/// What stands for r^2 where there is no end to softening. `own`, `other`: softening_factor() of the two.
template <Softened S>
__device__ __forceinline__ float softened_square(float d2, float own, float other) {
    if (S != Softened::plummer) return d2;
    const float softening = fmaxf(own, other);
    return d2 + softening * softening;
}

/// Adds a pair that is within the spline's support, or returns false. (x, y, z): from the source to the target.
template <Softened S, int D>
__device__ __forceinline__ bool add_within_spline(Jet<float, D>& sums, float x, float y, float z, float d2, float mass, float own,
                                                  float other) {
    if constexpr (S == Softened::spline) {
        const float factor = fminf(own, other);  // of the larger support
        if (d2 * factor * factor < 1.0f) {
            add_softened(sums, x, y, z, mass, spline_law(d2, factor));
            return true;
        }
    }
    return false;
}

/// Adds a pair with that inverse of the softened distance.
template <int D>
__device__ __forceinline__ void add_source(Jet<float, D>& sums, float x, float y, float z, float r_inverse, float mass) {
    add_node<0>(
        sums, x, y, z, r_inverse, mass, 1.0f, [](float v) { return v; }, 0);
}

}  // namespace gravlet
