// SPDX-License-Identifier: Apache-2.0
// Each closed form solves Poisson's equation for its own density, is continuous at its surface, and has its mass far away or, if
// periodic, the mean potential that it should have.
#include "tools/problems/analytic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

// The Laplacian by fourth-order differences.
template <class Form>
double laplacian(const Form& form, const Array3& p, double h) {
    double sum = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = [&](double step) {
            Array3 q = p;
            q[axis] += step;
            return form.potential(q[0], q[1], q[2]);
        };
        sum += (-at(2 * h) + 16.0 * at(h) - 30.0 * at(0.0) + 16.0 * at(-h) - at(-2 * h)) / (12.0 * h * h);
    }
    return sum;
}

template <class Form>
void expect_acceleration_is_minus_gradient(const Form& form, const Array3& p) {
    const double h = 1e-5;
    const Array3 a = form.acceleration(p[0], p[1], p[2]);
    const double scale = std::abs(form.potential(p[0], p[1], p[2])) + std::hypot(a[0], a[1], a[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Array3 up = p, down = p;
        up[axis] += h;
        down[axis] -= h;
        const double gradient = (form.potential(up[0], up[1], up[2]) - form.potential(down[0], down[1], down[2])) / (2.0 * h);
        EXPECT_NEAR(a[axis], -gradient, 1e-8 * scale) << "axis " << axis;
    }
}

template <class Form>
void expect_mass_far_away(const Form& form, double mass) {
    const double r = 1e4;
    EXPECT_NEAR(r * form.potential(form.centre[0] + 0.6 * r, form.centre[1], form.centre[2] + 0.8 * r), -form.G * mass,
                1e-7 * form.G * mass);
}

const MaclaurinSpheroid spheroid{.centre = {0.5, 0.4, 0.6}, .density = 1.5, .G = 2.0};

TEST(Maclaurin, InsideAndOutsideMeetAtTheSurface) {
    for (int i = 0; i <= 20; ++i) {
        const double t = 0.5 * pi * i / 20.0, phi = 0.3 * i;
        const Array3 n = {spheroid.a1 * std::cos(t) * std::cos(phi), spheroid.a1 * std::cos(t) * std::sin(phi),
                          spheroid.a3() * std::sin(t)};
        const auto at = [&](double s) { return spheroid.potential(0.5 + s * n[0], 0.4 + s * n[1], 0.6 + s * n[2]); };
        EXPECT_NEAR(at(1.0 - 1e-10) / at(1.0 + 1e-10), 1.0, 8e-10);
        const auto slope = [&](double s) { return spheroid.acceleration(0.5 + s * n[0], 0.4 + s * n[1], 0.6 + s * n[2]); };
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(slope(1.0 - 1e-10)[axis], slope(1.0 + 1e-10)[axis], 1.5e-9);
        }
    }
}

TEST(Maclaurin, SolvesPoissonsEquation) {
    EXPECT_NEAR(laplacian(spheroid, {0.55, 0.45, 0.62}, 1e-3), 4.0 * pi * spheroid.G * spheroid.density, 8e-10);
    for (const Array3& p : {Array3{0.8, 0.4, 0.6}, Array3{0.5, 0.4, 0.75}, Array3{0.9, 0.1, 0.2}}) {
        EXPECT_NEAR(laplacian(spheroid, p, 1e-3), 0.0, 4e-8);
    }
}

TEST(Maclaurin, MassAndAcceleration) {
    expect_mass_far_away(spheroid, spheroid.mass());
    for (const Array3& p : {Array3{0.55, 0.45, 0.62}, Array3{0.8, 0.4, 0.7}, Array3{0.5, 0.4, 0.9}}) {
        expect_acceleration_is_minus_gradient(spheroid, p);
    }
}

TEST(Maclaurin, NearlyASphere) {
    const MaclaurinSpheroid round{.eccentricity = 0.02};
    const HomogeneousSphere sphere{.radius = 0.25};
    EXPECT_NEAR(round.potential(0.1, 0.05, 0.1) / sphere.potential(0.1, 0.05, 0.1), 1.0, 3e-4);
    EXPECT_NEAR(round.potential(0.5, 0.3, 0.7) / sphere.potential(0.5, 0.3, 0.7), 1.0, 3e-4);
}

