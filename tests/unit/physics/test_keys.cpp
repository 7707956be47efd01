// SPDX-License-Identifier: Apache-2.0
#include "physics/keys.hpp"
#include "solver/tree/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <utility>
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

// Four cubes a side of the upper keys' grid, four of the lower keys' highest levels in each of them: the curve goes on from one
// cube into the next, and each is a run.
TEST(Keys, FollowingTheCurveLeadsBack) {
    std::mt19937 random(11);
    for (int i = 0; i < 1000; ++i) {
        const int above = static_cast<int>(random() % 12), levels = static_cast<int>(random() % 8),
                  left = key_levels - above - levels;
        const auto coordinate = [&] { return static_cast<std::uint32_t>(random() >> (32 - key_levels)); };
        const std::array<std::uint32_t, 3> at{coordinate(), coordinate(), coordinate()};
        hilbert::State state;
        const key_type upper = hilbert::descend(at[0], at[1], at[2], above, state);
        const key_type whole = hilbert_key((at[0] + 0.5) / (1 << key_levels), (at[1] + 0.5) / (1 << key_levels),
                                           (at[2] + 0.5) / (1 << key_levels), above + levels);
        const key_type place = (whole ^ upper) >> 3 * left;
        const hilbert::Offset found = hilbert::follow(static_cast<std::uint32_t>(place), levels, state);
        const auto inside = [&](std::uint32_t x) { return x >> left & ((1u << levels) - 1u); };
        EXPECT_EQ(found.x, inside(at[0]));
        EXPECT_EQ(found.y, inside(at[1]));
        EXPECT_EQ(found.z, inside(at[2]));
        hilbert::State expected;
        hilbert::descend(at[0], at[1], at[2], above + levels, expected);
        EXPECT_EQ(state.e, expected.e);
        EXPECT_EQ(state.d, expected.d);
    }
}

TEST(Keys, LowerKeysContinueTheCurve) {
    const std::array<int, 3> corner{4 << 10, 4 << 12, 4 << 15};
    std::vector<std::pair<std::array<key_type, 2>, std::array<int, 3>>> places;
    for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 16; ++y) {
            for (int z = 0; z < 16; ++z) {
                const auto position = [&](int axis, int place) {
                    return std::ldexp(corner[static_cast<std::size_t>(axis)] + (place + 0.5) / 4, -key_levels);
                };
                const double p[] = {position(0, x), position(1, y), position(2, z)};
                places.push_back({{hilbert_key(p[0], p[1], p[2]), lower_hilbert_key(p[0], p[1], p[2], 2)}, {x, y, z}});
            }
        }
    }
    std::ranges::sort(places);
    for (std::size_t i = 1; i < places.size(); ++i) {
        int distance = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) distance += std::abs(places[i].second[axis] - places[i - 1].second[axis]);
        EXPECT_EQ(distance, 1) << "between " << i - 1 << " and " << i;
        EXPECT_EQ(places[i].first[0] != places[i - 1].first[0], i % 64 == 0);
    }
}

TEST(Keys, CommonLevelOfBothKeys) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int i = 0; i < 1000; ++i) {
        std::array<double, 3> a{uniform(random), uniform(random), uniform(random)}, b = a;
        const double step = std::exp2(-44.0 * uniform(random));
        for (double& x : b) x = std::clamp(x + step * (uniform(random) - 0.5), 0.0, 0.999999);
        int expected = 0;
        const auto same = [&](int level) {
            const auto place = [level](double x) { return std::floor(std::ldexp(x, level)); };
            return place(a[0]) == place(b[0]) && place(a[1]) == place(b[1]) && place(a[2]) == place(b[2]);
        };
        while (expected < deepest_level && same(expected + 1)) ++expected;
        const key_type upper[] = {hilbert_key(a[0], a[1], a[2]), hilbert_key(b[0], b[1], b[2])};
        const key_type lower[] = {lower_hilbert_key(a[0], a[1], a[2]), lower_hilbert_key(b[0], b[1], b[2])};
        const Keys keys{upper, lower};
        EXPECT_EQ(common_level(keys, 0, 1), expected);
        EXPECT_EQ(keys.equal(0, 1), expected == deepest_level);
        EXPECT_EQ(common_level(Keys{upper, nullptr}, 0, 1), std::min(expected, key_levels));
        for (int level = 0; level < expected; ++level) EXPECT_EQ(child_digit(keys, 0, level), child_digit(keys, 1, level));
        if (expected < deepest_level) {
            EXPECT_NE(child_digit(keys, 0, expected), child_digit(keys, 1, expected));
        }
    }
}

// A centre of mass that rounding has taken across faces of its cube, by up to eight units in the last place, is put back to where
// its masses are, and moved no farther than that takes.
TEST(Keys, CentresOfMassStayInTheirCubes) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    std::size_t outside = 0;
    for (int pass = 0; pass < 20'000; ++pass) {
        RootCube root;
        root.side = 1.0 - 0.49 * uniform(random);
        root.corner = {uniform(random) - 0.5, 2.0 * uniform(random) - 1.0, uniform(random)};
        const int level = 1 + pass % 12;
        const double cubes = std::ldexp(1.0, level);
        const std::array<double, 3> corner{root.corner.x, root.corner.y, root.corner.z};
        std::array<double, 3> inside{}, at{}, middle{};
        for (std::size_t d = 0; d < 3; ++d) {
            const double cube = std::floor(cubes * uniform(random)), upper = uniform(random) < 0.5 ? 1.0 : 0.0;
            middle[d] = corner[d] + root.side * (cube + 0.5) / cubes;
            inside[d] = corner[d] + root.side * (cube + 0.5 + (upper - 0.5) * (1.0 - 1e-9 * uniform(random))) / cubes;
            at[d] = corner[d] + root.side * (cube + upper) / cubes + (upper - 0.5) * 16.0 * 0x1p-53 * uniform(random);
        }
        const Vector3 source{inside[0], inside[1], inside[2]};
        Node node{};
        node.size = root.side_of(level), node.x = at[0], node.y = at[1], node.z = at[2];
        keep_in_cube(root, source, Vector3{middle[0], middle[1], middle[2]}, node);
        const std::array<double, 3> kept{node.x, node.y, node.z};
        for (int d = 0; d < 3; ++d) {
            const std::size_t k = static_cast<std::size_t>(d);
            const auto cube_of = [&](double x) { return std::floor(root.place(d, x) * cubes); };
            EXPECT_EQ(cube_of(kept[k]), cube_of(inside[k])) << pass;
            EXPECT_LE(std::abs(kept[k] - at[k]), 4e-15) << pass;
            const bool beyond = cube_of(at[k]) != cube_of(inside[k]);
            outside += beyond ? 1 : 0;
            EXPECT_TRUE(beyond || kept[k] == at[k]) << pass;
        }
    }
    EXPECT_GT(outside, 10'000u);
}

TEST(Keys, CoordinatesOutsideTheCubeAreClamped) {
    for (const double outside : {-0.1, 0.0}) EXPECT_EQ(lower_grid_coordinate(outside), 0u);
    for (const double outside : {1.0, 1.5}) EXPECT_EQ(lower_grid_coordinate(outside), (1u << key_levels) - 1u);

    EXPECT_EQ(grid_coordinate(-0.1), 0u);
    EXPECT_EQ(grid_coordinate(1.0), (1u << key_levels) - 1u);
    EXPECT_LT(hilbert_key(1.0, 1.0, 1.0), key_type{1} << 63);
}

}  // namespace
}  // namespace gravlet
