// SPDX-License-Identifier: Apache-2.0
// Far from a line or a plane of images, beyond the Ewald table, against sums in long double over the images: fields and tidal
// fields, the derivatives that need no constant.
#include "ewald/table.hpp"
#include "solver/periodic/far_levels.hpp"
#include "solver/periodic/far_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gravlet::test {
namespace {

/// Field and tidal field of sum m/r: x, y, z, xx, xy, xz, yy, yz, zz.
struct Far {
    long double of[9] = {};

    void add(long double x, long double y, long double z) {
        const long double r2 = x * x + y * y + z * z, r3 = 1.0L / (r2 * sqrtl(r2)), d[] = {x, y, z};
        for (int a = 0; a < 3; ++a) of[a] -= d[a] * r3;
        for (int a = 0, k = 3; a < 3; ++a)
            for (int b = a; b < 3; ++b, ++k) of[k] += (3.0L * d[a] * d[b] / r2 - (a == b ? 1.0L : 0.0L)) * r3;
    }
};

void expect_near(const Jet<double, 2>& got, const Far& expected, double bound) {
    double field = 0.0, tide = 0.0;
    for (int k = 0; k < 3; ++k) field = std::hypot(field, static_cast<double>(expected.of[k]));
    for (int k = 3; k < 9; ++k) tide = std::hypot(tide, static_cast<double>(expected.of[k]));
    for (int k = 0; k < 9; ++k)
        EXPECT_NEAR(got.term[1 + k], static_cast<double>(expected.of[k]), bound * (k < 3 ? field : tide)) << k;
}

EwaldTable table_of(const std::array<bool, 3>& periodic, const std::array<double, 3>& side) {
    return {{{side, periodic}, 4, 2, 0.0}, 1};
}

// Along each axis: its image sums up alone, and what is beyond the sum is an integral.
TEST(EwaldFar, Lines) {
    for (std::size_t along = 0; along < 3; ++along) {
        std::array<bool, 3> periodic{};
        std::array<double, 3> side{40.0, 40.0, 40.0};
        periodic[along] = true, side[along] = 1.0;
        const EwaldTable table = table_of(periodic, side);
        const std::array<double, 3> places[] = {{0.3, 5.0, -1.0}, {-0.1, -4.5, 6.0}, {0.45, 0.5, 9.0}, {0.0, 30.0, 20.0}};
        for (const auto& [s, u, v] : places) {
            std::array<double, 3> at{};
            at[along] = s, at[(along + 1) % 3] = u, at[(along + 2) % 3] = v;
            Far others;
            constexpr int most = 20000;
            for (int n = -most; n <= most; ++n)
                if (n != 0) others.add(at[0] - (along == 0 ? n : 0), at[1] - (along == 1 ? n : 0), at[2] - (along == 2 ? n : 0));
            // On both sides of the line, from most + 1/2 on: the integrals of field and tidal field, to leading order.
            const long double tail = 1.0L / ((most + 0.5L) * (most + 0.5L));
            for (std::size_t a = 0; a < 3; ++a)
                others.of[a] += (a == along ? 2.0L : -1.0L) * static_cast<long double>(at[a]) * tail;
            const std::size_t diagonal[] = {3, 6, 8};
            for (std::size_t a = 0; a < 3; ++a) others.of[diagonal[a]] += (a == along ? 2.0L : -1.0L) * tail;
            expect_near(ewald_correction<2>(table.view(), at[0], at[1], at[2], false), others, 4.4e-11);
        }
    }
}

// A plane of images pulls as an even sheet does: its own body's pull is what is missing to that, and no tidal field is left.
TEST(EwaldFar, Planes) {
    for (std::size_t across = 0; across < 3; ++across) {
        std::array<bool, 3> periodic{true, true, true};
        std::array<double, 3> side{1.0, 1.5, 1.25};
        periodic[across] = false, side[across] = 40.0;
        double shortest = 1e300, area = 1.0;
        for (std::size_t d = 0; d < 3; ++d)
            if (d != across) shortest = std::min(shortest, side[d]);
        for (double& s : side) s /= shortest;
        for (std::size_t d = 0; d < 3; ++d)
            if (d != across) area *= side[d];
        const EwaldTable table = table_of(periodic, side);
        for (const double height : {7.0, -8.5, 25.0}) {
            std::array<double, 3> at{0.2, -0.3, 0.15};
            at[across] = height;
            Far others;
            others.add(at[0], at[1], at[2]);
            for (long double& one : others.of) one = -one;
            others.of[across] -= std::copysign(6.283185307179586L / area, height);
            expect_near(ewald_correction<2>(table.view(), at[0], at[1], at[2], false), others, 1.2e-13);
        }
    }
}

// What a tolerance asks for: 5.3e-5 from a coarse level and 3.7e-7 from a medium one, ten times less where tides are wanted.
TEST(FarImages, LevelsByTolerance) {
    const auto level = [](double tolerance, int derivatives, bool heavy = false) {
        return far_level({.theta = 1.0, .order = 0, .tolerance = tolerance}, derivatives, heavy);
    };
    for (const int derivatives : {0, 1}) {
        EXPECT_EQ(level(6e-5, derivatives), FarLevel::coarse);
        EXPECT_EQ(level(6e-5, derivatives, true), FarLevel::medium);
        EXPECT_EQ(level(5e-5, derivatives), FarLevel::medium);
        EXPECT_EQ(level(4e-7, derivatives), FarLevel::medium);
        EXPECT_EQ(level(3e-7, derivatives), FarLevel::fine);
        EXPECT_EQ(level(3e-7, derivatives, true), FarLevel::fine);
    }
    EXPECT_EQ(level(6e-4, 2), FarLevel::coarse);
    EXPECT_EQ(level(5e-4, 2), FarLevel::medium);
    EXPECT_EQ(level(4e-6, 2), FarLevel::medium);
    EXPECT_EQ(level(3e-6, 2), FarLevel::fine);
}

/// Polynomials are 1 at one node and 0 at the others, and about the middle of those used as far as there are nodes on both sides.
template <class Nodes>
void expect_polynomials() {
    for (double place = 0.3; place < Nodes::side - 1; place += 0.37) {
        const NodePolynomials<Nodes, double, 2> polynomials(place);
        const int begin = polynomials.begin, end = begin + Nodes::used;
        EXPECT_GE(begin, 0);
        EXPECT_LE(end, Nodes::side);
        const double off = place - 0.5 * (begin + end - 1);
        EXPECT_LE(begin > 0 ? -off : 0.0, 0.5) << place;
        EXPECT_LE(end < Nodes::side ? off : 0.0, 0.5) << place;
        // Of sums of powers: value, slope, half the curvature.
        double sums[3][3] = {};
        for (int i = 0; i < Nodes::used; ++i)
            for (int k = 0; k < 3; ++k)
                for (int power = 0; power < 3; ++power)
                    sums[k][power] += polynomials.T[k][i] * std::pow(begin + i - place, power);
        for (int k = 0; k < 3; ++k)
            for (int power = 0; power < 3; ++power) EXPECT_NEAR(sums[k][power], k == power ? 1.0 : 0.0, 2e-12) << place;
    }
}

TEST(FarImages, PolynomialsOfTheNodesAround) {
    expect_polynomials<CoarseNodes>();
    expect_polynomials<MediumNodes>();
    expect_polynomials<FineNodes>();
}

}  // namespace
}  // namespace gravlet::test