TEST(Sphere, PoissonSurfaceMassAcceleration) {
    const HomogeneousSphere sphere{.centre = {1.0, 2.0, 3.0}, .radius = 0.5, .density = 3.0, .G = 0.5};
    EXPECT_NEAR(laplacian(sphere, {1.1, 2.2, 3.1}, 1e-3), 4.0 * pi * 1.5, 8e-9);
    EXPECT_NEAR(laplacian(sphere, {1.6, 2.2, 3.1}, 1e-3), 0.0, 7e-9);
    EXPECT_NEAR(sphere.potential(1.0, 2.5 - 1e-12, 3.0), sphere.potential(1.0, 2.5 + 1e-12, 3.0), 1.8e-11);
    expect_mass_far_away(sphere, pi / 6.0 * 3.0);
    expect_acceleration_is_minus_gradient(sphere, {1.1, 2.2, 3.1});
    expect_acceleration_is_minus_gradient(sphere, {1.6, 2.2, 3.1});
}

TEST(Cube, PoissonAndMass) {
    const HomogeneousCube cube{.centre = {0.5, 0.5, 0.5}, .side = 0.5, .density = 2.0, .G = 3.0};
    EXPECT_NEAR(laplacian(cube, {0.6, 0.45, 0.7}, 1e-3), 4.0 * pi * 6.0, 1.7e-8);
    EXPECT_NEAR(laplacian(cube, {0.6, 0.45, 0.8}, 1e-3), 0.0, 2.5e-8);
    expect_mass_far_away(cube, 0.25);
}

TEST(Tophat, PoissonAndMass) {
    const Tophat tophat{.centre = {0.5, 0.5, 0.5}, .side = 1.0, .radius = 0.2, .density_inside = 1.0, .density_outside = 0.01};
    EXPECT_NEAR(laplacian(tophat, {0.6, 0.45, 0.55}, 1e-3), 4.0 * pi, 5.6e-10);
    EXPECT_NEAR(laplacian(tophat, {0.8, 0.45, 0.55}, 1e-3), 0.04 * pi, 6.7e-10);
    EXPECT_NEAR(laplacian(tophat, {1.2, 0.45, 0.55}, 1e-3), 0.0, 7e-11);
    const double ball = 4.0 / 3.0 * pi * 0.008;
    EXPECT_NEAR(tophat.mass(), ball + 0.01 * (1.0 - ball), 3e-17);
    expect_mass_far_away(tophat, tophat.mass());
}

