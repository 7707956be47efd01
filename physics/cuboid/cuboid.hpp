// SPDX-License-Identifier: Apache-2.0
// The potential of one homogeneous cuboid: the self term of a cell, and the exact oracle for piecewise-constant densities.
//
// From div(r/|r|) = 2/r the volume integral of 1/r becomes one over the faces, whose parts are closed forms: a logarithm for
// each edge and a solid angle for each face (MacMillan 1930; Waldvogel 1976). Written so, nothing is singular: a target on an
// edge or in a face meets its logarithm or angle with weight zero.
#pragma once

#include "physics/types.hpp"

#include <cmath>

namespace gravlet {

/// c = 3 ln((sqrt3 + 1)/(sqrt3 - 1)) - pi/2: the potential at the centre of a cube of side h and mass m is -G m c/h.
inline constexpr double cube_self_constant = 2.3800773639795534;

/// Potential (G = 1, negative) of a cuboid of density 1 and sides lx, ly, lz > 0, at displacement (dx, dy, dz) from its centre.
/// Any displacement: inside, faces, edges and corners included. Relative accuracy of cubes: 1e-12 within 10 sides, 5e-12
/// beyond; of cuboids with sides 1 : 10, 4e-11.
[[nodiscard]] double cuboid_potential(double dx, double dy, double dz, double lx, double ly, double lz);

/// The two forms between which cuboid_potential() chooses by distance; for the test of the seam.
namespace detail {
[[nodiscard]] double cuboid_closed_form(double dx, double dy, double dz, double lx, double ly, double lz);
[[nodiscard]] double cuboid_multipoles(double dx, double dy, double dz, double lx, double ly, double lz);
}  // namespace detail

namespace detail {
[[nodiscard]] GRAVLET_HD inline double cuboid_centre_potential(double lx, double ly, double lz) {
    const double diagonal = sqrt(lx * lx + ly * ly + lz * lz);
    // Per pair of directions: four edges and two faces of the general form, by symmetry.
    // 1/(diagonal - c) is (diagonal + c)/(a^2 + b^2), which is a number for a rod, too.
    const auto edges = [=](double a, double b, double c) { return a * b * log1p(2.0 * c * (diagonal + c) / (a * a + b * b)); };
    const auto faces = [=](double a, double b, double c) { return a * a * atan(b * c / (a * diagonal)); };
    const double integral =
        edges(lx, ly, lz) + edges(ly, lz, lx) + edges(lz, lx, ly) - faces(lx, ly, lz) - faces(ly, lz, lx) - faces(lz, lx, ly);
    return -integral / (lx * ly * lz);
}
}  // namespace detail

/// Potential (G = 1, negative) at the centre of a homogeneous cuboid of mass 1.
[[nodiscard]] GRAVLET_HD inline double cuboid_self_potential(double lx, double ly, double lz) {
    if (lx == ly && ly == lz) return -cube_self_constant / lx;
    return detail::cuboid_centre_potential(lx, ly, lz);
}

}  // namespace gravlet
