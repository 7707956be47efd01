// SPDX-License-Identifier: Apache-2.0
// The laws of softened pairs: their formulas, where their branches meet, and what stands for many of them in a node.
#include "physics/softening.hpp"

#include "tests/softened_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gravlet {
namespace {

constexpr SofteningKernel plummer = SofteningKernel::plummer, spline = SofteningKernel::spline;

TEST(PairLaw, IsThatOfTheTextbooks) {
    for (const SofteningKernel kernel : {plummer, spline}) {
        for (const double softening : {1e-20, 0.01, 3.0}) {
            for (double r = 1e-3; r < 10.0; r *= 1.007) {
                const double r2 = r * softening * r * softening;
                const PairLaw<double> law = pair_law(r2, softening, kernel);
                const auto expected = test::softened_pair<long double>(r2, softening, kernel);
                EXPECT_NEAR(law.potential / static_cast<double>(expected.potential), 1.0, 1e-15) << r;
                EXPECT_NEAR(law.field / static_cast<double>(expected.field), 1.0, 3e-15) << r;
            }
        }
    }
}

TEST(PairLaw, InSinglePrecision) {
    for (double u = 0.002; u < 1.0; u *= 1.003) {
        const float r2 = static_cast<float>(u * u);
        const PairLaw<float> law = spline_law(r2, 1.0f);
        const auto expected = test::softened_pair<double>(r2, 1.0 / 2.8, spline);
        EXPECT_NEAR(law.potential / expected.potential, 1.0, 4e-7) << u;
        EXPECT_NEAR(law.field / expected.field, 1.0, 6e-7) << u;
    }
}

TEST(PairLaw, AtDistanceZeroAndBeyondTheSupport) {
    for (const SofteningKernel kernel : {plummer, spline}) {
        EXPECT_DOUBLE_EQ(pair_law(0.0, 0.25, kernel).potential, 4.0);
        EXPECT_TRUE(std::isfinite(pair_law(0.0, 0.25, kernel).field));
        EXPECT_DOUBLE_EQ(pair_law(4.0, 0.0, kernel).potential, 0.5);
    }
    EXPECT_DOUBLE_EQ(pair_law(0.0, 0.25, spline).field, 32.0 / 3.0 / std::pow(0.7, 3));
    EXPECT_EQ(pair_law(std::pow(2.8 * 0.25, 2), 0.25, spline).potential, 1.0 / std::sqrt(std::pow(2.8 * 0.25, 2)));
}

// Along the line, and across it: with n = unit (r, 0, 0).
TEST(PairLaw, TideIsTheFieldsDerivative) {
    for (const SofteningKernel kernel : {plummer, spline}) {
        for (double r = 0.02; r < 4.0; r += 0.03) {
            constexpr double step = 1e-5;
            const auto pull = [&](double at) { return -pair_law(at * at, 1.0, kernel).field * at; };
            const PairLaw<double> law = pair_law(r * r, 1.0, kernel);
            EXPECT_NEAR(law.tide * law.unit * r * law.unit * r - law.field, (pull(r + step) - pull(r - step)) / (2.0 * step),
                        4.3e-10)
                << r;
        }
    }
}

// The field is what the potential falls by.
TEST(PairLaw, FieldIsTheGradient) {
    for (const SofteningKernel kernel : {plummer, spline}) {
        for (double r = 0.02; r < 4.0; r += 0.03) {
            constexpr double step = 1e-5;
            const auto potential = [&](double at) { return pair_law(at * at, 1.0, kernel).potential; };
            const double slope = (potential(r - step) - potential(r + step)) / (2.0 * step);
            EXPECT_NEAR(pair_law(r * r, 1.0, kernel).field * r, slope, 1e-10) << r;
        }
    }
}

/// A node of sources of some lengths.
struct Mixture {
    std::vector<float> softening;
    std::vector<double> mass;

    [[nodiscard]] Node node() const {
        Node node{};
        double total = 0.0, mean2 = 0.0, mean4 = 0.0;
        for (std::size_t i = 0; i < mass.size(); ++i) {
            const double square = double{softening[i]} * softening[i];
            total += mass[i], mean2 += mass[i] * square, mean4 += mass[i] * square * square;
        }
        node.softening2 = static_cast<float>(mean2 / total);
        const auto [least, most] = std::ranges::minmax(softening);
        node.least_softening = least, node.most_softening = most;
        node.mixture = mixture_of(node, mean4 / total);
        EXPECT_NEAR(mean_softening4(node), mean4 / total, 4.4e-6 * std::pow(most, 4));
        return node;
    }
    [[nodiscard]] double mean_of_larger(float own) const {
        double total = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < mass.size(); ++i) total += mass[i], sum += mass[i] * std::pow(std::max(own, softening[i]), 2);
        return sum / total;
    }
};

TEST(NodeSoftening, OfTwoLengthsIsExact) {
    for (const float least : {0.0f, 0.1f, 0.3f}) {
        const Mixture two{{least, 0.3f, least}, {1.0, 0.7, 0.2}};
        for (const float own : {0.0f, 0.05f, 0.1f, 0.2f, 0.3f, 0.4f}) {
            const Source target{0.0, 0.0, 0.0, 1.0f, own};
            EXPECT_NEAR(node_softening2(target, two.node(), plummer) / std::max(two.mean_of_larger(own), 1e-30), 1.0, 1.2e-7)
                << own;
            EXPECT_EQ(node_softening2(target, two.node(), spline), 0.0);
        }
    }
}

TEST(NodeSoftening, OfManyLengthsIsNear) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<float> uniform;
    Mixture many;
    for (int i = 0; i < 1000; ++i) many.softening.push_back(uniform(random)), many.mass.push_back(1.0);
    for (float own = 0.0f; own < 1.2f; own += 0.1f) {
        const double got = node_softening2(Source{0.0, 0.0, 0.0, 1.0f, own}, many.node(), plummer);
        EXPECT_NEAR(got, many.mean_of_larger(own), 0.015) << own;  // of 1, the largest
    }
}

}  // namespace
}  // namespace gravlet
