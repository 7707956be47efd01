// SPDX-License-Identifier: Apache-2.0
// Models of spheres and discs by themselves, against closed forms and the equations that they solve.
#include "tools/models/eddington.hpp"
#include "tools/models/exponential_disc.hpp"
#include "tools/models/king.hpp"
#include "tools/models/m31.hpp"
#include "tools/models/maxwellian.hpp"
#include "tools/models/orbit.hpp"
#include "tools/problems/random.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

// A sphere of mass 1 and scale 1, alone.
struct Alone {
    explicit Alone(const PowerLaws& density) : sphere(density, 1.0, 1.0, model_grid(density.edge)) {}
    Sphere sphere;
    SphericalField field = SphericalField::of(std::span(&sphere.mass(), 1));
    DistributionFunction f{sphere, field, "sphere"};
};

TEST(Models, PlummerHasItsClosedForms) {
    const Alone model(plummer_density());
    for (double r = 1e-4; r < 1e4; r *= 1.7) {
        const double depth = 1.0 / std::hypot(r, 1.0), mass = std::pow(r * depth, 3.0);
        EXPECT_NEAR(model.field.depth(r), depth, 1.5e-9 * depth) << r;
        EXPECT_NEAR(model.field.mass(r), mass, 1.6e-9 * mass) << r;
        EXPECT_NEAR(model.sphere.density(r).value, 0.75 / pi * std::pow(depth, 5.0), 7e-15 * std::pow(depth, 5.0)) << r;
        const double f = 24.0 * std::numbers::sqrt2 / (7.0 * pi * pi * pi) * std::pow(depth, 3.5);
        EXPECT_NEAR(model.f(depth), f, 7e-7 * f) << r;
    }
}

// Hernquist 1990.
TEST(Models, HernquistHasItsClosedForms) {
    const Alone model(hernquist_density());
    for (double r = 1e-4; r < 1e3; r *= 1.7) {
        const double depth = 1.0 / (1.0 + r), q = std::sqrt(depth), q2 = depth;
        EXPECT_NEAR(model.field.depth(r), depth, 9e-10 * depth) << r;
        EXPECT_NEAR(model.field.mass(r), r * r * depth * depth, 1e-7 * r * r * depth * depth) << r;
        const double polynomial = q * std::sqrt(1.0 - q2) * (1.0 - 2.0 * q2) * (8.0 * q2 * q2 - 8.0 * q2 - 3.0);
        const double f = (3.0 * std::asin(q) + polynomial) / (8.0 * std::numbers::sqrt2 * pi * pi * pi * std::pow(1.0 - q2, 2.5));
        EXPECT_NEAR(model.f(depth), f, 1.2e-5 * f) << r;
    }
}

// Density and slope go on at the edge.
TEST(Models, NfwEndsSmoothly) {
    const PowerLaws nfw = nfw_density(10.0);
    const double h = 1e-7;
    EXPECT_NEAR(nfw.at(10.0 * (1.0 + h)).value / nfw.at(10.0 * (1.0 - h)).value, 1.0, 1e-6);
    EXPECT_NEAR(nfw.at(10.0 * (1.0 + h)).slope, nfw.at(10.0 * (1.0 - h)).slope, 3e-6);
    for (const double r : {0.1, 3.0, 9.0, 11.0, 15.0}) {
        const double up = nfw.at(r * std::exp(1e-4)).value, down = nfw.at(r * std::exp(-1e-4)).value;
        EXPECT_NEAR(nfw.at(r).slope, std::log(up / down) / 2e-4, 7e-8) << r;
        EXPECT_NEAR(nfw.at(r).bend, (nfw.at(r * std::exp(1e-4)).slope - nfw.at(r * std::exp(-1e-4)).slope) / 2e-4, 7e-8) << r;
    }
    const Alone model(nfw);
    EXPECT_NEAR(model.field.mass(1.0) / model.field.mass(10.0), (std::log(2.0) - 0.5) / (std::log(11.0) - 10.0 / 11.0), 5e-12);
    EXPECT_LT(nfw.at(nfw.end()).value, 3e-20 * nfw.at(10.0).value);
}

TEST(Models, NoEquilibrium) {
    try {
        const Alone model(nfw_density(0.1));
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        EXPECT_NE(std::string(error.what()).find("the sphere has no isotropic velocities in equilibrium"), std::string::npos);
    }
}

// Integrals over f give the density back: 4 pi times that of f(E) v^2 over v.
double density_from(const auto& f, double depth) {
    double density = 0.0;
    constexpr int steps = 2000;
    for (int i = 0; i < steps; ++i) {
        const double v = std::sqrt(2.0 * depth) * (i + 0.5) / steps;
        density += 4.0 * pi * v * v * f(depth - 0.5 * v * v) * std::sqrt(2.0 * depth) / steps;
    }
    return density;
}

