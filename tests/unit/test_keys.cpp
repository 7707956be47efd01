// SPDX-License-Identifier: Apache-2.0
#include "solver/keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

namespace gravlet {
namespace {

struct Place {
    key_type key;
    std::array<int, 3> at;
};

/// The curve through an 8^3 grid, in order.
std::vector<Place> curve() {
    std::vector<Place> places;
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < 8; ++z) places.push_back({hilbert_key((x + 0.5) / 8, (y + 0.5) / 8, (z + 0.5) / 8), {x, y, z}});
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.key < b.key; });
    return places;
}

TEST(Keys, NeighboursOnTheCurveAreNeighboursInSpace) {
    const auto places = curve();
    for (std::size_t i = 1; i < places.size(); ++i) {
        int distance = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) distance += std::abs(places[i].at[axis] - places[i - 1].at[axis]);
        EXPECT_EQ(distance, 1) << "between " << i - 1 << " and " << i;
    }
}

TEST(Keys, AlignedRunsAreCubes) {
    const auto places = curve();
    for (std::size_t begin = 0; begin < places.size(); begin += 64) {
        std::array<int, 3> low{8, 8, 8}, high{-1, -1, -1};
        for (std::size_t i = begin; i < begin + 64; ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], places[i].at[axis]);
                high[axis] = std::max(high[axis], places[i].at[axis]);
            }
        }
        for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(high[axis] - low[axis], 3);
    }
}

TEST(Keys, CommonLevelIsTheSmallestCubeThatHoldsBoth) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int i = 0; i < 1000; ++i) {
        const std::array<double, 3> a{uniform(random), uniform(random), uniform(random)};
        std::array<double, 3> b = a;
        const double step = std::exp2(-20.0 * uniform(random));
        for (double& x : b) x = std::clamp(x + step * (uniform(random) - 0.5), 0.0, 0.999999);
        int expected = 0;
        const auto same = [&](int level) {
            bool all = true;
            for (std::size_t k = 0; k < 3; ++k)
                all = all && (grid_coordinate(a[k]) >> (key_levels - level)) == (grid_coordinate(b[k]) >> (key_levels - level));
            return all;
        };
        while (expected < key_levels && same(expected + 1)) ++expected;
        EXPECT_EQ(common_level(hilbert_key(a[0], a[1], a[2]), hilbert_key(b[0], b[1], b[2])), expected);
    }
}

TEST(Keys, CoordinatesOutsideTheCubeAreClamped) {
    EXPECT_EQ(grid_coordinate(-0.1), 0u);
    EXPECT_EQ(grid_coordinate(1.0), (1u << key_levels) - 1u);
    EXPECT_LT(hilbert_key(1.0, 1.0, 1.0), key_type{1} << 63);
}

}  // namespace
}  // namespace gravlet
