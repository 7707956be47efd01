// SPDX-License-Identifier: Apache-2.0
// How near a node may be: nodes made by hand, of which one term of the rule alone decides, and the distances that it so has, in
// closed form. Just beyond a node is accepted, just within it is opened.
#include "mpi/virtual_roots.hpp"
#include "physics/acceptance.hpp"
#include "physics/series_error.hpp"
#include "physics/team.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/essential/roots.hpp"
#include "solver/precise/group_walk.hpp"
#include "solver/tree/moments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace gravlet::test {
namespace {

struct Mass {
    double mass, x, y, z;
    float softening = 0.0f;
};

/// Of all nodes here but those that are said to be heavy or large: they are neither.
Opening opening(double theta, int order = 2) {
    Opening out{};
    out.theta = theta, out.total_mass = 1.0, out.extent = 1.0;
    out.degree = std::max(order, 1) + 1;
    return out;
}

/// The leaf of these masses, about `centre`.
template <int P>
Node leaf_of(const std::vector<Mass>& masses, float size, const Opening& opening, const Vector3& centre = {0.0, 0.0, 0.0}) {
    std::vector<Source> sources;
    for (const Mass& m : masses)
        sources.push_back({centre.x + m.x, centre.y + m.y, centre.z + m.z, static_cast<float>(m.mass), m.softening});
    Node node{};
    node.leaf = 1, node.size = size;
    node.count = static_cast<std::uint32_t>(sources.size());
    std::vector<float> moments(std::max<std::size_t>(1, moment_count(P)));
    finish_node<P>(Alone(), node, &node, moments.data(), sources.data(), 0, centre, opening);
    return node;
}

/// A cube of side 0.001 whose nearest corner, edge or face is so far away.
TargetBox box_at(const Node& node, double distance, int directions) {
    const double each = distance / std::sqrt(static_cast<double>(directions)), side = 1e-3;
    const auto lower = [&](double from, int d) { return d < directions ? from + each : from - 0.5 * side; };
    const Vector3 low{lower(node.x, 0), lower(node.y, 1), lower(node.z, 2)};
    return {{low, {low.x + side, low.y + side, low.z + side}}, 0.0};
}

void expect_threshold(const Node& node, double distance, const Distance& by = {}, double softening = 0.0, double factor = 1.0,
                      double margin = 1e-5) {
    for (const int directions : {1, 2, 3}) {
        TargetBox beyond = box_at(node, distance * (1.0 + margin), directions),
                  within = box_at(node, distance * (1.0 - margin), directions);
        beyond.softening = within.softening = softening;
        beyond.factor = within.factor = factor;
        EXPECT_TRUE(accepts(beyond, node, by)) << distance << ' ' << directions;
        EXPECT_FALSE(accepts(within, node, by)) << distance << ' ' << directions;
    }
}

constexpr double light = 1e-6;

/// Four of these make a tetrahedron, all eight a cube, `half` from the centre in each direction.
std::vector<Mass> corners(double half, bool all, double mass = light) {
    std::vector<Mass> out;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0})
                if (all || x * y * z > 0.0) out.push_back({mass / (all ? 8.0 : 4.0), half * x, half * y, half * z});
    return out;
}

TEST(Acceptance, SideOverTheta) {
    const std::vector<Mass> cube = corners(0.002, true);
    expect_threshold(leaf_of<0>(cube, 0.01f, opening(0.5, 0)), 0.02);
    expect_threshold(leaf_of<2>(cube, 0.01f, opening(0.5)), 0.02);
    expect_threshold(leaf_of<4>(cube, 0.01f, opening(0.8, 4)), 0.0125);
}

TEST(Acceptance, DeltaIsAdded) {
    expect_threshold(leaf_of<2>({{light, 0.003, -0.004, 0.0}}, 0.02f, opening(0.5)), 0.04 + 0.005);
    expect_threshold(leaf_of<0>({{light, 0.0, 0.003, 0.004}, {light, 0.0, 0.003, 0.004}}, 0.02f, opening(0.8, 0)), 0.025 + 0.005);
    // Nothing makes it longer: here a weight of 2.
    expect_threshold(leaf_of<2>({{0x1p-8, 0.003, 0.0, 0.004}}, 0.02f, opening(0.5)), 2.0 * 0.04 + 0.005);
}

