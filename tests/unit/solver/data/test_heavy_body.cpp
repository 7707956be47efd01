// SPDX-License-Identifier: Apache-2.0
#include "physics/types.hpp"
#include "solver/data/heavy_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gravlet {
namespace {

/// How many of these masses are heavy, all candidates, where all others weigh `rest`.
std::size_t heavy(const std::vector<double>& masses, double rest = 0.0) {
    std::vector<HeavyBody> candidates;
    double all = rest;
    for (const double mass : masses) candidates.push_back({0.0, 0.0, 0.0, mass, 0.0, 0, 0, 1}), all += mass;
    const HeavyChoice choice = choose_heavy(candidates, rest);
    double chosen = 0.0, before = INFINITY;
    for (const HeavyBody& h : choice.bodies) {
        EXPECT_LE(h.mass, before);
        before = h.mass;
        chosen += h.mass;
    }
    EXPECT_NEAR(chosen + choice.lighter, all, 1.1e-15 * all);
    return choice.bodies.size();
}

TEST(HeavyBody, OutweighsAllThatIsLighter) {
    EXPECT_EQ(heavy({1.0}, 65.0), 1u);
    EXPECT_EQ(heavy({1.0}, 66.0), 0u);
    EXPECT_EQ(heavy({1e-3, 1.0, 1e-6}, 1e-5), 3u);
    EXPECT_EQ(heavy({1e-3, 1.0, 1e-6}, 1e-4), 2u);
    EXPECT_EQ(heavy({}, 1.0), 0u);
}

TEST(HeavyBody, AllOfFewAndNoneOfMany) {
    EXPECT_EQ(heavy(std::vector<double>(64, 0.1)), 64u);
    EXPECT_EQ(heavy(std::vector<double>(65, 0.1)), 0u);
    std::vector<double> twins(64, 0.1);
    twins.push_back(5.0);
    EXPECT_EQ(heavy(twins), 1u);  // not some of the others
    std::vector<double> halves;
    for (int i = 0; i < 80; ++i) halves.push_back(std::ldexp(1.0, -i));
    EXPECT_EQ(heavy(halves), most_heavy);
}

TEST(HeavyBody, MassesOfOthersHave46Bits) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-60.0, 0.0);
    for (int i = 0; i < 100000; ++i) {
        const double mass = std::exp2(uniform(random));
        Source source{0.0, 0.0, 0.0, static_cast<float>(mass), 0.0f};
        source.softening = mark_of(mass, source.mass);
        ASSERT_TRUE(is_mark(source.softening));
        ASSERT_LE(std::abs(exact_mass(source) - mass), 0x1p-46 * mass);
        const double single = source.mass;
        source.softening = mark_of(single, source.mass);
        ASSERT_EQ(exact_mass(source), single);
    }
    EXPECT_EQ(exact_mass({0.0, 0.0, 0.0, 0.3f, 0.0f}), 0.3f);   // a cell
    EXPECT_EQ(exact_mass({0.0, 0.0, 0.0, 0.3f, 1e-3f}), 0.3f);  // softened
}

}  // namespace
}  // namespace gravlet
