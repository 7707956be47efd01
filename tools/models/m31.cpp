// SPDX-License-Identifier: Apache-2.0
#include "tools/models/m31.hpp"

#include "tools/models/eddington.hpp"
#include "tools/models/sphere.hpp"

#include <array>

namespace gravlet {
namespace {

PowerLaws bulge_density() {
    PowerLaws density = hernquist_density();
    density.edge = M31::halo_edge * M31::halo_scale / M31::bulge_scale;
    return density;
}

}  // namespace

struct M31::Parts {
    explicit Parts(double toomre_q) : disc{.mass = disc_mass, .scale = disc_scale, .height = disc_height, .toomre_q = toomre_q} {}

    DiscSpec disc;
    RadialGrid grid = model_grid(halo_edge * halo_scale);
    Sphere halo{nfw_density(halo_edge), halo_mass, halo_scale, grid};
    Sphere bulge{bulge_density(), bulge_mass, bulge_scale, grid};
    SphericalField spheres = SphericalField::of(std::array{halo.mass(), bulge.mass()});
    SphericalField all = SphericalField::of(std::array{halo.mass(), bulge.mass(), disc_mass_within(disc, grid)});
};

M31::M31(const Parts& parts)
    : halo(parts.halo.mass(), parts.all.depth, DistributionFunction(parts.halo, parts.all, "halo")),
      bulge(parts.bulge.mass(), parts.all.depth, DistributionFunction(parts.bulge, parts.all, "bulge")),
      disc(parts.disc, parts.spheres) {}

M31::M31(double toomre_q) : M31(Parts(toomre_q)) {}

}  // namespace gravlet
