// SPDX-License-Identifier: Apache-2.0
// Mass distributions whose potential is a closed form: what the test problems are compared with.
//
// Each has potential(x, y, z), and where it is as easy acceleration(x, y, z) = -grad potential. The potential is negative, zero
// at infinity, but for the periodic ones at the end, which say what fixes it. Lengths, densities, masses and G in any consistent
// units.
#pragma once

#include "physics/types.hpp"

#include <array>

namespace gravlet {

/// Homogeneous oblate spheroid, short axis along z: semi-axes a1 = a2 > a3 = a1 sqrt(1 - e^2). 0 < e < 1; digits are lost as
/// e goes to 0 (about 1e-16/e^4 of the potential).
struct MaclaurinSpheroid {
    Array3 centre{};
    double a1 = 0.25;
    double eccentricity = 0.9;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double a3() const;
    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

struct HomogeneousSphere {
    Array3 centre{};
    double radius = 1.0;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

struct HomogeneousCube {
    Array3 centre{};
    double side = 1.0;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
};

/// A sphere of one density in a concentric cube of another, nothing around it: the sum of a cube and a sphere of the difference.
/// The sphere lies inside the cube.
struct Tophat {
    Array3 centre{};
    double side = 1.0;
    double radius = 0.25;
    double density_inside = 1.0;
    double density_outside = 0.01;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    /// The density of a place in the cube.
    [[nodiscard]] double density(double x, double y, double z) const;
    [[nodiscard]] double potential(double x, double y, double z) const;
};

/// Phi = -G M / sqrt(r^2 + a^2), a = scale.
struct PlummerSphere {
    Array3 centre{};
    double mass = 1.0;
    double scale = 1.0;
    double G = 1.0;

    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Phi = -G M / (r + a), a = scale (Hernquist 1990). The acceleration at the centre, where its direction is undefined, is 0.
struct HernquistSphere {
    Array3 centre{};
    double mass = 1.0;
    double scale = 1.0;
    double G = 1.0;

    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Density falling as 1/(r (r + a)^2), a = scale (Navarro, Frenk & White 1997), none beyond `concentration` scales. The
/// acceleration at the centre, where its direction is undefined, is 0.
struct NfwSphere {
    Array3 centre{};
    double mass = 1.0;
    double scale = 1.0;
    double concentration = 10.0;
    double G = 1.0;

    /// Within x scales, but for a factor.
    [[nodiscard]] static double scaled_mass(double x);
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Density central_density / (1 + (r/a)^2), a = core_radius, none beyond `radius`.
struct PseudoIsothermalSphere {
    Array3 centre{};
    double core_radius = 0.01;
    double radius = 1.0;
    double central_density = 1.0;
    double G = 1.0;

    /// Within r of the centre.
    [[nodiscard]] double mass(double r) const;
    [[nodiscard]] double density(double x, double y, double z) const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Density mean_density (1 + amplitude cos(2 pi k.x)), k = wave_vector: periodic with period 1. The potential is that of the
/// density less its mean; its own mean is zero.
struct SineWave {
    std::array<int, 3> wave_vector{1, 0, 0};
    double mean_density = 1.0;
    double amplitude = 0.5;
    double G = 1.0;

    [[nodiscard]] double density(double x, double y, double z) const;
    /// The density's average over a box.
    [[nodiscard]] double box_density(const Array3& lower, const Array3& size) const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Simple cubic lattice of equal point masses; the potential of the mean density is subtracted.
struct PointLattice {
    double mass = 1.0;  ///< mass of each point
    double spacing = 1.0;
    double G = 1.0;

    /// The potential of all other points at one of them; its mean over space is zero. Positive: a point is nearer than the mean
    /// to what was subtracted around it.
    [[nodiscard]] double potential_at_point() const;
};

/// Self-gravitating isothermal layer (Spitzer 1942): density central_density sech^2(z/H), H = scale_height, around z = middle and
/// none beyond z_cut from it. Outside the potential is 2 pi G |z| times the surface density, without a constant.
struct Sech2Layer {
    double middle = 0.0;
    double central_density = 1.0;
    double scale_height = 1.0;
    double z_cut = 5.0;
    double G = 1.0;

    [[nodiscard]] double surface_density() const;
    [[nodiscard]] double density(double x, double y, double z) const;
    /// The density's average over a box.
    [[nodiscard]] double box_density(const Array3& lower, const Array3& size) const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

/// Self-gravitating isothermal cylinder (Ostriker 1964): density central_density (1 + (r/core_radius)^2)^-2 around the line in x
/// through the centre, none beyond r_cut. Outside the potential is 2 G ln(r/period) times the mass of a unit length.
struct OstrikerCylinder {
    Array3 centre{};
    double central_density = 1.0;
    double core_radius = 1.0;
    double r_cut = 8.0;
    double period = 1.0;  ///< length of the box in x
    double G = 1.0;

    /// The mass of a unit length within r of the axis.
    [[nodiscard]] double line_mass(double r) const;
    [[nodiscard]] double density(double x, double y, double z) const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Array3 acceleration(double x, double y, double z) const;
};

}  // namespace gravlet