// Two masses at +-a have the quadrupole of one at a; n masses at a, in directions n_i, of degree l that of one at
// a (sum_ij P_l(n_i n_j) / n^2)^(1/2l).
TEST(Acceptance, StretchByItsMoments) {
    const double a = 0.0045;
    const std::vector<Mass> dumbbell{{light, a, 0.0, 0.0}, {light, -a, 0.0, 0.0}};
    expect_threshold(leaf_of<0>(dumbbell, 0.01f, opening(0.5, 0)), 0.02);
    expect_threshold(leaf_of<2>(dumbbell, 0.01f, opening(0.5)), a / 0.3 / 0.5);
    expect_threshold(leaf_of<4>(dumbbell, 0.01f, opening(0.5, 4)), a / 0.3 / 0.5);
    const double b = 0.002;  // not so long that it counts
    expect_threshold(leaf_of<2>({{light, 0.0, b, 0.0}, {light, 0.0, -b, 0.0}}, 0.01f, opening(0.5)), 0.02);

    const double half = 0.0049, diagonal = half * std::sqrt(3.0);
    const std::vector<Mass> tetrahedron = corners(half, false), cube = corners(half, true);
    const double third = (1.0 + 3.0 * 11.0 / 27.0) / 4.0,      // P_3(-1/3) = 11/27
        fourth = (1.0 + 3.0 / 81.0 + 3.0 / 81.0 + 1.0) / 8.0;  // P_4(+-1/3) = 1/81
    expect_threshold(leaf_of<2>(tetrahedron, 0.01f, opening(0.5)), 0.02);
    expect_threshold(leaf_of<3>(tetrahedron, 0.01f, opening(0.5, 3)), diagonal * std::pow(third, 1.0 / 6.0) / 0.36 / 0.5);
    expect_threshold(leaf_of<4>(tetrahedron, 0.01f, opening(0.5, 4)), diagonal * std::pow(third, 1.0 / 6.0) / 0.36 / 0.5);
    expect_threshold(leaf_of<3>(cube, 0.01f, opening(0.5, 3)), 0.02);
    expect_threshold(leaf_of<4>(cube, 0.01f, opening(0.5, 4)), diagonal * std::pow(fourth, 1.0 / 8.0) / 0.36 / 0.5);
}

// The sixth root of what mass is more than 2^-14 of all, or volume more than that of 1/32 of its extent.
TEST(Acceptance, HeavyAndLargeNodes) {
    const auto node = [](double mass, float size) { return leaf_of<2>({{mass, 0.0, 0.0, 0.0}}, size, opening(0.5)); };
    expect_threshold(node(0x1p-14, 0.01f), 0.02);
    expect_threshold(node(64.0 * 0x1p-14, 0.01f), 2.0 * 0.02);
    expect_threshold(node(light, 0.03125f), 0.0625);
    expect_threshold(node(light, 0.125f), 2.0 * 0.25);
    expect_threshold(node(729.0 * 0x1p-14, 0.125f), 3.0 * 0.25);
    expect_threshold(node(8.0 * 0x1p-14, 0.125f), 2.0 * 0.25);
}

TEST(Acceptance, NodesLargerThanAPieceAreOpened) {
    Opening periodic = opening(0.5);
    periodic.largest_node = 0.1;
    expect_threshold(leaf_of<2>({{light, 0.0, 0.0, 0.0}}, 0.01f, periodic), 0.02);
    const Node large = leaf_of<2>({{light, 0.0, 0.0, 0.0}}, 0.11f, periodic);
    EXPECT_FALSE(accepts(box_at(large, 1e6, 1), large, {}));
    periodic.criterion = Criterion::acceleration, periodic.alpha = 0.1;
    const Node adaptive = leaf_of<2>({{light, 0.0, 0.0, 0.0}}, 0.11f, periodic);
    TargetBox far = box_at(adaptive, 1e3, 1);
    far.factor = periodic.factor(1e40);
    EXPECT_FALSE(accepts(far, adaptive, {{}, 0.0, 1.0f}));
}

// M/d^3 is below 1e37.
TEST(Acceptance, WhatSinglePrecisionHolds) {
    expect_threshold(leaf_of<2>({{1e-5, 0.0, 0.0, 0.0}}, 1e-15f, opening(0.5)), 1e-14);
    expect_threshold(leaf_of<2>({{1e-5, 0.0, 0.0, 0.0}}, 1e-13f, opening(0.5)), 2e-13);
}

