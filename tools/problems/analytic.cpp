// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/analytic.hpp"

#include "physics/cuboid/cuboid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

Array3 relative(double x, double y, double z, const Array3& centre) { return {x - centre[0], y - centre[1], z - centre[2]}; }

double norm(const Array3& v) { return std::hypot(v[0], v[1], v[2]); }

Array3 scaled(const Array3& v, double factor) { return {factor * v[0], factor * v[1], factor * v[2]}; }

// The potential of a spheroid (Chandrasekhar 1969) is -(constant - radial (x^2 + y^2) - axial z^2), with coefficients that
// depend on the position outside, but stationarily: the gradient is that of fixed coefficients everywhere.
struct SpheroidCoefficients {
    double constant, radial, axial;
};

SpheroidCoefficients spheroid_coefficients(const MaclaurinSpheroid& spheroid, const Array3& d) {
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

double phase(const std::array<int, 3>& k, double x, double y, double z) { return 2.0 * pi * (k[0] * x + k[1] * y + k[2] * z); }

// sin(pi t)/(pi t)
double sinc(double t) { return t == 0.0 ? 1.0 : std::sin(pi * t) / (pi * t); }

// ln(2 cosh x), also where cosh overflows.
double log_cosh(double x) { return std::abs(x) + std::log1p(std::exp(-2.0 * std::abs(x))); }

}  // namespace

double MaclaurinSpheroid::a3() const { return a1 * std::sqrt(1.0 - eccentricity * eccentricity); }

double MaclaurinSpheroid::mass() const { return 4.0 / 3.0 * pi * a1 * a1 * a3() * density; }

double MaclaurinSpheroid::potential(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const SpheroidCoefficients at = spheroid_coefficients(*this, d);
    return -(at.constant - at.radial * (d[0] * d[0] + d[1] * d[1]) - at.axial * d[2] * d[2]);
}

Array3 MaclaurinSpheroid::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const SpheroidCoefficients at = spheroid_coefficients(*this, d);
    return {-2.0 * at.radial * d[0], -2.0 * at.radial * d[1], -2.0 * at.axial * d[2]};
}

double HomogeneousSphere::mass() const { return 4.0 / 3.0 * pi * radius * radius * radius * density; }

double HomogeneousSphere::potential(double x, double y, double z) const {
    const double r = norm(relative(x, y, z, centre));
    return r < radius ? -2.0 * pi * G * density * (radius * radius - r * r / 3.0) : -G * mass() / r;
}

Array3 HomogeneousSphere::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const double r = std::max(norm(d), radius);
    return scaled(d, -G * mass() / (r * r * r));
}

double HomogeneousCube::mass() const { return side * side * side * density; }

double HomogeneousCube::potential(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    return G * density * cuboid_potential(d[0], d[1], d[2], side, side, side);
}

double Tophat::mass() const {
    return HomogeneousCube{centre, side, density_outside, G}.mass() +
           HomogeneousSphere{centre, radius, density_inside - density_outside, G}.mass();
}

double Tophat::density(double x, double y, double z) const {
    return norm(relative(x, y, z, centre)) < radius ? density_inside : density_outside;
}

double Tophat::potential(double x, double y, double z) const {
    return HomogeneousCube{centre, side, density_outside, G}.potential(x, y, z) +
           HomogeneousSphere{centre, radius, density_inside - density_outside, G}.potential(x, y, z);
}

double PlummerSphere::potential(double x, double y, double z) const {
    return -G * mass / std::hypot(norm(relative(x, y, z, centre)), scale);
}

Array3 PlummerSphere::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const double s = std::hypot(norm(d), scale);
    return scaled(d, -G * mass / (s * s * s));
}

double HernquistSphere::potential(double x, double y, double z) const {
    return -G * mass / (norm(relative(x, y, z, centre)) + scale);
}

Array3 HernquistSphere::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const double r = norm(d), s = r + scale;
    return r > 0.0 ? scaled(d, -G * mass / (r * s * s)) : Array3{};
}

double NfwSphere::scaled_mass(double x) { return std::log1p(x) - x / (1.0 + x); }

double NfwSphere::potential(double x, double y, double z) const {
    const double r = norm(relative(x, y, z, centre)) / scale, all = scaled_mass(concentration);
    if (r >= concentration) return -G * mass / (r * scale);
    return -G * mass / (all * scale) * ((r > 0.0 ? std::log1p(r) / r : 1.0) - 1.0 / (1.0 + concentration));
}

Array3 NfwSphere::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const double length = norm(d), r = length / scale;
    if (r == 0.0) return {};
    return scaled(d, -G * mass * std::min(1.0, scaled_mass(r) / scaled_mass(concentration)) / (length * length * length));
}

double PseudoIsothermalSphere::mass(double r) const {
    const double s = std::min(r, radius) / core_radius;
    return 4.0 * pi * central_density * core_radius * core_radius * core_radius * (s - std::atan(s));
}