TEST(Models, DistributionFunctionsGiveTheDensityBack) {
    for (const double edge : {1.0, 10.0, 100.0}) {
        const Alone model(nfw_density(edge));
        for (const double share : {0.05, 0.5, 0.9, 1.1, 1.5}) {
            const double r = share * edge, density = model.sphere.density(r).value;
            EXPECT_NEAR(density_from(model.f, model.field.depth(r)), density, 4e-3 * density) << edge << " " << r;
        }
    }
}

// Mean squares of the speed drawn at some radii: 3 times what Jeans' equation says of one direction,
// 1/rho times the integral of rho M/r^2 from r on.
double jeans(const auto& density, const auto& mass, double r) {
    double pressure = 0.0;
    const double h = 1e-3;
    for (double x = r * std::exp(0.5 * h); x < 1e4 * r; x *= std::exp(h)) pressure += h * density(x) * mass(x) / x;
    return pressure / density(r);
}

double mean_square(const IsotropicSphere& sphere, double r, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        RandomSequence next(3, static_cast<std::uint64_t>(i));
        const double speed = sphere.speed(r, next);
        sum += speed * speed;
    }
    return sum / count;
}

TEST(Models, SpeedsFollowJeans) {
    for (const PowerLaws& law : {plummer_density(), hernquist_density(), nfw_density(10.0)}) {
        const Alone model(law);
        const IsotropicSphere sphere = IsotropicSphere::alone(law, "sphere");
        for (const double r : {0.03, 0.3, 1.0, 3.0, 9.0, 12.0}) {
            const double expected = 3.0 * jeans([&](double x) { return model.sphere.density(x).value; },
                                                [&](double x) { return model.field.mass(x); }, r);
            EXPECT_NEAR(mean_square(sphere, r, 100000), expected, 0.012 * expected) << law.inner << " " << law.outer << " " << r;
        }
    }
    for (const double w0 : {1.0, 6.0, 12.0}) {
        const KingModel king = king_model(w0);
        const IsotropicSphere sphere = king.sphere();
        for (const double share : {0.01, 0.1, 0.3, 0.8}) {
            const double r = share * king.tidal_radius;
            const double expected = 3.0 * jeans([&](double x) { return KingModel::density(king.depth(x) / king.sigma2); },
                                                [&](double x) { return king.mass(x); }, r);
            EXPECT_NEAR(mean_square(sphere, r, 100000), expected, 0.007 * expected) << w0 << " " << r;
        }
    }
}

// Concentrations lg(tidal radius/King radius) as they are known (King 1966, Binney & Tremaine 2008).
TEST(Models, KingEndsWhereItDoes) {
    EXPECT_NEAR(std::log10(king_model(3.0).tidal_radius), 0.67, 0.005);
    EXPECT_NEAR(std::log10(king_model(6.0).tidal_radius), 1.255, 5e-4);
    EXPECT_NEAR(std::log10(king_model(9.0).tidal_radius), 2.12, 0.005);
    const KingModel king = king_model(6.0);
    EXPECT_NEAR(king.mass.values().back(), 1.0, 5e-16);
    EXPECT_NEAR(king.depth(king.tidal_radius), 0.0, 2.4e-13 * king.sigma2);
    EXPECT_NEAR(king.depth(1e-4), 6.0 * king.sigma2, 4.4e-8 * king.sigma2);
    EXPECT_NEAR(king.sphere().radius(1.0), king.tidal_radius, 0.03 * king.tidal_radius);
    // Either side of where its closed form gives way to a series.
    EXPECT_NEAR(KingModel::density(0.00999999) / KingModel::density(0.01), 1.0, 1e-5);
}

TEST(Models, RadiiFollowTheMass) {
    const IsotropicSphere plummer = IsotropicSphere::alone(plummer_density(), "sphere");
    const IsotropicSphere hernquist = IsotropicSphere::alone(hernquist_density(), "sphere");
    for (const double share : {1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999}) {
        const double root = std::sqrt(share), r = root / (1.0 - root), s = 1.0 / std::sqrt(std::pow(share, -2.0 / 3.0) - 1.0);
        EXPECT_NEAR(hernquist.radius(share), r, 2e-4 * r);
        EXPECT_NEAR(plummer.radius(share), s, 2e-4 * s);
    }
}