// Of three parts in one place and one at D from there, b = 3D/4 and sum m r^2 = 3 M D^2/16.
TEST(Acceptance, OtherCriteria) {
    const double mass = 4e-6, d = 0.008, b = 0.75 * d, l = 0.01, alpha = 0.02, pull = 3.0;
    const std::vector<Mass> masses{{0.75 * mass, 0.0, 0.0, -0.25 * d}, {0.25 * mass, 0.0, 0.0, 0.75 * d}};
    const auto expect = [&](auto order, Criterion criterion, bool field, double moment) {
        constexpr int P = decltype(order)::value, n = P + 1 < 2 ? 2 : P + 1;
        Opening adaptive = opening(0.5, P);
        adaptive.criterion = criterion, adaptive.alpha = alpha, adaptive.field = field;
        const double radius = std::pow(mass * moment / (alpha * pull), 1.0 / (n + (field ? 2 : 1)));
        const Node node = leaf_of<P>(masses, 0.01f, adaptive);
        expect_threshold(node, b + radius, {{}, 0.0, 1.0f}, 0.0, adaptive.factor(pull), 3e-4);
        expect_threshold(node, b + 4.0 * 0.001 + radius, {{}, 4.0, 1.0f}, 0.001, adaptive.factor(pull), 3e-4);
    };
    const double second = 3.0 / 16.0 * d * d;
    for (const bool field : {false, true}) {
        expect(Index<0>(), Criterion::acceleration, field, l * l);
        expect(Index<2>(), Criterion::acceleration, field, l * l * l);
        expect(Index<4>(), Criterion::acceleration, field, std::pow(l, 5));
        expect(Index<0>(), Criterion::multipole, field, second);
        expect(Index<2>(), Criterion::multipole, field, second * b);
        expect(Index<4>(), Criterion::multipole, field, second * b * b * b);
    }
}

// The longer length of the targets' and the node's, whose longest it is; 4 of Plummer's, 2.8 of the spline's.
TEST(Acceptance, Softening) {
    const auto node = [](float first, float second) {
        return leaf_of<2>({{light, 0.0, 0.0, 0.0, first}, {light, 0.0, 0.0, 0.0, second}}, 0.01f, opening(0.5));
    };
    const Distance plummer{{}, open_margin(SofteningKernel::plummer), 0.0f},
        spline{{}, open_margin(SofteningKernel::spline), 0.0f};
    expect_threshold(node(0.001f, 0.003f), 0.02 + 4.0 * 0.003, plummer, 0.002);
    expect_threshold(node(0.003f, 0.001f), 0.02 + 4.0 * 0.003, plummer);
    expect_threshold(node(0.0f, 0.0f), 0.02 + 4.0 * 0.002, plummer, 0.002);
    expect_threshold(node(0.001f, 0.0f), 0.02 + 4.0 * 0.002, plummer, 0.002);
    expect_threshold(node(0.001f, 0.003f), 0.02 + 2.8 * 0.003, spline, 0.002, 1.0, 1e-4);
    expect_threshold(node(0.0f, 0.0f), 0.02 + 2.8 * 0.002, spline, 0.002, 1.0, 1e-4);
}

// Across a face of the box, 0.05 away; in all directions together 0.05 sqrt(n).
TEST(Acceptance, NearestImage) {
    for (const auto& [at, low] : {std::pair(0.97, 0.02), std::pair(0.03, 0.979)}) {
        for (int directions = 1; directions <= 3; ++directions) {
            const double distance = 0.05 * std::sqrt(directions);
            const auto coordinate = [&](int d, double here, double other) { return d < directions ? here : other; };
            const Bounds box{{coordinate(0, low, 0.5), coordinate(1, low, 0.5), coordinate(2, low, 0.5)},
                             {coordinate(0, low + 0.001, 0.5), coordinate(1, low + 0.001, 0.5), coordinate(2, low + 0.001, 0.5)}};
            const Distance periodic{{1.0, directions > 1 ? 1.0 : 0.0, directions > 2 ? 1.0 : 0.0}};
            for (const double radius : {distance * 1.001, distance * 0.999}) {
                Node node{};
                node.x = at, node.y = coordinate(1, at, 0.5), node.z = coordinate(2, at, 0.5);
                node.size = 0.01f, node.open_radius = static_cast<float>(radius);
                EXPECT_EQ(accepts({box, 0.0}, node, periodic), radius < distance) << at << ' ' << directions;
                EXPECT_TRUE(accepts({box, 0.0}, node, {}));
            }
        }
    }
}

