// SPDX-License-Identifier: Apache-2.0
// Eddington's inversion: the distribution function of energy alone that gives a spherical component its density in the field of
// all components (Binney & Tremaine 2008, section 4.3),
//
//     f(E) = 1/(sqrt(8) pi^2) integral from 0 to E of (d^2 rho/d psi^2) / sqrt(E - psi) d psi,
//
// psi the potential's depth and E the binding energy, both positive. The boundary term is 0: densities fall smoothly to nothing.
// The integral is over ln r, by Gauss-Legendre in each step of the grid. A density with an edge, where its second derivative
// jumps, wants a radius of the grid there (model_grid).
#pragma once

#include "tools/models/sphere.hpp"

#include <vector>

namespace gravlet {

/// f(E), mass in a volume of phase space; G = 1. Between what is known ln f is cubic in E, and does not overshoot.
class DistributionFunction {
public:
    /// `name` stands for the component in an error. Throws Error(invalid_option) if f is negative anywhere: such a density has no
    /// isotropic velocities in this field.
    DistributionFunction(const Sphere& sphere, const SphericalField& field, const char* name);

    /// f at this energy; beyond what the grid holds the value at its end.
    [[nodiscard]] double operator()(double energy) const;

private:
    std::vector<double> energy_, log_, slope_;  // energies grow
};

}  // namespace gravlet
