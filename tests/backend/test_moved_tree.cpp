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

}  // namespace
}  // namespace gravlet::test
