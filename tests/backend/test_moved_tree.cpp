// SPDX-License-Identifier: Apache-2.0
// Nodes of a tree whose points have moved: as found from the bodies that were given to each and from the cube that it had, by
// rules written once more.
#include "solver/tree/moved.hpp"
#include "tests/backend/local.hpp"
#include "tests/backend/node_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

struct NodeBox {
    std::array<Real, 3> lower, upper;

    void add(const std::array<Real, 3>& at) {
        for (std::size_t d = 0; d < 3; ++d) lower[d] = std::min(lower[d], at[d]), upper[d] = std::max(upper[d], at[d]);
    }
    [[nodiscard]] std::array<Real, 3> centre() const {
        return {(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2};
    }
    [[nodiscard]] Real side() const { return std::max({upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]}); }
};

std::vector<const Source*> below(const HostTree& tree, node_index i) {
    const Node& node = tree.nodes[i];
    std::vector<const Source*> all;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
        if (node.leaf != 0) {
            all.push_back(&tree.sources[k]);
            continue;
        }
        const std::vector<const Source*> child = below(tree, k);
        all.insert(all.end(), child.begin(), child.end());
    }
    return all;
}

void expect_nodes(BodyArrays points, double by, int order) {
    LocalTree local(points, {.theta = 0.6, .order = order});
    const HostTree before = on_host(local.exec, local.view(), order);
    MovedTree<Backend> moved(local.exec);
    moved.built(local.bodies);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (auto* const coordinate : {&points.x, &points.y, &points.z})
        for (double& x : *coordinate) x = std::clamp(x + by * normal(random), 0.0, 0.9999);
    const Input input = points.input();
    Backend::Transfer transfer(local.exec);
    Input here = transfer.bring_in(input);
    here.caller = &input;
    ASSERT_TRUE(moved.follow(here, local.frame, local.frame.cube, local.tree, local.bodies));
    moved.compute_moments(order, local.bodies.sources(), local.frame.cube, local.opening(), local.tree);
    const HostTree after = on_host(local.exec, local.view(), order);
    ASSERT_EQ(after.nodes.size(), before.nodes.size());

    std::vector<double> expected_x, got_x;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points.mass[i] > 0.0) expected_x.push_back(points.x[i]);
    for (const Source& source : after.sources) got_x.push_back(source.x);
    std::ranges::sort(expected_x), std::ranges::sort(got_x);
    EXPECT_EQ(got_x, expected_x);

    const NodeRules rules{local.options, local.frame};
    std::size_t grown = 0, shifted = 0;
    for (std::size_t i = 0; i < after.nodes.size(); ++i) {
        const Node &node = after.nodes[i], &built = before.nodes[i];
        const std::array<Real, 3> cube = NodeRules::cube_of(*below(before, static_cast<node_index>(i)).front(), built.size);
        NodeBox box{cube, cube};
        for (std::size_t d = 0; d < 3; ++d) box.lower[d] -= built.size / 2.0L, box.upper[d] += built.size / 2.0L;
        const std::vector<const Source*> bodies = below(after, static_cast<node_index>(i));
        for (const Source* body : bodies) box.add({body->x, body->y, body->z});
        const NodeSums sums(bodies, order);
        ASSERT_NEAR(static_cast<double>(node.size / box.side()), 1.0, 6e-7) << i;
        ASSERT_NEAR(static_cast<double>(node.mass / sums.mass), 1.0, 6.5e-7) << i;
        const Real off = std::hypot(node.x - sums.centre[0], node.y - sums.centre[1], node.z - sums.centre[2]);
        ASSERT_LE(static_cast<double>(off / box.side()), 9e-8) << i;
        const Real radius = rules.radius(sums, node.size, box.centre(), node.extent * 0x1p-13L * node.size);
        if (!std::isinf(radius)) {
            ASSERT_NEAR(static_cast<double>(node.open_radius / radius), 1.0, 3.3e-7) << i;
        }
        if (node.size > 1.1f * built.size) ++grown;
        const std::array<Real, 3> centre = box.centre();
        if (std::hypot(centre[0] - cube[0], centre[1] - cube[1], centre[2] - cube[2]) > 0.05L * node.size) ++shifted;
    }
    EXPECT_GT(grown, after.nodes.size() / 10);
    EXPECT_GT(shifted, after.nodes.size() / 10);
}

TEST(MovedTree, NodesHoldTheirCubesAndBodies) {
    for (const int order : {0, 2, 4}) {
        expect_nodes(random_points(21, 2000), 0.01, order);
        expect_nodes(clustered_points(22, 2000), 3e-7, order);
    }
    BodyArrays massive = random_points(23, 1000);
    massive.mass.assign(1000, 1.0);
    expect_nodes(massive, 0.01, 2);
}

// Told velocities, nodes go with their points, and are measured where that is not enough.
TEST(MovedTree, NodesAreWhereTheirBodiesAre) {
    BodyArrays points = random_points(24, 4000);
    LocalTree local(points, {.theta = 0.6, .order = 2});
    MovedTree<Backend> moved(local.exec);
    moved.built(local.bodies);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::array<std::vector<double>, 3> velocity;
    for (auto& component : velocity)
        for (std::size_t i = 0; i < points.size(); ++i) component.push_back(1.0 + 0.3 * points.x[i] + 0.05 * normal(random));
    std::vector<double>* const places[] = {&points.x, &points.y, &points.z};
    Backend::Transfer transfer(local.exec);
    const double time = 4e-3;
    std::size_t measured = 0;
    double most = 0.0;
    for (int solve = 0; solve < 6; ++solve) {
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t i = 0; i < points.size(); ++i) (*places[d])[i] += time * velocity[d][i];
        Input input = points.input();
        input.drift = {{velocity[0], velocity[1], velocity[2]}, time};
        Input here = transfer.bring_in(input);
        here.caller = &input;
        ASSERT_TRUE(moved.follow(here, local.frame, local.frame.cube, local.tree, local.bodies));
        moved.compute_moments(2, local.bodies.sources(), local.frame.cube, local.opening(), local.tree);
        const HostTree now = on_host(local.exec, local.view(), 2);
        EXPECT_TRUE(solve == 0 || moved.predicted().nodes > now.nodes.size() / 4) << solve;
        measured += solve > 0 ? now.nodes.size() - moved.predicted().nodes : 0;
        for (std::size_t i = 0; i < now.nodes.size(); ++i) {
            const Node& node = now.nodes[i];
            const std::vector<const Source*> bodies = below(now, static_cast<node_index>(i));
            const NodeSums sums(bodies, 2);
            const Real off = std::hypot(node.x - sums.centre[0], node.y - sums.centre[1], node.z - sums.centre[2]);
            most = std::max(most, static_cast<double>(off / node.size));
            ASSERT_LE(off, 0x1p-5L * node.size) << solve << " " << i;
            for (std::uint32_t k = node.first; node.leaf == 0 && k < node.first + node.count; ++k)
                ASSERT_LE(now.nodes[k].size, node.size);
        }
        // Velocities of some change from here on, as of points that were active: all are.
        for (std::size_t i = static_cast<std::size_t>(solve); i < points.size(); i += 40)
            for (auto& component : velocity) component[i] += 0.5 * normal(random);
    }
    EXPECT_GT(measured, 100u);
    EXPECT_GT(most, 1e-4);  // of nodes of children that had moved; a leaf's centre is exact until a velocity changes
}

}  // namespace
}  // namespace gravlet::test
