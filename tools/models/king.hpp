// SPDX-License-Identifier: Apache-2.0
// King's model (King 1966): the isothermal sphere lowered to end at a finite radius, f(E) proportional to exp(E/sigma^2) - 1 for
// E > 0, E the binding energy at the edge's level. Poisson's equation is integrated by ln r with Runge and Kutta's fourth order.
#pragma once

#include "tools/models/isotropic_sphere.hpp"

namespace gravlet {

/// King's model of mass 1 and King radius 1, with G = 1.
struct KingModel {
    double w0 = 6.0;            ///< depth of the centre, in sigma^2
    double sigma2 = 0.0;        ///< the parameter of f, velocity^2
    double tidal_radius = 0.0;  ///< the edge
    RadialTable mass;           ///< mass within a radius
    RadialTable depth;          ///< how far the potential is below its value at the edge; negative beyond

    /// The density where depth/sigma^2 is w, but for a factor.
    [[nodiscard]] static double density(double w);
    [[nodiscard]] IsotropicSphere sphere() const;
};

/// The model with this depth of its centre, w0 from 0.1 to 16.
[[nodiscard]] KingModel king_model(double w0);

}  // namespace gravlet
