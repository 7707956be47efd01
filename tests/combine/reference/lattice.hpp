// SPDX-License-Identifier: Apache-2.0
// What all periodic images of a unit mass but the nearest make of 1/r, by formulas that share nothing with the library: in three
// directions Ewald's sum, in two Parry's, in one the images one by one with Euler and Maclaurin's formula for the rest.
//
// Softening e (Plummer's) is one more coordinate of all images, r^2 + e^2.
#pragma once

#include "tests/combine/reference/jet.hpp"

#include <vector>

namespace gravlet::combine {

/// Of a pair r apart.
Jet plummer_pair(const Vector& r, double softening);

class Lattice {
public:
    /// Periods in x, y and z; 0 where isolated. What is a period up in x is displaced by `shear` in y. Lengths should not be far
    /// from 1.
    explicit Lattice(const Vector& period, double softening = 0.0, double shear = 0.0);

    /// r: the nearest image's place (of two that are equally near, either).
    [[nodiscard]] Jet operator()(const Vector& r) const;

    /// The nearest image's place; of a sheared lattice, that of one half a period away at most in each direction.
    [[nodiscard]] Vector nearest(Vector r) const;

private:
    struct Wave {
        Vector k;
        double norm, amplitude;
    };

    void make_waves();
    [[nodiscard]] double amplitude(double k) const;
    [[nodiscard]] Jet images(const Vector& r) const;
    [[nodiscard]] Jet box(const Vector& r) const;
    [[nodiscard]] Jet layer(const Vector& r) const;
    [[nodiscard]] Jet filament(const Vector& r) const;

    Vector period_;
    double softening_, shear_;  ///< the latter half a period of y at most, either way
    int dimensions_ = 0;
    std::size_t odd_ = 0;  ///< the one isolated, or the one periodic, direction
    double measure_ = 1.0, alpha_ = 0.0, mean_ = 0.0;
    std::vector<Wave> waves_;  ///< one of each k and -k
};

}  // namespace gravlet::combine
