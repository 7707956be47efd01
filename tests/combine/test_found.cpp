// SPDX-License-Identifier: Apache-2.0
// Combinations that were wrong once, shrunk. One rank or more.
#include "tests/combine/play.hpp"

#include <gravlet/option_list.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <random>

namespace gravlet::combine {
namespace {

Case case_in(const char* boundary, const char* domain) {
    Case c;
    MPI_Comm_size(MPI_COMM_WORLD, &c.ranks);
    set_option(c.options, "backend", "cpu");
    set_option(c.options, "threads", "1");
    set_option(c.options, "boundary", boundary);
    set_option(c.options, "domain", domain);
    return c;
}

void expect_good(const Case& c) {
    const Verdict verdict = play(c);
    EXPECT_TRUE(verdict.good()) << verdict.text << "\n" << as_code(c);
}

/// Its lower face is a rounding below the domain's: -55.5 in place of -0.36.
TEST(CombineFound, OneCellOnALowerFace) {
    Case c = case_in("periodic",
                     "[[7.2177820078446615, 9.080441019506736, -6.798472152215895], [24.445516854377953, "
                     "17.694308442773384, 6.122328982684072]]");
    constexpr double h = 4.306933711633323;
    c.bodies.cells.push_back({{22.292049998561293, 15.540841586956722, -4.645005296399235}, {h, h, h}, 1.0, true, 0});
    c.layout.cubes = true;
    expect_good(c);
}

/// A point on the upper face of a box that is no cube: -2.16 in place of -1.07.
TEST(CombineFound, PointOnAnUpperFace) {
    Case c = case_in("[isolated, periodic, periodic]", "[[0, -2, 2], [4, 2, 5]]");
    c.bodies.cells.push_back({{3.5, -1.5, 4.5}, {1.0, 1.0, 1.0}, 1.0, true, 0});
    c.bodies.cells.push_back({{3.5, -0.5, 4.5}, {1.0, 1.0, 1.0}, 1.0, true, 0});
    c.bodies.points.push_back({{4.0, -0.7828914895491419, 5.0}, 1.0, 0.0, true, 0});
    c.layout.cubes = true;
    expect_good(c);
}

/// A guard cell on a cell whose centre is, but for a rounding, where two pieces of the box meet: 794704 in place of 272035.
TEST(CombineFound, GuardCellWherePiecesMeet) {
    Case c = case_in("periodic",
                     "[[-2.98811651364314, 5.97623302728628, -8.964349540929419], "
                     "[8.964349540929419, 14.9405825682157, -5.976233027286279]]");
    const Vector side{2.98811651364314, 0.9960388378810466, 0.747029128410785};
    const std::vector<double> heavy{0.007, 190905, 1.2, 397622, 0.0004, 3e-5, 4e-5, 198, 0.07, 64704, 0.8, 10490},
        light{1e-6, 4e-5, 0.0003, 0.01, 0.002, 3e-6, 0.01, 1e-5, 0.0004, 4039, 0.002, 19905},
        beside{1.05, 0.0002, 0.0006, 0.003, 0.18, 6077, 4647, 0.02, 1e-6, 385245, 0.3, 9.7};
    c.bodies.patches.push_back({{-2.98811651364314, 11.95246605457256, -8.964349540929419}, side, {1, 3, 4}, heavy, true, 0});
    c.bodies.patches.push_back({{2.98811651364314, 11.95246605457256, -8.964349540929419}, side, {1, 3, 4}, light, true, 0});
    c.bodies.patches.push_back({{5.976233027286279, 11.95246605457256, -8.964349540929419}, side, {1, 3, 4}, beside, true, 0});
    c.layout.cubes = true, c.layout.guards = {1, 1, 1};
    expect_good(c);
}

/// A rank with one body alone: what acted on it was its own mass, nearby, and so any node would do. (-0.50, -1.69) in place of
/// (-0.20, -1.22).
TEST(CombineFound, LoneBodyOfARank) {
    Case c = case_in("isolated", "none");
    if (c.ranks == 1) GTEST_SKIP() << "one rank";
    constexpr double h = 0.47174385885332204;
    c.bodies.cells.push_back({{0.7076157882799831, 2.8304631531199322, 1.179359647133305}, {h, 4.0 * h, h}, 1.0, true, 0});
    c.bodies.cells.push_back({{0.7076157882799831, 4.71743858853322, 1.179359647133305}, {h, 4.0 * h, h}, 1.0, true, 0});
    c.bodies.cells.push_back({{0.7076157882799831, 4.71743858853322, 2.122847364839949}, {h, 4.0 * h, h}, 1.0, true, 1});
    c.cells_want.acceleration = true;
    for (const char* criterion : {"acceleration", "multipole"}) {
        set_option(c.options, "criterion", criterion);
        expect_good(c);
    }
}

/// A few points of a rank where another has a crowd, all of one key: the trees' parts did not fall apart, for ever.
TEST(CombineFound, FewBesideACrowdOfAnotherRank) {
    Case c = case_in("isolated", "none");
    if (c.ranks == 1) GTEST_SKIP() << "one rank";
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> near(0.3, 0.3 + 1e-7);
    c.points_want.acceleration = true;
    for (int draw = 0; draw < 40; ++draw) {
        c.bodies.points.clear();
        for (const double corner : {0.0, 1.0}) c.bodies.points.push_back({{corner, corner, corner}, 1.0, 0.0, true, 0});
        for (int i = 0; i < 24; ++i)
            c.bodies.points.push_back({{near(random), near(random), near(random)}, 1.0, 0.0, true, i < 5 ? 0 : 1});
        expect_good(c);
    }
}

/// Guard cells at one place whose shortest sides alone are equal: one got the own potential of the other's sides, 47% off.
TEST(CombineFound, GuardCellsOfTwoShapes) {
    Case c = case_in("isolated", "none");
    c.bodies.patches.push_back({{0.0, 0.0, 0.0}, {1.0, 2.0, 4.0}, {1, 1, 1}, {9.0}, true, 0});
    c.bodies.patches.push_back({{1.0, 0.0, 0.0}, {1.0, 2.0, 4.0}, {1, 1, 1}, {1.0}, true, 0});
    c.bodies.patches.push_back({{1.0, 4.0, 0.0}, {1.0, 6.0, 4.0}, {1, 1, 1}, {1.0}, true, 0});
    c.layout.guards = {1, 1, 1};
    for (c.seed = 0; c.seed < 20; ++c.seed) expect_good(c);  // draws the guard cells that are compared
}

/// One point, and a probe so far from it in the caller's units that no float holds the square: 0 in place of -2.1e-26.
TEST(CombineFound, ProbeFarFromALonePoint) {
    Case c = case_in("isolated", "none");
    c.bodies.points.push_back({{-1.176e25, 1.39e25, 3.148e25}, 1.0, 0.0, true, 0, 1});
    c.bodies.probes.push_back({{-1.87e25, 1.496e25, 7.858e25}, c.ranks - 1});
    expect_good(c);
}

/// A tidal tensor that no float holds is infinite, and of the right sign, in an array of floats.
TEST(CombineFound, TideBeyondFloats) {
    Case c = case_in("isolated", "none");
    for (const double z : {-5.770856991615878, -5.7708569916158785, 5.77})
        c.bodies.points.push_back({{0.4, 0.3, z}, 0.31393999377493265, 0.0, true, 0});
    c.points_want = {true, true, true};
    c.layout.float_results = true;
    expect_good(c);
}

}  // namespace
}  // namespace gravlet::combine
