// SPDX-License-Identifier: Apache-2.0
// The octree and its moments.
#include "physics/order.hpp"
#include "solver/valid.hpp"
#include "tests/backend/local.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace gravlet::test {
namespace {

BodyArrays at_one_place(std::size_t n) {
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) points.add(0.3, 0.6, 0.9, 1.0);
    return points;
}

void expect_valid(const BodyArrays& points) {
    for (const int leaf_size : {1, 12, 256}) {
        for (const double theta : {0.3, 1.0}) {
            const LocalTree local(points, {.theta = theta, .order = 2, .leaf_size = leaf_size});
            const HostTree tree = on_host(local.exec, local.view(), 2);
            EXPECT_EQ(tree_flaw(tree.view(), 2, static_cast<std::uint32_t>(leaf_size), {}, local.opening()), "") << points.size();
        }
    }
}

TEST(Tree, Random) { expect_valid(random_points(1, 5000)); }
TEST(Tree, Clustered) { expect_valid(clustered_points(2, 5000)); }
TEST(Tree, Crowded) {
    for (const double radius : {1e-7, 1e-9, 1e-11}) expect_valid(crowded_points(9, 5000, radius));
}
TEST(Tree, AllKeysEqual) { expect_valid(at_one_place(1000)); }
TEST(Tree, Few) {
    for (const std::size_t n : {0u, 1u, 2u, 13u}) expect_valid(random_points(3, n));
}
TEST(Tree, OnlyMasslessBodies) {
    BodyArrays points = random_points(4, 100);
    points.mass.assign(100, 0.0);
    expect_valid(points);
}

bool equal(const Node& a, const Node& b) {
    const auto all = [](const Node& n) {
        return std::make_tuple(n.x, n.y, n.z, n.mass, n.size, n.open_radius, n.softening2, n.spread, n.least_softening,
                               n.most_softening, n.first, n.count, n.leaf, n.mixture);
    };
    return all(a) == all(b);
}

TEST(Tree, SameForAnyNumberOfThreads) {
    for (const BodyArrays& points : {clustered_points(5, 20'000), crowded_points(5, 20'000, 1e-8)}) {
        const Options options{.order = 4};
        const LocalTree alone(points, options);
        const HostTree one = on_host(alone.exec, alone.view(), 4);
        for (const int threads : {2, 3, 7}) {
            const LocalTree local(points, options, true, threads);
            const HostTree several = on_host(local.exec, local.view(), 4);
            ASSERT_EQ(several.nodes.size(), one.nodes.size());
            for (std::size_t i = 0; i < one.nodes.size(); ++i) ASSERT_TRUE(equal(several.nodes[i], one.nodes[i])) << i;
            EXPECT_EQ(several.moments, one.moments);
        }
    }
}

// The root's moments, gathered level by level, are those of all sources about the root's centre of mass.
template <int P>
void expect_root_moments(const BodyArrays& points) {
    const LocalTree local(points, {.order = P});
    const HostTree tree = on_host(local.exec, local.view(), P);
    const Node& root = tree.nodes[0];
    MomentSums<P> sums;
    double mass = 0.0;
    for (const Source& s : tree.sources) {
        mass += s.mass;
        sums.add_mass(s.mass, {s.x - root.x, s.y - root.y, s.z - root.z});
    }
    float expected[moment_count(P)];
    sums.store(expected, mass, root.size);
    for (int m = 0; m < moment_count(P); ++m)
        EXPECT_NEAR(tree.moments[static_cast<std::size_t>(m)], expected[m], 2e-6) << "order " << P << ", moment " << m;
}

TEST(Tree, RootMomentsAreThoseOfAllSources) {
    for (const BodyArrays& points :
         {random_points(6, 3000), clustered_points(7, 3000), crowded_points(10, 3000, 1e-9), random_points(8, 1)}) {
        for (const int order : orders)
            with_order(order, [&](auto p) {
                if constexpr (decltype(p)::value > 1) expect_root_moments<decltype(p)::value>(points);
            });
    }
}

}  // namespace
}  // namespace gravlet::test
