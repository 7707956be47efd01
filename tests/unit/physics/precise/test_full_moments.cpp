// SPDX-License-Identifier: Apache-2.0
// Moments of a solve in double: what a node of random masses does, softened or not, falls short of their sum by one power of
// size / distance more with each degree; moved moments are those about the new centre.
#include "physics/precise/full_moments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace gravlet {
namespace {

struct Mass {
    double m;
    Vector3 at;
};

/// In a cube of side 1 around 0.
std::vector<Mass> random_masses() {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    std::vector<Mass> masses;
    for (int i = 0; i < 20; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        masses.push_back({1.0 + uniform(random), {x, y, z}});
    }
    return masses;
}

template <int P>
std::vector<double> terms_about(const std::vector<Mass>& masses, const Vector3& centre) {
    FullMoments<P> sums;
    for (const Mass& mass : masses) sums.add_mass(mass.m, {mass.at.x - centre.x, mass.at.y - centre.y, mass.at.z - centre.z});
    std::vector<double> terms;
    for (int k = 0; k < FullMoments<P>::count; ++k) terms.push_back(sums[k]);
    return terms;
}

/// Relative errors of potential, field and tidal tensor at a distance, in a direction of no symmetry.
template <int P, bool softened>
std::array<double, 3> errors_at(double distance, double softening) {
    const std::vector<Mass> masses = random_masses();
    const std::vector<double> terms = terms_about<P>(masses, {0.0, 0.0, 0.0});
    std::vector<double> expansion(static_cast<std::size_t>(expansion_count(P, softened)));
    expand<P>(terms.data(), softened, expansion.data());
    const double x = 0.6 * distance, y = -0.48 * distance, z = 0.64 * distance, softening2 = softening * softening;
    Jet<double, 2> got{};
    add_expansion<P, softened>(got, x, y, z, 1.0 / std::sqrt(distance * distance + softening2), softening2, expansion.data(),
                               [](double v) { return v; });
    std::array<double, 10> exact{};
    for (const Mass& mass : masses) {
        const std::array<double, 3> d = {x - mass.at.x, y - mass.at.y, z - mass.at.z};
        const double q = 1.0 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening2), q3 = q * q * q;
        exact[0] += mass.m * q;
        for (std::size_t a = 0, k = 4; a < 3; ++a) {
            exact[1 + a] -= mass.m * d[a] * q3;
            for (std::size_t b = a; b < 3; ++b, ++k) exact[k] += mass.m * q3 * (3.0 * d[a] * d[b] * q * q - (a == b ? 1.0 : 0.0));
        }
    }
    std::array<double, 3> errors{};
    for (int field = 0; field < 3; ++field) {
        double error2 = 0.0, size2 = 0.0;
        for (std::size_t k = field > 0 ? component_count(field - 1) : 0; k < component_count(field); ++k) {
            error2 += std::pow(got.term[k] - exact[k], 2);
            size2 += exact[k] * exact[k];
        }
        errors[static_cast<std::size_t>(field)] = std::sqrt(error2 / size2);
    }
    return errors;
}

template <int P, bool softened>
void expect_power(double softening) {
    const auto near = errors_at<P, softened>(6.0, softening), far = errors_at<P, softened>(12.0, softening);
    for (std::size_t field = 0; field < 3; ++field) {
        const double power = std::log2(near[field] / far[field]);
        EXPECT_NEAR(power, P + 1, 1.0) << "order " << P << ", softening " << softening << ", field " << field;
    }
    EXPECT_LT(near[0], 0.13 * std::pow(0.073, P)) << "order " << P << ", softening " << softening;
}

TEST(FullMoments, ErrWithThePowerOfTheFirstDegreeLeftOut) {
    expect_power<2, false>(0.0), expect_power<4, false>(0.0), expect_power<6, false>(0.0), expect_power<8, false>(0.0);
    expect_power<2, true>(1.3), expect_power<4, true>(1.3), expect_power<6, true>(1.3), expect_power<8, true>(1.3);
    EXPECT_LT((errors_at<10, false>(6.0, 0.0)[2]), 3e-10);
    EXPECT_LT((errors_at<10, true>(6.0, 1.3)[2]), 2.4e-10);
}

TEST(FullMoments, WithoutSofteningBothFormsAreOne) {
    const auto one = errors_at<8, false>(5.0, 0.0), other = errors_at<8, true>(5.0, 0.0);
    for (std::size_t field = 0; field < 3; ++field) EXPECT_NEAR(one[field], other[field], 1e-14);
}

TEST(FullMoments, Moved) {
    constexpr int P = 10;
    const std::vector<Mass> masses = random_masses();
    const Vector3 child{0.1, -0.2, 0.3};
    FullMoments<P> sums;
    sums.add_terms(terms_about<P>(masses, child).data(), child);
    const std::vector<double> expected = terms_about<P>(masses, {0.0, 0.0, 0.0});
    for (int k = 0; k < FullMoments<P>::count; ++k) EXPECT_NEAR(sums[k], expected[static_cast<std::size_t>(k)], 2.6e-15) << k;
}

TEST(FullMoments, OrdersAreEven) {
    for (const auto& [asked, had] : {std::array{0, 2}, {2, 2}, {3, 4}, {4, 4}, {5, 6}, {9, 10}, {10, 10}}) {
        int taken = 0;
        with_full_order(asked, [&](auto p) { taken = decltype(p)::value; });
        EXPECT_EQ(full_order(asked), had);
        EXPECT_EQ(taken, had);
    }
    EXPECT_THROW(with_full_order(max_full_order + 1, [](auto) {}), Error);
}

}  // namespace
}  // namespace gravlet