TEST(PseudoIsothermal, DensityMassAndAcceleration) {
    const PseudoIsothermalSphere sphere{
        .centre = {0.1, 0.2, 0.3}, .core_radius = 0.3, .radius = 0.6, .central_density = 2.0, .G = 1.5};
    const double r2 = 0.29, density = 2.0 / (1.0 + r2 / 0.09);  // at the centre plus (0.4, 0.3, 0.2)
    EXPECT_NEAR(sphere.density(0.5, 0.5, 0.5), density, 1e-15);
    EXPECT_EQ(sphere.density(0.5, 0.7, 0.5), 0.0);
    EXPECT_NEAR(laplacian(sphere, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 5e-8);
    EXPECT_NEAR(laplacian(sphere, {0.5, 0.7, 0.5}, 1e-3), 0.0, 3e-8);
    EXPECT_NEAR(sphere.potential(0.7 - 1e-12, 0.2, 0.3), sphere.potential(0.7 + 1e-12, 0.2, 0.3), 1e-11);
    EXPECT_NEAR(sphere.potential(0.1, 0.2, 0.3), sphere.potential(0.1, 0.2, 0.3 + 1e-6), 2e-11);
    expect_mass_far_away(sphere, sphere.mass(1.0));
    expect_acceleration_is_minus_gradient(sphere, {0.5, 0.5, 0.5});
    expect_acceleration_is_minus_gradient(sphere, {0.5, 0.7, 0.5});
    EXPECT_EQ(sphere.acceleration(0.1, 0.2, 0.3), Array3{});
}

TEST(Plummer, DensityAndAcceleration) {
    const PlummerSphere plummer{.centre = {0.1, 0.2, 0.3}, .mass = 2.0, .scale = 0.7, .G = 1.5};
    const double r2 = 0.29, a2 = 0.49;  // at the centre plus (0.4, 0.3, 0.2)
    const double density = 3.0 * 2.0 / (4.0 * pi) * a2 / std::pow(r2 + a2, 2.5);
    EXPECT_NEAR(laplacian(plummer, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 5e-8);
    expect_mass_far_away(plummer, 2.0);
    expect_acceleration_is_minus_gradient(plummer, {0.5, 0.5, 0.5});
}

TEST(Hernquist, DensityAndAcceleration) {
    const HernquistSphere hernquist{.centre = {0.1, 0.2, 0.3}, .mass = 2.0, .scale = 0.7, .G = 1.5};
    const double r = std::sqrt(0.29);
    const double density = 2.0 / (2.0 * pi) * 0.7 / (r * std::pow(r + 0.7, 3));
    EXPECT_NEAR(laplacian(hernquist, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 1.3e-7);
    const double far = 1e7;
    EXPECT_NEAR(far * hernquist.potential(far, 0.0, 0.0), -3.0, 5e-7);
    expect_acceleration_is_minus_gradient(hernquist, {0.5, 0.5, 0.5});
    EXPECT_EQ(hernquist.acceleration(0.1, 0.2, 0.3), Array3{});
}

TEST(Nfw, DensityAndAcceleration) {
    const NfwSphere nfw{.centre = {0.1, 0.2, 0.3}, .mass = 2.0, .scale = 0.7, .concentration = 3.0, .G = 1.5};
    const double r = std::sqrt(0.29), all = 4.0 * pi * NfwSphere::scaled_mass(3.0);
    const double density = 2.0 / all / (r * std::pow(r + 0.7, 2));
    EXPECT_NEAR(laplacian(nfw, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 1.2e-7);
    EXPECT_NEAR(nfw.potential(0.1 + 2.1 - 1e-9, 0.2, 0.3), nfw.potential(0.1 + 2.1 + 1e-9, 0.2, 0.3), 4e-9);
    expect_mass_far_away(nfw, 2.0);
    expect_acceleration_is_minus_gradient(nfw, {0.5, 0.5, 0.5});
    expect_acceleration_is_minus_gradient(nfw, {2.5, 0.5, 0.5});
    EXPECT_EQ(nfw.acceleration(0.1, 0.2, 0.3), Array3{});
    EXPECT_NEAR(nfw.potential(0.1, 0.2, 0.3), nfw.potential(0.1, 0.2, 0.3 + 1e-9), 1e-8);
}

// Gauss's rule of two points a direction in each of n^3 parts.
template <class F>
double average(const Array3& lower, const Array3& size, int n, const F& f) {
    double sum = 0.0;
    const auto at = [&](std::size_t d, int i) {
        return lower[d] + size[d] * (i / 2 + 0.5 + (i % 2 == 0 ? -0.5 : 0.5) / std::numbers::sqrt3) / n;
    };
    for (int i = 0; i < 2 * n; ++i)
        for (int j = 0; j < 2 * n; ++j)
            for (int k = 0; k < 2 * n; ++k) sum += f(at(0, i), at(1, j), at(2, k));
    return sum / (8.0 * n * n * n);
}

template <class Form>
void expect_poisson(const Form& form, const Array3& p, double mean_density = 0.0) {
    EXPECT_NEAR(laplacian(form, p, 1e-3), 4.0 * pi * form.G * (form.density(p[0], p[1], p[2]) - mean_density), 8.6e-8);
}

template <class Form>
void expect_box_density(const Form& form, const Array3& lower, const Array3& size) {
    const double expected = average(lower, size, 16, [&](double x, double y, double z) { return form.density(x, y, z); });
    EXPECT_NEAR(form.box_density(lower, size), expected, 2.5e-7 * expected);
}

TEST(Wave, PoissonMeansAndAcceleration) {
    const SineWave wave{.wave_vector = {1, -2, 3}, .mean_density = 1.5, .amplitude = -0.8, .G = 2.0};
    for (const Array3& p : {Array3{0.1, 0.2, 0.3}, Array3{0.9, 0.5, 0.05}}) {
        expect_poisson(wave, p, 1.5);
        expect_acceleration_is_minus_gradient(wave, p);
        EXPECT_NEAR(wave.potential(p[0] + 1.0, p[1] - 2.0, p[2] + 3.0), wave.potential(p[0], p[1], p[2]), 9e-16);
    }
    const auto potential = [&](double x, double y, double z) { return wave.potential(x, y, z); };
    EXPECT_NEAR(average({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 8, potential), 0.0, 2e-15);
    expect_box_density(wave, {0.1, 0.3, 0.2}, {0.1, 0.2, 0.15});
    expect_box_density(SineWave{}, {0.1, 0.3, 0.2}, {0.1, 0.2, 0.15});
    EXPECT_DOUBLE_EQ(wave.box_density({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}), 1.5);
}

// Ewald's sum (1921) of 1/r, of which two splittings must agree.
TEST(Lattice, PotentialAtAPoint) {
    const auto ewald = [](double a) {
        double sum = -pi / (a * a) - 2.0 * a / std::sqrt(pi);
        for (int i = -6; i <= 6; ++i)
            for (int j = -6; j <= 6; ++j)
                for (int k = -6; k <= 6; ++k) {
                    const double n2 = i * i + j * j + k * k;
                    if (n2 > 0.0)
                        sum += std::erfc(a * std::sqrt(n2)) / std::sqrt(n2) + std::exp(-pi * pi * n2 / (a * a)) / (pi * n2);
                }
        return sum;
    };
    EXPECT_NEAR(PointLattice{}.potential_at_point(), -ewald(1.8), 1.3e-15);
    EXPECT_NEAR(PointLattice{}.potential_at_point(), -ewald(2.2), 7.6e-14);
    const PointLattice lattice{.mass = 3.0, .spacing = 0.5, .G = 2.0};
    EXPECT_NEAR(lattice.potential_at_point(), -12.0 * ewald(2.0), 2e-13);
}

TEST(Layer, PoissonCutOffAndFarAway) {
    const Sech2Layer layer{.middle = 0.5, .central_density = 2.0, .scale_height = 0.2, .z_cut = 0.3, .G = 1.5};
    for (const double z : {0.5, 0.6, 0.35, 0.79, 0.85, 0.1}) {
        expect_poisson(layer, {0.3, 0.7, z});
        expect_acceleration_is_minus_gradient(layer, {0.3, 0.7, z});
    }
    for (const double edge : {0.2, 0.8}) {
        EXPECT_NEAR(layer.potential(0.0, 0.0, edge - 1e-10), layer.potential(0.0, 0.0, edge + 1e-10), 4e-9);
        EXPECT_NEAR(layer.acceleration(0.0, 0.0, edge - 1e-10)[2], layer.acceleration(0.0, 0.0, edge + 1e-10)[2], 2e-9);
    }
    expect_box_density(layer, {0.0, 0.0, 0.55}, {0.1, 0.2, 0.25});
    EXPECT_DOUBLE_EQ(layer.box_density({0.0, 0.0, -1.0}, {1.0, 1.0, 3.0}) * 3.0, layer.surface_density());
    EXPECT_EQ(layer.box_density({0.0, 0.0, 0.8}, {1.0, 1.0, 0.2}), 0.0);
    for (const double z : {-10.0, 10.0})
        EXPECT_DOUBLE_EQ(layer.potential(0.0, 0.0, 0.5 + z), 2.0 * pi * 1.5 * layer.surface_density() * 10.0);
}

TEST(Cylinder, PoissonCutOffAndFarAway) {
    const OstrikerCylinder cylinder{
        .centre = {9.0, 0.5, 0.4}, .central_density = 2.0, .core_radius = 0.2, .r_cut = 0.3, .period = 2.0, .G = 1.5};
    for (const Array3& p : {Array3{0.3, 0.5, 0.4}, Array3{0.3, 0.6, 0.3}, Array3{0.3, 0.75, 0.4}, Array3{0.3, 0.1, 0.2}}) {
        expect_poisson(cylinder, p);
        expect_acceleration_is_minus_gradient(cylinder, p);
    }
    EXPECT_NEAR(cylinder.potential(0.0, 0.8 - 1e-10, 0.4), cylinder.potential(0.0, 0.8 + 1e-10, 0.4), 1e-9);
    EXPECT_NEAR(cylinder.acceleration(0.0, 0.8 - 1e-10, 0.4)[1], cylinder.acceleration(0.0, 0.8 + 1e-10, 0.4)[1], 2.3e-9);
    const double line_mass = 0.3 * average({0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}, 16, [&](double r, double, double) {
                                 return 2.0 * pi * r * cylinder.density(0.0, 0.5 + r, 0.4);
                             });
    EXPECT_NEAR(cylinder.line_mass(1.0), line_mass, 1e-6 * line_mass);
    EXPECT_DOUBLE_EQ(cylinder.potential(0.0, 0.5, 20.4), 2.0 * 1.5 * cylinder.line_mass(0.3) * std::log(10.0));
}

}  // namespace
}  // namespace gravlet
