// SPDX-License-Identifier: Apache-2.0
// Softened pairs by formulas that are written apart from the library's: the spline as the polynomials in u = r/h that N-body
// codes print (Springel, Yoshida & White 2001, appendix).
#pragma once

#include <gravlet/options.hpp>

#include <cmath>

namespace gravlet::test {

/// What stands for 1/r, 1/r^3 and 3/r^5.
template <class Real>
struct SoftenedPair {
    Real potential, field, tide;
};

/// r > 0, or a softening length.
template <class Real>
SoftenedPair<Real> softened_pair(Real r2, Real softening, SofteningKernel kernel) {
    const Real r = std::sqrt(r2), h = Real(2.8) * softening;
    if (kernel == SofteningKernel::plummer || r >= h) {
        const Real q = kernel == SofteningKernel::plummer ? std::sqrt(r2 + softening * softening) : r;
        return {1 / q, 1 / (q * q * q), 3 / (q * q * q * q * q)};
    }
    const Real u = r / h, u2 = u * u;
    if (u < Real(0.5))
        return {(Real(14) / 5 - u2 * (Real(16) / 3 + u2 * (Real(32) / 5 * u - Real(48) / 5))) / h,
                (Real(32) / 3 + u2 * (32 * u - Real(192) / 5)) / (h * h * h), (Real(384) / 5 - 96 * u) / (h * h * h * h * h)};
    return {(Real(16) / 5 - 1 / (15 * u) - u2 * (Real(32) / 3 + u * (-16 + u * (Real(48) / 5 - Real(32) / 15 * u)))) / h,
            (Real(64) / 3 - 48 * u + Real(192) / 5 * u2 - Real(32) / 3 * u2 * u - 1 / (15 * u2 * u)) / (h * h * h),
            (48 / u - Real(384) / 5 + 32 * u - 1 / (5 * u2 * u2 * u)) / (h * h * h * h * h)};
}

}  // namespace gravlet::test
