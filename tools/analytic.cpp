// SPDX-License-Identifier: Apache-2.0
#include "tools/analytic.hpp"

#include "solver/cuboid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

Vector3 relative(double x, double y, double z, const Vector3& centre) { return {x - centre[0], y - centre[1], z - centre[2]}; }

double norm(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

Vector3 scaled(const Vector3& v, double factor) { return {factor * v[0], factor * v[1], factor * v[2]}; }

// The potential of a spheroid (Chandrasekhar 1969) is -(constant - radial (x^2 + y^2) - axial z^2), with coefficients that
// depend on the place outside, but stationarily: the gradient is that of fixed coefficients everywhere.
struct SpheroidCoefficients {
    double constant, radial, axial;
};

SpheroidCoefficients spheroid_coefficients(const MaclaurinSpheroid& spheroid, const Vector3& d) {
    const double e = spheroid.eccentricity, a1 = spheroid.a1, a3 = spheroid.a3();
    const double r2 = d[0] * d[0] + d[1] * d[1], z2 = d[2] * d[2];
    const double strength = pi * spheroid.G * spheroid.density;
    if (r2 / (a1 * a1) + z2 / (a3 * a3) <= 1.0) {
        const double ratio = std::sqrt(1.0 - e * e), arc = std::asin(e);
        const double A1 = ratio / (e * e * e) * arc - (1.0 - e * e) / (e * e);
        const double A3 = 2.0 / (e * e) - 2.0 * ratio / (e * e * e) * arc;
        return {strength * (2.0 * A1 * a1 * a1 + A3 * a3 * a3), strength * A1, strength * A3};
    }
    // The confocal equation r2/(a1^2 + lambda) + z2/(a3^2 + lambda) = 1 as lambda^2 - b lambda + c = 0; c < 0 outside.
    const double b = r2 + z2 - a1 * a1 - a3 * a3;
    const double c = a1 * a1 * a3 * a3 - r2 * a3 * a3 - z2 * a1 * a1;
    const double root = std::sqrt(b * b - 4.0 * c);
    const double lambda = b > 0.0 ? 0.5 * (b + root) : 2.0 * c / (b - root);
    const double h = a1 * e / std::sqrt(a3 * a3 + lambda);
    const double outside = 2.0 * strength * a3 / (e * e);
    const double arc = std::atan(h);
    return {outside * a1 * e * arc, outside * (arc - h / (1.0 + h * h)) / (2.0 * a1 * e), outside * (h - arc) / (a1 * e)};
}

}  // namespace

double MaclaurinSpheroid::a3() const { return a1 * std::sqrt(1.0 - eccentricity * eccentricity); }

double MaclaurinSpheroid::mass() const { return 4.0 / 3.0 * pi * a1 * a1 * a3() * density; }

double MaclaurinSpheroid::potential(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    const SpheroidCoefficients at = spheroid_coefficients(*this, d);
    return -(at.constant - at.radial * (d[0] * d[0] + d[1] * d[1]) - at.axial * d[2] * d[2]);
}

Vector3 MaclaurinSpheroid::acceleration(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    const SpheroidCoefficients at = spheroid_coefficients(*this, d);
    return {-2.0 * at.radial * d[0], -2.0 * at.radial * d[1], -2.0 * at.axial * d[2]};
}

double HomogeneousSphere::mass() const { return 4.0 / 3.0 * pi * radius * radius * radius * density; }

double HomogeneousSphere::potential(double x, double y, double z) const {
    const double r = norm(relative(x, y, z, centre));
    return r < radius ? -2.0 * pi * G * density * (radius * radius - r * r / 3.0) : -G * mass() / r;
}

Vector3 HomogeneousSphere::acceleration(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    const double r = std::max(norm(d), radius);
    return scaled(d, -G * mass() / (r * r * r));
}

double HomogeneousCube::mass() const { return side * side * side * density; }

double HomogeneousCube::potential(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    return G * density * cuboid_potential(d[0], d[1], d[2], side, side, side);
}

double Tophat::mass() const {
    return HomogeneousCube{centre, side, density_outside, G}.mass() +
           HomogeneousSphere{centre, radius, density_inside - density_outside, G}.mass();
}

double Tophat::potential(double x, double y, double z) const {
    return HomogeneousCube{centre, side, density_outside, G}.potential(x, y, z) +
           HomogeneousSphere{centre, radius, density_inside - density_outside, G}.potential(x, y, z);
}

double PlummerSphere::potential(double x, double y, double z) const {
    return -G * mass / std::hypot(norm(relative(x, y, z, centre)), scale);
}

Vector3 PlummerSphere::acceleration(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    const double s = std::hypot(norm(d), scale);
    return scaled(d, -G * mass / (s * s * s));
}

double HernquistSphere::potential(double x, double y, double z) const {
    return -G * mass / (norm(relative(x, y, z, centre)) + scale);
}

Vector3 HernquistSphere::acceleration(double x, double y, double z) const {
    const Vector3 d = relative(x, y, z, centre);
    const double r = norm(d), s = r + scale;
    return r > 0.0 ? scaled(d, -G * mass / (r * s * s)) : Vector3{};
}

}  // namespace gravlet
