// SPDX-License-Identifier: Apache-2.0
// Each closed form solves Poisson's equation for its own density, is continuous at its surface, and has its mass far away.
#include "tools/analytic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

// The Laplacian by fourth-order differences.
template <class Body>
double laplacian(const Body& body, const Vector3& p, double h) {
    double sum = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = [&](double step) {
            Vector3 q = p;
            q[axis] += step;
            return body.potential(q[0], q[1], q[2]);
        };
        sum += (-at(2 * h) + 16.0 * at(h) - 30.0 * at(0.0) + 16.0 * at(-h) - at(-2 * h)) / (12.0 * h * h);
    }
    return sum;
}

template <class Body>
void expect_acceleration_is_minus_gradient(const Body& body, const Vector3& p) {
    const double h = 1e-5;
    const Vector3 a = body.acceleration(p[0], p[1], p[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vector3 up = p, down = p;
        up[axis] += h;
        down[axis] -= h;
        const double gradient = (body.potential(up[0], up[1], up[2]) - body.potential(down[0], down[1], down[2])) / (2.0 * h);
        EXPECT_NEAR(a[axis], -gradient, 1e-8 * std::abs(body.potential(p[0], p[1], p[2]))) << "axis " << axis;
    }
}

template <class Body>
void expect_mass_far_away(const Body& body, double mass) {
    const double r = 1e4;
    EXPECT_NEAR(r * body.potential(body.centre[0] + 0.6 * r, body.centre[1], body.centre[2] + 0.8 * r), -body.G * mass,
                1e-7 * body.G * mass);
}

const MaclaurinSpheroid spheroid{.centre = {0.5, 0.4, 0.6}, .density = 1.5, .G = 2.0};

TEST(Maclaurin, InsideAndOutsideMeetAtTheSurface) {
    for (int i = 0; i <= 20; ++i) {
        const double t = 0.5 * pi * i / 20.0, phi = 0.3 * i;
        const Vector3 n = {spheroid.a1 * std::cos(t) * std::cos(phi), spheroid.a1 * std::cos(t) * std::sin(phi),
                           spheroid.a3() * std::sin(t)};
        const auto at = [&](double s) { return spheroid.potential(0.5 + s * n[0], 0.4 + s * n[1], 0.6 + s * n[2]); };
        EXPECT_NEAR(at(1.0 - 1e-10) / at(1.0 + 1e-10), 1.0, 1e-9);
        const auto slope = [&](double s) { return spheroid.acceleration(0.5 + s * n[0], 0.4 + s * n[1], 0.6 + s * n[2]); };
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(slope(1.0 - 1e-10)[axis], slope(1.0 + 1e-10)[axis], 1e-8);
        }
    }
}

TEST(Maclaurin, SolvesPoissonsEquation) {
    EXPECT_NEAR(laplacian(spheroid, {0.55, 0.45, 0.62}, 1e-3), 4.0 * pi * spheroid.G * spheroid.density, 1e-6);
    for (const Vector3& p : {Vector3{0.8, 0.4, 0.6}, Vector3{0.5, 0.4, 0.75}, Vector3{0.9, 0.1, 0.2}}) {
        EXPECT_NEAR(laplacian(spheroid, p, 1e-3), 0.0, 1e-6);
    }
}

TEST(Maclaurin, MassAndAcceleration) {
    expect_mass_far_away(spheroid, spheroid.mass());
    for (const Vector3& p : {Vector3{0.55, 0.45, 0.62}, Vector3{0.8, 0.4, 0.7}, Vector3{0.5, 0.4, 0.9}}) {
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
    EXPECT_NEAR(laplacian(sphere, {1.1, 2.2, 3.1}, 1e-3), 4.0 * pi * 1.5, 1e-6);
    EXPECT_NEAR(laplacian(sphere, {1.6, 2.2, 3.1}, 1e-3), 0.0, 1e-6);
    EXPECT_NEAR(sphere.potential(1.0, 2.5 - 1e-12, 3.0), sphere.potential(1.0, 2.5 + 1e-12, 3.0), 1e-10);
    expect_mass_far_away(sphere, pi / 6.0 * 3.0);
    expect_acceleration_is_minus_gradient(sphere, {1.1, 2.2, 3.1});
    expect_acceleration_is_minus_gradient(sphere, {1.6, 2.2, 3.1});
}

TEST(Cube, PoissonAndMass) {
    const HomogeneousCube cube{.centre = {0.5, 0.5, 0.5}, .side = 0.5, .density = 2.0, .G = 3.0};
    EXPECT_NEAR(laplacian(cube, {0.6, 0.45, 0.7}, 1e-3), 4.0 * pi * 6.0, 1e-5);
    EXPECT_NEAR(laplacian(cube, {0.6, 0.45, 0.8}, 1e-3), 0.0, 1e-5);
    expect_mass_far_away(cube, 0.25);
}

TEST(Tophat, PoissonAndMass) {
    const Tophat tophat{.centre = {0.5, 0.5, 0.5}, .side = 1.0, .radius = 0.2, .density_inside = 1.0, .density_outside = 0.01};
    EXPECT_NEAR(laplacian(tophat, {0.6, 0.45, 0.55}, 1e-3), 4.0 * pi, 1e-5);
    EXPECT_NEAR(laplacian(tophat, {0.8, 0.45, 0.55}, 1e-3), 0.04 * pi, 1e-5);
    EXPECT_NEAR(laplacian(tophat, {1.2, 0.45, 0.55}, 1e-3), 0.0, 1e-5);
    const double ball = 4.0 / 3.0 * pi * 0.008;
    EXPECT_NEAR(tophat.mass(), ball + 0.01 * (1.0 - ball), 1e-14);
    expect_mass_far_away(tophat, tophat.mass());
}

TEST(Plummer, DensityAndAcceleration) {
    const PlummerSphere plummer{.centre = {0.1, 0.2, 0.3}, .mass = 2.0, .scale = 0.7, .G = 1.5};
    const double r2 = 0.29, a2 = 0.49;  // at the centre plus (0.4, 0.3, 0.2)
    const double density = 3.0 * 2.0 / (4.0 * pi) * a2 / std::pow(r2 + a2, 2.5);
    EXPECT_NEAR(laplacian(plummer, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 1e-5);
    expect_mass_far_away(plummer, 2.0);
    expect_acceleration_is_minus_gradient(plummer, {0.5, 0.5, 0.5});
}

TEST(Hernquist, DensityAndAcceleration) {
    const HernquistSphere hernquist{.centre = {0.1, 0.2, 0.3}, .mass = 2.0, .scale = 0.7, .G = 1.5};
    const double r = std::sqrt(0.29);
    const double density = 2.0 / (2.0 * pi) * 0.7 / (r * std::pow(r + 0.7, 3));
    EXPECT_NEAR(laplacian(hernquist, {0.5, 0.5, 0.5}, 5e-3), 4.0 * pi * 1.5 * density, 1e-4);
    const double far = 1e7;
    EXPECT_NEAR(far * hernquist.potential(far, 0.0, 0.0), -3.0, 1e-6);
    expect_acceleration_is_minus_gradient(hernquist, {0.5, 0.5, 0.5});
    EXPECT_EQ(hernquist.acceleration(0.1, 0.2, 0.3), Vector3{});
}

}  // namespace
}  // namespace gravlet
