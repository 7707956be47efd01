// SPDX-License-Identifier: Apache-2.0
// Mass distributions whose potential is a closed form: what the test problems are compared with.
//
// Each has potential(x, y, z), negative, zero at infinity, and where it is as easy acceleration(x, y, z) = -grad potential.
// Lengths, densities, masses and G in any consistent units.
#pragma once

#include <array>

namespace gravlet {

using Vector3 = std::array<double, 3>;

/// Homogeneous oblate spheroid, short axis along z: semi-axes a1 = a2 > a3 = a1 sqrt(1 - e^2). 0 < e < 1; digits are lost as
/// e goes to 0 (about 1e-16/e^4 of the potential).
struct MaclaurinSpheroid {
    Vector3 centre{};
    double a1 = 0.25;
    double eccentricity = 0.9;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double a3() const;
    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Vector3 acceleration(double x, double y, double z) const;
};

struct HomogeneousSphere {
    Vector3 centre{};
    double radius = 1.0;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Vector3 acceleration(double x, double y, double z) const;
};

struct HomogeneousCube {
    Vector3 centre{};
    double side = 1.0;
    double density = 1.0;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
};

/// A sphere of one density in a concentric cube of another, nothing around it: the sum of a cube and a sphere of the difference.
/// The sphere lies inside the cube.
struct Tophat {
    Vector3 centre{};
    double side = 1.0;
    double radius = 0.25;
    double density_inside = 1.0;
    double density_outside = 0.01;
    double G = 1.0;

    [[nodiscard]] double mass() const;
    [[nodiscard]] double potential(double x, double y, double z) const;
};

/// Phi = -G M / sqrt(r^2 + a^2), a = scale.
struct PlummerSphere {
    Vector3 centre{};
    double mass = 1.0;
    double scale = 1.0;
    double G = 1.0;

    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Vector3 acceleration(double x, double y, double z) const;
};

/// Phi = -G M / (r + a), a = scale (Hernquist 1990). The acceleration at the centre, where its direction is undefined, is 0.
struct HernquistSphere {
    Vector3 centre{};
    double mass = 1.0;
    double scale = 1.0;
    double G = 1.0;

    [[nodiscard]] double potential(double x, double y, double z) const;
    [[nodiscard]] Vector3 acceleration(double x, double y, double z) const;
};

}  // namespace gravlet
