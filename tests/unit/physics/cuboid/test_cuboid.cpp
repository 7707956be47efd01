// SPDX-License-Identifier: Apache-2.0
// The cuboid's closed form against numerical integration, its limits, and the seam to the multipole expansion.
#include "physics/cuboid/cuboid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace gravlet {
namespace {

struct Rule {
    std::vector<double> x, w;  // Gauss-Legendre on [-1, 1]
};

Rule gauss_legendre(int n) {
    Rule rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0.0;
        for (int step = 0; step < 8; ++step) {
            double p = 1.0, before = 0.0;
            for (int k = 1; k <= n; ++k) {
                const double next = ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k;
                before = p;
                p = next;
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        rule.x.push_back(x);
        rule.w.push_back(2.0 / ((1.0 - x * x) * slope * slope));
    }
    return rule;
}

// By 24^3 points: for displacements well outside.
double integrated_outside(double dx, double dy, double dz, double lx, double ly, double lz) {
    static const Rule rule = gauss_legendre(24);
    double sum = 0.0;
    for (std::size_t i = 0; i < 24; ++i) {
        for (std::size_t j = 0; j < 24; ++j) {
            for (std::size_t k = 0; k < 24; ++k) {
                const double r = std::hypot(dx - 0.5 * lx * rule.x[i], dy - 0.5 * ly * rule.x[j], dz - 0.5 * lz * rule.x[k]);
                sum += rule.w[i] * rule.w[j] * rule.w[k] / r;
            }
        }
    }
    return -sum * lx * ly * lz / 8.0;
}

// Anywhere: a pyramid with its apex at the point on every face, integrated over the face. By div(r/|r|) = 2/r a pyramid of
// height h has half of h times the face's integral of 1/r.
double integrated_inside(const std::array<double, 3>& d, const std::array<double, 3>& l) {
    static const Rule rule = gauss_legendre(60);
    double sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
        for (const double side : {-1.0, 1.0}) {
            const double height = 0.5 * l[a] - side * d[a];
            for (std::size_t i = 0; i < rule.x.size(); ++i) {
                for (std::size_t j = 0; j < rule.x.size(); ++j) {
                    const double u = 0.5 * l[b] * rule.x[i] - d[b], v = 0.5 * l[c] * rule.x[j] - d[c];
                    sum += 0.5 * height * rule.w[i] * rule.w[j] * 0.25 * l[b] * l[c] / std::hypot(height, u, v);
                }
            }
        }
    }
    return -sum;
}

TEST(Cuboid, OutsideMatchesNumericalIntegration) {
    for (const auto& d : {std::array{1.4, 0.2, 0.3}, std::array{-1.1, 1.2, -1.3}, std::array{2.0, 3.0, 9.0}}) {
        EXPECT_NEAR(cuboid_potential(d[0], d[1], d[2], 0.7, 1.0, 0.8) / integrated_outside(d[0], d[1], d[2], 0.7, 1.0, 0.8), 1.0,
                    1.1e-13);
    }
}

TEST(Cuboid, InsideMatchesNumericalIntegration) {
    for (const auto& d : {std::array{0.0, 0.0, 0.0}, std::array{0.05, -0.1, 0.1}, std::array{-0.15, 0.2, 0.15}}) {
        EXPECT_NEAR(cuboid_potential(d[0], d[1], d[2], 0.8, 1.0, 0.9) / integrated_inside(d, {0.8, 1.0, 0.9}), 1.0, 1e-14);
    }
}

TEST(Cuboid, SelfValueOfACube) {
    EXPECT_NEAR(cube_self_constant, 3.0 * std::log((std::sqrt(3.0) + 1.0) / (std::sqrt(3.0) - 1.0)) - std::numbers::pi / 2.0,
                1.3e-15);
    EXPECT_DOUBLE_EQ(cuboid_potential(0.0, 0.0, 0.0, 0.5, 0.5, 0.5), -cube_self_constant * 0.25);
    EXPECT_DOUBLE_EQ(cuboid_self_potential(0.5, 0.5, 0.5), -2.0 * cube_self_constant);
    EXPECT_NEAR(detail::cuboid_centre_potential(0.5, 0.5, 0.5), -2.0 * cube_self_constant, 8e-15);
}

TEST(Cuboid, SelfValueOfAnyCuboid) {
    for (const auto& l : {std::array{1.0, 2.0, 3.0}, std::array{1.0, 1.0, 1e-3}, std::array{5e8, 1e9, 1e8}}) {
        const double mass = l[0] * l[1] * l[2];
        EXPECT_NEAR(cuboid_self_potential(l[0], l[1], l[2]) / (cuboid_potential(0, 0, 0, l[0], l[1], l[2]) / mass), 1.0, 1e-15);
    }
}

// A cuboid whose sides are halved at the point adds up from its parts, for which the point is a corner.
TEST(Cuboid, CornersEdgesAndFacesAddUp) {
    const double lx = 0.7, ly = 1.0, lz = 1.3, centre = cuboid_potential(0.0, 0.0, 0.0, lx, ly, lz);
    EXPECT_NEAR(8.0 * cuboid_potential(lx / 4, ly / 4, lz / 4, lx / 2, ly / 2, lz / 2) / centre, 1.0, 6e-16);
    EXPECT_NEAR(4.0 * cuboid_potential(0.0, -ly / 4, lz / 4, lx, ly / 2, lz / 2) / centre, 1.0, 6e-16);
    EXPECT_NEAR(2.0 * cuboid_potential(0.0, 0.0, -lz / 4, lx, ly, lz / 2) / centre, 1.0, 6e-16);
}

TEST(Cuboid, ContinuousAcrossSurfacesAndTheirExtensions) {
    const double tiny = 1e-9;
    for (const double x : {0.0, 0.2, 0.5, 0.9}) {
        for (const double y : {0.0, 0.5, 0.7}) {
            for (const double z : {0.1, 0.5, 1.0}) {
                const double here = cuboid_potential(x, y, z, 1.0, 1.0, 1.0);
                ASSERT_TRUE(std::isfinite(here));
                for (const double s : {-tiny, tiny}) {
                    EXPECT_NEAR(cuboid_potential(x + s, y - s, z + s, 1.0, 1.0, 1.0) / here, 1.0, 6e-9);
                    EXPECT_NEAR(cuboid_potential(x + 1e-17, y + s, z, 1.0, 1.0, 1.0) / here, 1.0, 4e-9);
                }
            }
        }
    }
}

TEST(Cuboid, BothFormsAgreeAtTheSeam) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (const auto& l :
         {std::array{1.0, 1.0, 1.0}, std::array{1.0, 0.1, 0.1}, std::array{1.0, 1.0, 0.1}, std::array{1.0, 0.5, 0.25}}) {
        for (int i = 0; i < 300; ++i) {
            const double x = normal(random), y = normal(random), z = normal(random), scale = 30.0 / std::hypot(x, y, z);
            EXPECT_NEAR(detail::cuboid_closed_form(scale * x, scale * y, scale * z, l[0], l[1], l[2]) /
                            detail::cuboid_multipoles(scale * x, scale * y, scale * z, l[0], l[1], l[2]),
                        1.0, l[0] == l[2] ? 5e-12 : 4e-11);
        }
    }
    EXPECT_NEAR(1e6 * cuboid_potential(0.6e6, 0.0, -0.8e6, 1.0, 2.0, 3.0), -6.0, 3e-12);
}

}  // namespace
}  // namespace gravlet
