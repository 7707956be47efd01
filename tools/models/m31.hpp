// SPDX-License-Identifier: Apache-2.0
// The Andromeda galaxy as GOTHIC was measured with (Miki & Umemura 2017, section 3.2): an NFW halo, a Hernquist bulge and an
// exponential disc. Units: kpc, 10^10 solar masses and G = 1, so that a velocity of 1 is 207.4 km/s and a time of 1 is 4.715 Myr
// (G = 43007.1 kpc (km/s)^2 / 10^10 solar masses).
//
// The halo's edge is not in the paper: here halo and bulge end at 25 of the halo's scales, as power_laws.hpp says. Their masses
// are with what is beyond, 13% of the halo. Both are isotropic and in equilibrium in the field of all three, the disc's
// spherically averaged.
#pragma once

#include "tools/models/exponential_disc.hpp"
#include "tools/models/isotropic_sphere.hpp"

namespace gravlet {

class M31 {
public:
    static constexpr double halo_mass = 81.1, halo_scale = 7.63, halo_edge = 25.0;  ///< edge: in scales
    static constexpr double bulge_mass = 3.24, bulge_scale = 0.61;
    static constexpr double disc_mass = 3.66, disc_scale = 5.4, disc_height = 0.6;
    static constexpr double mass = halo_mass + bulge_mass + disc_mass;

    /// toomre_q: the least Q of the disc.
    explicit M31(double toomre_q);

    IsotropicSphere halo, bulge;
    ExponentialDisc disc;

private:
    struct Parts;
    explicit M31(const Parts& parts);
};

}  // namespace gravlet
