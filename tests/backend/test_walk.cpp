// SPDX-License-Identifier: Apache-2.0
// The walk: exact where everything is opened, M/R where everything is far, and whole in between.
#include "physics/order.hpp"
#include "physics/path_size.hpp"
#include "tests/backend/local.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gravlet::test {
namespace {

#if defined(GRAVLET_TEST_OF_GPU)
constexpr int group_sizes[] = {32, 64};
constexpr double near_node_error = 1e-5;  // in single precision
// What the series of a set leaves out, where there are sets of so few groups: 3.6e-6.
constexpr double all_mass_error = path_size(1e-6, 1e-5);
#else
constexpr int group_sizes[] = {16, 33, 1024};
constexpr double near_node_error = 2e-15;
constexpr double all_mass_error = 1e-5;  // what the series of a batch leaves out: 5.4e-6
#endif

struct Walked {
    InteractionCounts counts;
    double potential_error = 0.0, field_error = 0.0;  ///< largest, against a sum over all sources in double precision
};

Walked walk(const BodyArrays& points, const Options& options, bool acceleration, int threads = 1) {
    LocalTree local(points, options, acceleration, threads);
    Backend::Walk walk(local.exec);
    const WalkTargets there = walk_targets(local.bodies, local.frame, options);
    Walked out;
    out.counts = walk.run(local.view(), there, options.order, [] {});
    const HostTargets targets = on_host(local.exec, there);
    for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
        double sum = 0.0, field[3] = {};
        const Source& t = targets.bodies[i];
        for (const Source& s : targets.bodies) {
            const double d[3] = {s.x - t.x, s.y - t.y, s.z - t.z}, r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (r2 == 0.0) continue;
            const double r = std::sqrt(r2);
            sum += s.mass / r;
            for (int axis = 0; axis < 3; ++axis) field[axis] += s.mass * d[axis] / (r2 * r);
        }
        out.potential_error = std::max(out.potential_error, std::abs(targets.potential[i] / sum - 1.0));
        if (!acceleration) continue;
        const Vector3 got = targets.acceleration(i);
        const double off = std::hypot(got.x - field[0], got.y - field[1], got.z - field[2]);
        out.field_error = std::max(out.field_error, off / std::hypot(field[0], field[1], field[2]));
    }
    return out;
}

// So small a theta opens all nodes, and what remains is the arithmetic.
TEST(Walk, DirectWhereAllIsOpened) {
    for (const bool acceleration : {true, false}) {
        for (const int group_size : group_sizes) {
            const BodyArrays points = random_points(1, 1500);
            const Options options{.theta = 1e-3, .order = 2, .group_size = group_size};
            const Walked got = walk(points, options, acceleration);
            EXPECT_LE(got.potential_error, 8e-7);
            EXPECT_LE(got.field_error, 7e-6);
            EXPECT_EQ(got.counts.node, 0u);
            EXPECT_EQ(got.counts.far, 0u);
            EXPECT_EQ(got.counts.cell, 1500u * 1350u);  // every target meets every source once, itself included
            EXPECT_EQ(got.counts.coincident, 0u);
        }
    }
}

TEST(Walk, ThreadsGiveTheSameCounts) {
    const BodyArrays points = clustered_points(2, 5000);
    const Options options{.theta = 0.5, .order = 3};
    const Walked one = walk(points, options, true), three = walk(points, options, true, 3);
    EXPECT_EQ(one.counts.node, three.counts.node);
    EXPECT_EQ(one.counts.cell, three.counts.cell);
    EXPECT_EQ(one.counts.far, three.counts.far);
    EXPECT_EQ(one.potential_error, three.potential_error);
    EXPECT_EQ(one.field_error, three.field_error);
    EXPECT_GT(one.counts.far, 0u);
    EXPECT_LT(one.counts.cell, 5000u * 4500u / 2);
}

// Nothing is met twice or not at all, whatever theta, order and sizes: mass far away, seen by probes without mass, is M/R.
TEST(Walk, AllMassIsMetOnce) {
    BodyArrays points;
    const BodyArrays lump = random_points(3, 2000);
    double mass = 0.0;
    for (std::size_t i = 0; i < lump.size(); ++i) {
        points.add(0.9 + 1e-4 * lump.x[i], 0.9 + 1e-4 * lump.y[i], 0.9 + 1e-4 * lump.z[i], lump.mass[i]);
        mass += lump.mass[i];
    }
    for (std::size_t i = 0; i < lump.size(); ++i) points.add(0.2 * lump.x[i], 0.2 * lump.y[i], 0.2 * lump.z[i], 0.0);
    for (const double theta : {1e-3, 0.1, 0.5, 1.0}) {
        for (const int order : orders) {
            for (const int leaf_size : {1, 12, 256}) {
                LocalTree local(points, {.theta = theta, .order = order, .group_size = 32, .leaf_size = leaf_size});
                Backend::Walk walk(local.exec);
                const WalkTargets there = walk_targets(local.bodies, local.frame, local.options);
                walk.run(local.view(), there, order, [] {});
                const HostTargets targets = on_host(local.exec, there);
                const Node root = read(local.exec, local.view().nodes);
                EXPECT_NEAR(root.mass / mass, 1.0, 2e-7);
                double worst = 0.0;
                for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
                    const Source& t = targets.bodies[i];
                    if (t.x > 0.5) continue;
                    const double r = std::hypot(t.x - root.x, t.y - root.y, t.z - root.z);
                    worst = std::max(worst, std::abs(targets.potential[i] * r / mass - 1.0));
                }
                EXPECT_LE(worst, all_mass_error) << "theta " << theta << ", order " << order << ", leaf_size " << leaf_size;
            }
        }
    }
}

// What another rank has pruned acts on every target however near it is, and is counted: here the whole tree, as one mass.
TEST(Walk, PrunedNodesThatNobodyAccepts) {
    for (const int group_size : group_sizes) {
        const BodyArrays points = random_points(4, 700);
        LocalTree local(points, {.theta = 0.5, .order = 0, .group_size = group_size});
        Node root = read(local.exec, local.view().nodes);
        root.first = root.count = root.leaf = 0, root.open_radius = 10.0f;
        copy_in(local.exec, &root, local.tree.nodes.data(), 1);
        Backend::Walk walk(local.exec);
        const WalkTargets there = walk_targets(local.bodies, local.frame, local.options);
        const InteractionCounts counts = walk.run(local.view(), there, 0, [] {});
        const HostTargets targets = on_host(local.exec, there);
        double worst = 0.0;
        for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
            const Source& t = targets.bodies[i];
            const double d[3] = {root.x - t.x, root.y - t.y, root.z - t.z}, r = std::hypot(d[0], d[1], d[2]);
            const Vector3 got = targets.acceleration(i);
            const double m_r3 = root.mass / (r * r * r);
            worst = std::max({worst, std::abs(targets.potential[i] * r / root.mass - 1.0),
                              std::hypot(got.x - m_r3 * d[0], got.y - m_r3 * d[1], got.z - m_r3 * d[2]) * r * r / root.mass});
        }
        EXPECT_LE(worst, near_node_error);
        EXPECT_EQ(counts.node, 700u);
        EXPECT_EQ(counts.cell, 0u);
        EXPECT_EQ(counts.far, 0u);
    }
}

}  // namespace
}  // namespace gravlet::test
