// SPDX-License-Identifier: Apache-2.0
// An exponential disc in the field of spheres, and how its points move (Hernquist 1993). Density: Sigma(R)/(2 z0) sech^2(z/z0),
// Sigma falling as exp(-R/Rd). Velocities are Gaussian in three directions around the mean rotation:
//   radial     sigma_R falls as exp(-R/(2 Rd)), from the least for which Toomre's Q is nowhere below a given value;
//   azimuthal  sigma_phi^2 = sigma_R^2 kappa^2/(4 Omega^2), by epicycles;
//   vertical   sigma_z^2 is the mean over z of z times the pull towards z = 0: pi Sigma z0 by the disc as an infinite layer,
//              and z^2 M/r^3 by the spheres, which weighs more near the centre and far out;
//   rotation   its square is v_c^2 + sigma_R^2 (1 - kappa^2/(4 Omega^2) - 2 R/Rd), the asymmetric drift, not below 0.
// The circular speed v_c is that of a thin disc (Freeman 1970) and the spheres. G = 1.
#pragma once

#include "tools/models/radial_table.hpp"
#include "tools/models/sphere.hpp"

namespace gravlet {

struct DiscSpec {
    double mass = 1.0;
    double scale = 1.0;   ///< Rd
    double height = 0.1;  ///< z0
    double toomre_q = 1.8;
};

/// The mass of a thin disc within each radius, for the spheres that are in its mean field.
[[nodiscard]] RadialTable disc_mass_within(const DiscSpec& disc, RadialGrid grid);

class ExponentialDisc {
public:
    /// spheres: the field of all but the disc.
    ExponentialDisc(const DiscSpec& disc, const SphericalField& spheres);

    struct Motion {
        double rotation, radial, azimuthal, vertical;  ///< velocities: the mean, and three dispersions
    };
    /// Mean rotation and dispersions at R from the axis.
    [[nodiscard]] Motion motion(double R) const;
    [[nodiscard]] double circular_speed(double R) const;
    [[nodiscard]] double toomre_q(double R) const;

private:
    [[nodiscard]] double surface_density(double R) const;
    [[nodiscard]] double epicycle_ratio(double R) const;  ///< kappa^2/(4 Omega^2)
    [[nodiscard]] double radial_dispersion(double R) const;

    DiscSpec disc_;
    RadialTable circular2_;  ///< v_c^2
    RadialTable vertical2_;  ///< sigma_z^2
    double central_dispersion_ = 0.0;
};

}  // namespace gravlet