/// Notes by which images a leaf acts as a node, and by which through its sources.
struct NotedImages {
    std::vector<Vector3> as_node, by_sources;

    bool node(node_index, const Vector3& displacement) {
        as_node.push_back(displacement);
        return true;
    }
    bool sources(std::uint32_t, std::uint32_t, int, const Vector3& displacement) {
        by_sources.push_back(displacement);
        return true;
    }
};

// Of a box that repeats, the walk in double takes each image of a node by how far that image is, in every direction.
TEST(Acceptance, ImagesInDouble) {
    std::vector<Vector3> images{{0.0, 0.0, 0.0}};
    for (int k = 0; k < 27; ++k)
        if (k != 13) images.push_back({k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0});
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    std::size_t as_node = 0, by_sources = 0;
    for (int pass = 0; pass < 1000; ++pass) {
        const double x = uniform(random), y = uniform(random), z = uniform(random), low[] = {x, y, z};
        Node node{};
        node.x = uniform(random), node.y = uniform(random), node.z = uniform(random);
        node.leaf = 1, node.count = 100, node.size = 0.1f, node.open_radius = 0.8f;
        const double high[] = {x + 0.1 * uniform(random), y + 0.1 * uniform(random), z + 0.1 * uniform(random)};
        Group group{};
        group.box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}, group.factor = 1.0f;
        PreciseWalk work{};
        work.tree.nodes = &node, work.tree.node_count = 1;
        work.targets.images = images.data(), work.targets.image_count = 27;
        NotedImages noted;
        ASSERT_TRUE(walk_group(work, group, noted));
        std::vector<Vector3> far, near;
        for (const Vector3& image : images) {
            const double at[] = {node.x + image.x, node.y + image.y, node.z + image.z};
            double square = 0.0;
            for (int d = 0; d < 3; ++d) square += std::pow(std::max({low[d] - at[d], at[d] - high[d], 0.0}), 2);
            (std::sqrt(square) > node.open_radius ? far : near).push_back(image);
        }
        const auto same = [](const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
            return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                              [](const Vector3& p, const Vector3& q) { return p.x == q.x && p.y == q.y && p.z == q.z; });
        };
        EXPECT_TRUE(same(noted.as_node, far)) << pass;
        EXPECT_TRUE(same(noted.by_sources, near)) << pass;
        as_node += far.size(), by_sources += near.size();
    }
    EXPECT_GT(as_node, 10'000u);
    EXPECT_GT(by_sources, 1'000u);
}

// Rank 0's targets are a cube of side 0.2 at the origin; rank 1's mass is on the x-axis.
TEST(Acceptance, BetweenRanks) {
    const auto needs = [](double at, const Distance& by, double softening, float theirs, double factor, bool part) {
        VirtualRoots roots;
        roots.all.resize(2);
        roots.distance = by;
        roots.all[0].has_targets = 1;
        roots.all[0].box = {{{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}, softening, factor};
        FarNode far{};
        far.node.x = at, far.node.mass = 1.0f, far.node.size = 0.5f, far.node.open_radius = 1.0f;
        far.node.most_softening = theirs;
        set_extent(far.node, 0.25);
        roots.all[1].has_mass = 1;
        roots.all[1].root = far;
        roots.part_begin = {0, 0, 0};
        if (part) {  // two stand for it, of which this is the second
            roots.all[1].parts = 2;
            roots.all[1].root.node.open_radius = 1e9f;
            FarNode small = far;
            small.node.x = 10.0, small.node.open_radius = 0.01f, small.node.most_softening = 0.0f;
            roots.parts.nodes = {small, far};
            roots.part_begin = {0, 0, 2};
        }
        return roots.may_need(0, 1);
    };
    const auto expect = [&](double distance, const Distance& by, double softening = 0.0, float theirs = 0.0f,
                            double factor = 1.0) {
        for (const bool part : {false, true}) {
            EXPECT_TRUE(needs(0.1 + distance * 0.999, by, softening, theirs, factor, part)) << distance;
            EXPECT_FALSE(needs(0.1 + distance * 1.001, by, softening, theirs, factor, part)) << distance;
        }
    };
    expect(1.0, {});
    expect(1.0 + 4.0 * 0.1, {{}, 4.0, 0.0f}, 0.1);
    expect(1.0 + 4.0 * 0.2, {{}, 4.0, 0.0f}, 0.1, 0.2f);
    expect(1.0 * 3.0 + 0.25, {{}, 0.0, 1.0f}, 0.0, 0.0f, 3.0);
    for (const bool part : {false, true}) {  // the image is at -1.101 or -1.099
        EXPECT_FALSE(needs(3.0, {{4.0 + 0.101, 0.0, 0.0}, 0.0, 0.0f}, 0.0, 0.0f, 1.0, part));
        EXPECT_TRUE(needs(3.0, {{4.0 + 0.099, 0.0, 0.0}, 0.0, 0.0f}, 0.0, 0.0f, 1.0, part));
    }
}

// Rank 1 of two, with three boxes: any of them, on any face, through any period.
TEST(Acceptance, ReachThroughAnyBox) {
    const auto cube = [](double x, double y, double z) { return Bounds{{x, y, z}, {x + 1.0, y + 1.0, z + 1.0}}; };
    std::vector<TargetBox> boxes;
    for (const auto& [x, y, z] :
         {std::array{0.0, 0.0, 0.0}, {9.0, 9.0, 9.0}, {9.0, 9.0, 9.0}, {4.0, 0.0, 0.0}, {0.0, 4.0, 0.0}, {0.0, 0.0, 4.0}})
        boxes.push_back({cube(x, y, z), 0.0, 1.0});
    RemoteTargets targets{boxes.data(), 3, {}};
    for (const auto& [x, y, z] : {std::array{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}) {
        for (const double off : {-0.99, 0.99}) {
            EXPECT_TRUE(is_reached(targets, 1, cube(4.0 * x + off, 4.0 * y, 4.0 * z)));
            EXPECT_TRUE(is_reached(targets, 1, cube(4.0 * x, 4.0 * y + off, 4.0 * z)));
            EXPECT_TRUE(is_reached(targets, 1, cube(4.0 * x, 4.0 * y, 4.0 * z + off)));
        }
        for (const double off : {-1.01, 1.01}) {
            EXPECT_FALSE(is_reached(targets, 1, cube(4.0 * x + off, 4.0 * y, 4.0 * z)));
            EXPECT_FALSE(is_reached(targets, 1, cube(4.0 * x, 4.0 * y + off, 4.0 * z)));
            EXPECT_FALSE(is_reached(targets, 1, cube(4.0 * x, 4.0 * y, 4.0 * z + off)));
        }
        EXPECT_FALSE(is_reached(targets, 1, cube(-6.0 * x, -6.0 * y, -6.0 * z)));
        targets.distance.period = {10.0 * x, 10.0 * y, 10.0 * z};
        EXPECT_TRUE(is_reached(targets, 1, cube(-6.0 * x, -6.0 * y, -6.0 * z)));
        targets.distance.period = {};
    }
}

// A tightened root is what a node as large as the box around its bodies would be, and its radius grows by how far its centre of
// mass is from the middle of that.
TEST(Acceptance, TightenedRoots) {
    const std::vector<Mass> masses = corners(0.125, false);
    const auto moments_of = [&](float size) {
        MomentSums<4> sums;
        for (const Mass& m : masses) sums.add_mass(m.mass, {m.x, m.y, m.z});
        std::array<float, moment_count(4)> out{};
        sums.store(out.data(), 4.0 * masses.front().mass, size);
        return out;
    };
    const float side = 0.35f;
    const Node expected = leaf_of<4>(masses, side, opening(0.5));
    const auto moments = moments_of(side);
    for (const double off : {0.0, 0.04}) {
        FarNode root{};
        root.node = leaf_of<4>(masses, 4.0f, opening(0.5));
        std::ranges::copy(moments_of(4.0f), root.moments);
        const double half = 0.5 * static_cast<double>(side);
        const Bounds bodies{{off - half, off - half, -half}, {off + half, off + half, half}};
        tighten<4>(root, bodies, RootCube{}, opening(0.5));
        EXPECT_FLOAT_EQ(root.node.size, side);
        EXPECT_EQ(root.node.mass, expected.mass);
        for (std::size_t m = 0; m < moments.size(); ++m) EXPECT_NEAR(root.moments[m], moments[m], 4.3e-8) << m;
        EXPECT_NEAR(root.node.open_radius - std::sqrt(2.0) * off, expected.open_radius, 2.3e-7);
    }
}

// A root of another rank that is far enough, but for cells of it that are near to some targets.
TEST(Acceptance, RootsWithCellsInReach) {
    FarNode far{};
    far.node.x = 10.0, far.node.mass = 1.0f, far.node.size = 0.5f, far.node.open_radius = 1.0f;
    const TargetBox targets{{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 0.0, 1.0};
    EXPECT_TRUE(accepts(targets, far, {}));
    far.reach = {{0.9, 0.4, 0.4}, {12.0, 0.6, 0.6}};
    EXPECT_FALSE(accepts(targets, far, {}));
    far.reach.lower.x = 1.1;
    EXPECT_TRUE(accepts(targets, far, {}));
    far.node.x = 1.5, far.reach = empty_bounds();
    EXPECT_FALSE(accepts(targets, far, {}));
}

TEST(Acceptance, TargetsTogetherAskForTheMost) {
    const TargetBox one{{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 0.3, 2.0}, other{{{-1.0, 0.5, 0.5}, {0.5, 2.0, 0.6}}, 0.1, 5.0};
    for (const TargetBox& both : {united(one, other), united(other, one)}) {
        EXPECT_EQ(both.softening, 0.3);
        EXPECT_EQ(both.factor, 5.0);
        EXPECT_EQ(both.box.lower.x, -1.0);
        EXPECT_EQ(both.box.upper.y, 2.0);
        EXPECT_EQ(both.box.upper.z, 1.0);
    }
}

/// The root of all mass, below it a node of its half side and a quarter of its mass (its pull is the root's), below that one of a
/// sixteenth (again); each beside one that has next to nothing.
struct Chain {
    std::vector<Node> nodes = std::vector<Node>(5);
    std::vector<float> pulls = std::vector<float>(5);

    explicit Chain(const Opening& opening) {
        const auto set = [&](std::size_t i, float mass, float size, std::uint32_t first) {
            nodes[i].mass = mass, nodes[i].size = size, nodes[i].open_radius = size;
            nodes[i].first = first, nodes[i].count = first > 0 ? 2 : 1, nodes[i].leaf = first > 0 ? 0 : 1;
        };
        set(0, 1.0f, 1.0f, 1), set(1, 0.25f, 0.5f, 3), set(2, 1e-7f, 0.5f, 0), set(3, 0.0625f, 0.25f, 0), set(4, 1e-7f, 0.25f, 0);
        const WidenChildren widen{nodes.data(), pulls.data(), 0, opening};
        for (std::size_t i = 0; i < nodes.size(); ++i) widen(i, Alone());
    }
};

// A share above 0.012 n makes the radius grow by the n-th root of the excess, unless the node's weight has.
TEST(Acceptance, ShareOfWhatPullsThere) {
    for (const int order : {0, 2, 4}) {
        const double n = std::max(order, 1) + 1;
        const auto growth = [n](double share) { return std::pow(share / (0.012 * n), 1.0 / n); };
        Opening in_all = opening(0.5, order);
        in_all.total_mass = 1e6, in_all.extent = 1e3;
        const Chain alone(in_all);
        EXPECT_EQ(alone.nodes[0].open_radius, 1.0f);
        EXPECT_NEAR(alone.nodes[1].open_radius, 0.5 * growth(1.0 / 2.0), 3.6e-7);
        EXPECT_NEAR(alone.nodes[3].open_radius, 0.25 * growth(1.0 / 3.0), 9e-8);
        EXPECT_EQ(alone.nodes[2].open_radius, 0.5f);
        EXPECT_EQ(alone.nodes[4].open_radius, 0.25f);
        in_all.around = 3.0f;
        const Chain among(in_all);
        EXPECT_NEAR(among.nodes[1].open_radius, 0.5 * growth(1.0 / 5.0), 2.5e-7);
        EXPECT_NEAR(among.nodes[3].open_radius, 0.25 * growth(1.0 / 6.0), 8e-8);
        in_all.around = 1e3f;
        EXPECT_EQ(Chain(in_all).nodes[1].open_radius, 0.5f);
        in_all.around = 0.0f, in_all.total_mass = 16384.0 * 0.25 / 1.1;  // a weight of 1.1^(1/6)
        EXPECT_NEAR(Chain(in_all).nodes[1].open_radius, 0.5 * growth(1.0 / 2.0) / std::pow(1.1, 1.0 / 6.0), 7e-7);
        in_all.total_mass = 0.01;  // of more than all that
        EXPECT_EQ(Chain(in_all).nodes[1].open_radius, 0.5f);
        in_all.total_mass = 1e6, in_all.criterion = Criterion::acceleration;
        EXPECT_EQ(Chain(in_all).nodes[1].open_radius, 0.5f);
    }
}

TEST(Acceptance, WhatOtherRanksPull) {
    std::vector<VirtualRoot> roots(5);
    const auto set = [&](std::size_t r, double x, double y, double z, float mass, float size, float spread) {
        Node& node = roots[r].root.node;
        node.x = x, node.y = y, node.z = z, node.mass = mass, node.size = size, node.spread = spread;
        roots[r].has_mass = mass > 0.0f ? 1 : 0;
    };
    set(0, 1.0, 1.0, 1.0, 5.0f, 1.0f, 0.0625f);  // in the midst of its box: as a cube of the side squared 1/2
    set(1, 1.0, 3.0, 2.0, 2.0f, 2.0f, 0.25f);    // 4 + 1 away, and 2 by its spread
    set(2, 1.0, 1.0, 1.0, 0.0f, 1.0f, 0.0f);
    set(3, 4.0, 1.0, 1.0, 1.0f, 1.0f, 9.0f);  // 9 away, and 1 by its box
    set(4, 1.0, 1.0, 1.0, 3.0f, 1.0f, 0.0f);  // a compact one: no nearer than the own root is wide
    EXPECT_NEAR(pull_of_others(roots, 0), 2.0 / 7.0 + 1.0 / 10.0 + 3.0 / 0.5, 1e-6);
    EXPECT_EQ(pull_of_others(roots, 2), 0.0f);
}

/// The series of one mass at a distance R along z: sum r^n P_n(cos) M/R^(n + 1), as derivatives.
std::array<double, local_count> one_mass(double mass, double r) {
    std::array<double, local_count> series{};
    const auto at = [&](int a, int b, int c) -> double& { return series[static_cast<std::size_t>(local_index(a, b, c))]; };
    at(0, 0, 0) = mass / r;
    at(0, 0, 1) = mass / (r * r);
    at(0, 0, 2) = 2.0 * mass / std::pow(r, 3), at(2, 0, 0) = at(0, 2, 0) = -mass / std::pow(r, 3);
    at(0, 0, 3) = 6.0 * mass / std::pow(r, 4), at(2, 0, 1) = at(0, 2, 1) = -3.0 * mass / std::pow(r, 4);
    const double fifth = mass / std::pow(r, 5);
    at(0, 0, 4) = 24.0 * fifth, at(2, 0, 2) = at(0, 2, 2) = -12.0 * fifth, at(4, 0, 0) = at(0, 4, 0) = 9.0 * fifth;
    at(2, 2, 0) = 3.0 * fifth;
    return series;
}

// What is cut off of one mass's series: sum over n >= 5 of M/R q^n, and its derivatives, q = s/R.
TEST(SeriesError, OfOneMass) {
    for (const double q : {0.1, 0.3, 0.6}) {
        const double mass = 3.0, r = 2.0, s = q * r;
        double potential = 0.0, field = 0.0, tide = 0.0;
        for (int n = 5; n < 200; ++n) {
            const double term = mass / r * std::pow(q, n);
            potential += term, field += n * term / s, tide += n * (n - 1.0) * term / (s * s);
        }
        const SeriesError<double> error = series_error(one_mass(mass, r).data(), s, 0.9 * r);
        EXPECT_NEAR(error.potential / potential, 1.0, 1e-15);
        EXPECT_NEAR(error.field / field, 1.0, 2e-15);
        EXPECT_NEAR(error.tide / tide, 1.0, 3e-15);
        EXPECT_NEAR(error.distance / r, 1.0, 6e-16);
    }
}

// Two masses at R on either side have no degree 3: the ratio is that of the nearest that a node may be.
TEST(SeriesError, WhereDegreesDoNotTellTheDistance) {
    const double r = 2.0, s = 0.4, nearest = 1.6, q = s / nearest;
    std::array<double, local_count> series = one_mass(1.0, r);
    for (const auto& [a, b, c] : {std::array{0, 0, 1}, {0, 0, 3}, {2, 0, 1}, {0, 2, 1}})
        series[static_cast<std::size_t>(local_index(a, b, c))] = 0.0;
    const SeriesError<double> error = series_error(series.data(), s, nearest);
    EXPECT_DOUBLE_EQ(error.potential, 1.0 / r * std::pow(s / r, 4) * q / (1.0 - q));
    EXPECT_DOUBLE_EQ(error.distance, nearest);
    EXPECT_EQ(series_error(std::array<double, local_count>{}.data(), s, nearest).potential, 0.0);
}

// (theta/2)^(order + 1), of which potentials, fields and tides are allowed different parts; whichever is missed most decides.
TEST(SeriesError, EachBoundDecides) {
    const double node = std::pow(0.3, 3);  // theta 0.6, order 2
    const SeriesLimits limits = series_limits(0.6, 2);
    SeriesScale<double> scale;
    scale.potential = 2.0, scale.field = 5.0, scale.tide = 7.0;
    const double of_potential = 1e-3 * node * 2.0, of_field = 3e-2 * node * 5.0, of_tide = 0.1 * node * 7.0;
    const auto missing = [&](double potential, double field, double tide) {
        return missing_distance<2>(SeriesError<double>{potential * of_potential, field * of_field, tide * of_tide, 1.0}, scale,
                                   limits);
    };
    EXPECT_NEAR(missing(16.0, 1.0, 1.0), 2.0, 2.4e-9);
    EXPECT_NEAR(missing(1.0, 16.0, 1.0), 2.0, 4e-9);
    EXPECT_NEAR(missing(1.0, 1.0, 8.0), 2.0, 5e-8);
    EXPECT_NEAR(missing(1.0, 1.0, 1.0), 1.0, 2e-9);
    EXPECT_NEAR(missing(81.0, 16.0, 8.0), 3.0, 3.7e-9);
    EXPECT_EQ(missing(0.0, 0.0, 0.0), 0.0);
    const SeriesError<double> error{16.0 * of_potential, of_field, 27.0 * of_tide,
                                    1.0};  // of tides only where they are asked for
    EXPECT_NEAR(missing_distance<1>(error, scale, limits), 2.0, 2.4e-9);
    EXPECT_DOUBLE_EQ(longer_far_radius(0.5, error, 2.0), 1.0 * 2.0 * 1.1);
    EXPECT_DOUBLE_EQ(longer_far_radius(1.5, error, 2.0), 1.5 * 2.0 * 1.1);
}

// The least of the targets'; where pulls cancel a quarter of M/d^2, or sqrt(6) M/d^3, of one mass that has the potential.
TEST(SeriesError, WhatItIsHeldAgainst) {
    const double mass = 8.0;
    SeriesScale<double> scale;
    scale.take(Jet<double, 2>{{4.0, 3.0, 0.0, 4.0, 1.0, 2.0, 0.0, 2.0, 0.0, -3.0}}, mass);  // as from a distance of 2
    EXPECT_DOUBLE_EQ(scale.potential, 4.0);
    EXPECT_DOUBLE_EQ(scale.field, 5.0);
    EXPECT_DOUBLE_EQ(scale.tide, std::sqrt(1.0 + 4.0 + 9.0 + 2.0 * 4.0));
    scale.take(Jet<double, 2>{{4.0}}, mass);
    EXPECT_DOUBLE_EQ(scale.field, 0.25 * 8.0 / 4.0);
    EXPECT_NEAR(scale.tide, 0.25 * std::sqrt(6.0) * 8.0 / 8.0, 7e-6);
    scale.take(Jet<double, 2>{{2.0, 0.0, 9.0}}, mass);
    EXPECT_DOUBLE_EQ(scale.potential, 2.0);
    EXPECT_DOUBLE_EQ(scale.field, 0.5);
}

}  // namespace
}  // namespace gravlet::test