TEST(Models, ThinDisc) {
    const DiscSpec disc{.mass = 2.0, .scale = 3.0, .height = 0.3, .toomre_q = 1.5};
    const RadialGrid grid = model_grid();
    const RadialTable within = disc_mass_within(disc, grid);
    EXPECT_NEAR(within(3.0), 2.0 * (1.0 - 2.0 / std::numbers::e), 2.5e-9);
    EXPECT_NEAR(within(1e-3), 2.0 * 0.5 * std::pow(1e-3 / 3.0, 2), 7e-11);
    EXPECT_DOUBLE_EQ(within(1e6), 2.0);

    // Alone but for nearly nothing: the greatest circular speed, 0.6218 sqrt(M/Rd) at 2.15 Rd, is known (Freeman 1970).
    const Sphere nothing(hernquist_density(), 1e-9, 1.0, grid);
    const ExponentialDisc alone(disc, SphericalField::of(std::span(&nothing.mass(), 1)));
    EXPECT_NEAR(alone.circular_speed(2.15 * 3.0), 0.6218 * std::sqrt(2.0 / 3.0), 5e-4);
    EXPECT_NEAR(alone.circular_speed(150.0), std::sqrt(2.0 / 150.0), 3e-4);

    // In a point mass: circles, and the epicyclic frequency is the angular one.
    const Sphere point(plummer_density(), 1e6, 1e-3, grid);
    const ExponentialDisc light(disc, SphericalField::of(std::span(&point.mass(), 1)));
    const ExponentialDisc::Motion motion = light.motion(6.0);
    EXPECT_NEAR(motion.azimuthal, 0.5 * motion.radial, 5.7e-6 * motion.radial);
    EXPECT_NEAR(motion.rotation, std::sqrt(1e6 / 6.0), 2e-6 * motion.rotation);
    // Toomre's Q is sigma kappa/(3.36 G Sigma); what dispersions take from rotation is sigma^2 (1 - 1/4 - 2 R/Rd) (Hernquist
    // 1993).
    const double angular = std::sqrt(1e6 / 216.0), surface = 2.0 / (2.0 * pi * 9.0) * std::exp(-2.0);
    EXPECT_NEAR(light.toomre_q(6.0) * 3.36 * surface / (motion.radial * angular), 1.0, 9e-6);
    const ExponentialDisc warm({.mass = 2.0, .scale = 3.0, .height = 0.3, .toomre_q = 1e4},
                               SphericalField::of(std::span(&point.mass(), 1)));
    for (const double R : {1.0, 3.0, 6.0}) {
        const ExponentialDisc::Motion of = warm.motion(R);
        const double taken = std::pow(warm.circular_speed(R), 2) - of.rotation * of.rotation;
        EXPECT_NEAR(taken / (of.radial * of.radial), 2.0 * R / 3.0 - 0.75, 2.5e-5) << R;
    }
    // The mean of z^2 is pi^2/12 z0^2, and R a bit less than the distance.
    EXPECT_NEAR(motion.vertical * motion.vertical, pi * pi / 12.0 * 0.09 * 1e6 / 216.0, 0.02 * motion.vertical * motion.vertical);
}

TEST(Models, AndromedasDisc) {
    const M31 galaxy(1.8);
    double least = 100.0;
    for (double R = 0.1; R < 50.0; R *= 1.01) least = std::min(least, galaxy.disc.toomre_q(R));
    EXPECT_NEAR(least, 1.8, 1e-4);
    // The rotation is flat, in km/s.
    EXPECT_NEAR(galaxy.disc.circular_speed(10.0) * 207.38, 243.0, 1.2);
    EXPECT_NEAR(galaxy.disc.circular_speed(25.0) * 207.38, 226.0, 10.0);
}

// The closed form against draws.
TEST(Models, CutGaussian) {
    for (const double sigma : {0.3, 0.7, 2.0}) {
        double sum = 0.0;
        for (std::uint64_t i = 0; i < 100000; ++i) {
            RandomSequence next(5, i);
            const Array3 v = cut_gaussian(sigma, 1.5, next);
            sum += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        }
        const double expected = mean_square_speed(sigma, 1.5);
        EXPECT_NEAR(sum / 100000.0, expected, 0.01 * expected) << sigma;
        EXPECT_NEAR(dispersion_of(expected, 1.5), sigma, 1.6e-13);
    }
    EXPECT_EQ(dispersion_of(0.0, 1.5), 0.0);
}

TEST(Models, KeplerOrbit) {
    for (const double eccentricity : {0.0, 0.3, 0.9, 1.0, 2.0}) {
        const double pericentre = 0.7, mass = 3.0;
        const double most = std::min(10.0, apocentre(eccentricity, pericentre));
        for (const double part : {0.0, 0.4, 1.0}) {
            const double r = pericentre + part * (most - pericentre);
            const RelativeState at = kepler_orbit(mass, eccentricity, pericentre, r);
            EXPECT_EQ(at.position, (Array3{r, 0.0, 0.0}));
            const double vx = at.velocity[0], vy = at.velocity[1];
            EXPECT_LE(vx, 0.0);
            EXPECT_NEAR(0.5 * (vx * vx + vy * vy) - mass / r, -0.5 * mass * (1.0 - eccentricity) / pericentre, 4e-15);
            EXPECT_NEAR(r * vy, std::sqrt(mass * pericentre * (1.0 + eccentricity)), 1.3e-15);
        }
    }
}

}  // namespace
}  // namespace gravlet
