// SPDX-License-Identifier: Apache-2.0
// Ewald's sum over bodies, by the classical formulas (tests/classical_sum.hpp).
#pragma once

#include "tests/api/body_arrays.hpp"
#include "tests/classical_sum.hpp"

#include <array>
#include <complex>
#include <vector>

namespace gravlet::test {

inline const PeriodicBox unit_cube{{1, 1, 1}, {true, true, true}};

/// What bodies in the unit cube, periodic in all directions, do at a position: Ewald's sum, softened or not.
class EwaldSum {
public:
    EwaldSum(const BodyArrays& bodies, double softening) : bodies_(bodies), sum_(unit_cube, softening, 3.0) {
        for (const ClassicalSum::Wave& wave : sum_.waves()) {
            std::complex<double> factor;
            for (std::size_t s = 0; s < bodies.size(); ++s)
                factor += bodies.mass[s] * std::polar(1.0, -ClassicalSum::dot(wave.k, {bodies.x[s], bodies.y[s], bodies.z[s]}));
            factors_.push_back(factor);
        }
    }

    /// Adds -sum m/r, images included, and minus its gradient; a body at the position itself acts with its images alone.
    void add_to(const Vector3& position, std::array<double, 4>& out) const {
        for (std::size_t s = 0; s < bodies_.size(); ++s) {
            const Vector3 r{position.x - bodies_.x[s], position.y - bodies_.y[s], position.z - bodies_.z[s]};
            const ClassicalSum::Value near = sum_.near(r);
            const double own = norm(r) > 0.0 ? 0.0 : sum_.own();
            out[0] -= bodies_.mass[s] * (near.value - own);
            out[1] += bodies_.mass[s] * near.gradient.x;
            out[2] += bodies_.mass[s] * near.gradient.y;
            out[3] += bodies_.mass[s] * near.gradient.z;
        }
        for (std::size_t w = 0; w < factors_.size(); ++w) {
            const auto& [k, amplitude] = sum_.waves()[w];
            const std::complex<double> value = amplitude * factors_[w] * std::polar(1.0, ClassicalSum::dot(k, position));
            out[0] -= value.real();
            out[1] -= k.x * value.imag();
            out[2] -= k.y * value.imag();
            out[3] -= k.z * value.imag();
        }
    }

private:
    const BodyArrays& bodies_;
    ClassicalSum sum_;
    std::vector<std::complex<double>> factors_;
};

}  // namespace gravlet::test
