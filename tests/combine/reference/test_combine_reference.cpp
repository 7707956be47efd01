// SPDX-License-Identifier: Apache-2.0
// The references themselves, against constants that are printed, other formulas, and their own differences.
#include "tests/combine/reference/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gravlet::combine {
namespace {

constexpr double pi = std::numbers::pi;

TEST(CombineReference, PointLatticeHasItsConstant) {
    EXPECT_NEAR(Lattice({1.0, 1.0, 1.0})({}).value, -2.8372974794806, 6.6e-14);
    EXPECT_NEAR(Lattice({2.0, 2.0, 2.0})({}).value, -0.5 * 2.8372974794806, 3.3e-14);
    const Jet own = Lattice({1.0, 1.0, 1.0})({});
    for (const std::size_t diagonal : {0u, 3u, 5u}) EXPECT_NEAR(own.second[diagonal], 4.0 * pi / 3.0, 2.6e-14);
}

TEST(CombineReference, FarFromALayerIsAPlane) {
    const Lattice layer({1.5, 0.7, 0.0});
    for (const double z : {8.0, -30.0}) {
        const Jet all = layer({0.2, 0.3, z}) + plummer_pair({0.2, 0.3, z}, 0.0);
        EXPECT_NEAR(all.value, -2.0 * pi * std::abs(z) / (1.5 * 0.7), 8e-14);
        EXPECT_NEAR(all.gradient[2], std::copysign(2.0 * pi / (1.5 * 0.7), -z), 6e-14);
    }
}

TEST(CombineReference, FilamentIsItsSeriesOfBesselFunctions) {
    const Lattice filament({0.0, 2.0, 0.0});  // along y
    for (const double rho : {0.8, 3.0, 900.0}) {
        const Vector r{0.6 * rho, 0.4, -0.8 * rho};
        double expected = -std::log(rho / 2.0);
        for (int n = 1; pi * n * rho < 40.0; ++n) expected += 2.0 * std::cyl_bessel_k(0.0, pi * n * rho) * std::cos(pi * n * 0.4);
        EXPECT_NEAR((filament(r) + plummer_pair(r, 0.0)).value, expected, 1.1e-11 * (1.0 + std::abs(expected))) << rho;
    }
}

/// A box is its layers one by one, whose sum converges as soon as the plane's part is that of a uniform mass between them.
TEST(CombineReference, BoxIsASumOfLayers) {
    const Vector r{0.3, 0.15, 0.4};
    const double height = 1.7, area = 0.8;
    const Lattice box({1.0, 0.8, height}), layer({1.0, 0.8, 0.0});
    double sum = 0.0;
    for (int n = -12; n <= 12; ++n) {
        const Vector at{r[0], r[1], r[2] + n * height};
        sum += layer(layer.nearest(at)).value + plummer_pair(layer.nearest(at), 0.0).value + 2.0 * pi * std::abs(at[2]) / area;
    }
    const double z = r[2] / height;
    sum += 2.0 * pi * height / area * (z * z - std::abs(z) + 1.0 / 6.0);
    EXPECT_NEAR((box(r) + plummer_pair(r, 0.0)).value, sum, 1.2e-12);
}

TEST(CombineReference, DerivativesAreDifferences) {
    for (const Vector& period : {Vector{1.0, 2.0, 0.7}, Vector{1.0, 0.0, 2.5}, Vector{0.0, 0.0, 1.3}})
        for (const double softening : {0.0, 0.06}) {
            const Lattice lattice(period, softening);
            const Vector r{0.31, -0.2, 0.27};
            const Jet at = lattice(r);
            constexpr double h = 1e-4;
            for (std::size_t i = 0; i < 3; ++i) {
                Vector up = r, down = r;
                up[i] += h, down[i] -= h;
                const Jet above = lattice(up), below = lattice(down);
                EXPECT_NEAR(at.gradient[i], (above.value - below.value) / (2.0 * h), 1.9e-7);
                for_pairs([&](std::size_t k, std::size_t a, std::size_t b) {
                    if (a != i) return;
                    EXPECT_NEAR(at.second[k], (above.gradient[b] - below.gradient[b]) / (2.0 * h), 7e-7);
                });
            }
        }
}

/// Of softened images and those without there is a difference of e^2/2r^3 each, but for what is near.
TEST(CombineReference, SofteningIsAllImages) {
    constexpr double e = 0.05;
    const Lattice soft({1.0, 1.0, 0.0}, e), bare({1.0, 1.0, 0.0});
    const Vector r{0.4, 0.1, 0.3};
    double difference = 0.0;
    for (int i = -200; i <= 200; ++i)
        for (int j = -200; j <= 200; ++j) {
            const double s = std::hypot(r[0] + i, r[1] + j, r[2]);
            if (i != 0 || j != 0) difference += 1.0 / std::hypot(s, e) - 1.0 / s;
        }
    EXPECT_NEAR(soft(r).value - bare(r).value, difference, 1e-4);
}

/// In a long box, too, where few waves are most of it.
TEST(CombineReference, HardlySoftenedIsBare) {
    const Vector period{27.0, 1.0, 0.99}, r{9.0, 0.1, 0.3};
    const double bare = Lattice(period)(r).value;
    EXPECT_NEAR(Lattice(period, 1e-7)(r).value, bare, 1.6e-14 * std::abs(bare));
}

TEST(CombineReference, CubeHasItsOwnPotential) {
    EXPECT_NEAR(cuboid_own_potential({2.0, 2.0, 2.0}), 0.5 * 2.3800774, 5e-8);
    double sum = 0.0;
    constexpr int n = 40;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                sum += 1.0 / std::hypot((i + 0.5) / n - 0.5, 3.0 * ((j + 0.5) / n - 0.5), 0.4 * ((k + 0.5) / n - 0.5));
    EXPECT_NEAR(cuboid_own_potential({1.0, 3.0, 0.4}), sum / (n * n * n), 3e-3);
}

}  // namespace
}  // namespace gravlet::combine