double PseudoIsothermalSphere::density(double x, double y, double z) const {
    const double r = norm(relative(x, y, z, centre)), s = r / core_radius;
    return r > radius ? 0.0 : central_density / (1.0 + s * s);
}

double PseudoIsothermalSphere::potential(double x, double y, double z) const {
    const double r = norm(relative(x, y, z, centre));
    if (r >= radius) return -G * mass(radius) / r;
    const double s = r / core_radius, end = radius / core_radius;
    const double shells = 2.0 * pi * central_density * core_radius * core_radius * std::log((1.0 + end * end) / (1.0 + s * s));
    return -G * (shells + (r > 0.0 ? mass(r) / r : 0.0));
}

Array3 PseudoIsothermalSphere::acceleration(double x, double y, double z) const {
    const Array3 d = relative(x, y, z, centre);
    const double r = norm(d);
    return r > 0.0 ? scaled(d, -G * mass(r) / (r * r * r)) : Array3{};
}

double SineWave::density(double x, double y, double z) const {
    return mean_density * (1.0 + amplitude * std::cos(phase(wave_vector, x, y, z)));
}

double SineWave::box_density(const Array3& lower, const Array3& size) const {
    double wave =
        amplitude * std::cos(phase(wave_vector, lower[0] + 0.5 * size[0], lower[1] + 0.5 * size[1], lower[2] + 0.5 * size[2]));
    for (std::size_t d = 0; d < 3; ++d) wave *= sinc(wave_vector[d] * size[d]);
    return mean_density * (1.0 + wave);
}

double SineWave::potential(double x, double y, double z) const {
    const auto& k = wave_vector;
    const double k2 = 4.0 * pi * pi * (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    return -4.0 * pi * G * mean_density * amplitude / k2 * std::cos(phase(k, x, y, z));
}

Array3 SineWave::acceleration(double x, double y, double z) const {
    const auto& k = wave_vector;
    const double strength = -2.0 * G * mean_density * amplitude / (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    const double slope = strength * std::sin(phase(k, x, y, z));
    return {slope * k[0], slope * k[1], slope * k[2]};
}

double PointLattice::potential_at_point() const {
    constexpr double wigner = -2.83729747948061947667;  // sum of 1/r less the mean density's: Nijboer & Ruijgrok 1988
    return -G * mass * wigner / spacing;
}

double Sech2Layer::surface_density() const { return 2.0 * central_density * scale_height * std::tanh(z_cut / scale_height); }

double Sech2Layer::density(double, double, double z) const {
    const double h = std::abs(z - middle);
    if (h > z_cut) return 0.0;
    const double sech = 1.0 / std::cosh(h / scale_height);
    return central_density * sech * sech;
}

double Sech2Layer::box_density(const Array3& lower, const Array3& size) const {
    const auto mass_below = [&](double z) { return std::tanh(std::clamp(z - middle, -z_cut, z_cut) / scale_height); };
    return central_density * scale_height * (mass_below(lower[2] + size[2]) - mass_below(lower[2])) / size[2];
}

double Sech2Layer::potential(double, double, double z) const {
    const double h = std::abs(z - middle);
    const double outside = 2.0 * pi * G * surface_density() * std::max(h, z_cut);
    if (h >= z_cut) return outside;
    return outside + 4.0 * pi * G * central_density * scale_height * scale_height *
                         (log_cosh(h / scale_height) - log_cosh(z_cut / scale_height));
}

Array3 Sech2Layer::acceleration(double, double, double z) const {
    const double h = std::clamp(z - middle, -z_cut, z_cut);
    return {0.0, 0.0, -4.0 * pi * G * central_density * scale_height * std::tanh(h / scale_height)};
}

double OstrikerCylinder::line_mass(double r) const {
    const double s = std::min(r, r_cut) / core_radius;
    return pi * central_density * core_radius * core_radius * s * s / (1.0 + s * s);
}

double OstrikerCylinder::density(double, double y, double z) const {
    const double r = std::hypot(y - centre[1], z - centre[2]);
    const double s = r / core_radius;
    return r > r_cut ? 0.0 : central_density / ((1.0 + s * s) * (1.0 + s * s));
}

double OstrikerCylinder::potential(double, double y, double z) const {
    const double r = std::hypot(y - centre[1], z - centre[2]);
    const double outside = 2.0 * G * line_mass(r_cut) * std::log(std::max(r, r_cut) / period);
    if (r >= r_cut) return outside;
    const double s = r / core_radius, s_cut = r_cut / core_radius;
    return outside + pi * G * central_density * core_radius * core_radius * (std::log1p(s * s) - std::log1p(s_cut * s_cut));
}

Array3 OstrikerCylinder::acceleration(double, double y, double z) const {
    const double dy = y - centre[1], dz = z - centre[2];
    const double r = std::hypot(dy, dz), s = r / core_radius;
    const double strength = r < r_cut ? -2.0 * pi * G * central_density / (1.0 + s * s) : -2.0 * G * line_mass(r_cut) / (r * r);
    return {0.0, strength * dy, strength * dz};
}

}  // namespace gravlet
