// SPDX-License-Identifier: Apache-2.0
// What criteria other than opening take to act on a group: sums over trees made by hand.
#include "physics/team.hpp"
#include "solver/criterion/scales.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

/// Potential, and what it falls by along each axis, of a mass so far away.
std::array<double, 4> of_mass(double mass, double x, double y, double z, double softening2) {
    const double r = std::sqrt(x * x + y * y + z * z + softening2);
    return {mass / r, mass * x / std::pow(r, 3), mass * y / std::pow(r, 3), mass * z / std::pow(r, 3)};
}

void expect_sum(const Ambient& sum, const std::vector<std::array<double, 4>>& masses) {
    for (std::size_t k = 0; k < 4; ++k) {
        double expected = 0.0;
        for (const auto& mass : masses) expected += mass[k];
        EXPECT_NEAR(sum.sum.term[k], expected, 1.3e-15) << k;
    }
}

/// Of targets about (1, 2, 3) in a box of these sides.
Group group_of(double x, double y, double z, float softening = 0.0f) {
    Group group{};
    group.box = {{1.0 - 0.5 * x, 2.0 - 0.5 * y, 3.0 - 0.5 * z}, {1.0 + 0.5 * x, 2.0 + 0.5 * y, 3.0 + 0.5 * z}};
    group.softening = softening;
    return group;
}

// As from no nearer than the group's longest side, or its softening, and half the size of the other's mass.
TEST(Scales, RanksAsMonopoles) {
    const Monopole mass{5.0, 5.0, 4.0, 6.0, 3.0};
    const auto expect = [&](const Group& group, const Period& period, double x, double y, double z, double softening2) {
        Ambient sum;
        Surroundings(group, period).add(mass, sum);
        expect_sum(sum, {of_mass(6.0, x, y, z, softening2)});
    };
    expect(group_of(0.0, 0.0, 0.0), {}, 4.0, 3.0, 1.0, 2.25);
    expect(group_of(0.1, 0.7, 0.2), {}, 4.0, 3.0, 1.0, 2.25 + 0.49);
    expect(group_of(0.1, 0.2, 0.7, 0.5f), {}, 4.0, 3.0, 1.0, 2.25 + 0.49);
    expect(group_of(0.7, 0.1, 0.2, 2.0f), {}, 4.0, 3.0, 1.0, 2.25 + 4.0);
    expect(group_of(0.0, 0.0, 0.0), {7.0, 0.0, 0.0}, -3.0, 3.0, 1.0, 2.25);
    expect(group_of(0.0, 0.0, 0.0), {0.0, 5.0, 0.0}, 4.0, -2.0, 1.0, 2.25);
    expect(group_of(0.0, 0.0, 0.0), {0.0, 0.0, 1.5}, 4.0, 3.0, -0.5, 2.25);
}

Node node_at(double x, double y, double z, float mass, float size, std::uint32_t first, std::uint32_t count, bool leaf) {
    Node node{};
    node.x = x, node.y = y, node.z = z, node.mass = mass, node.size = size;
    node.first = first, node.count = count, node.leaf = leaf ? 1 : 0;
    return node;
}

// A root that is opened; below it one that is far enough by itself, one that is not, and a leaf; below the second what another
// rank has pruned, and a leaf where the group is. Ends act as from half their parents' side.
TEST(Scales, OfATree) {
    const std::vector<Node> nodes{
        node_at(2.0, 2.0, 3.0, 10.0f, 8.0f, 1, 3, false), node_at(1.0, 2.0, 6.0, 4.0f, 2.5f, 4, 2, false),
        node_at(1.0, 4.0, 3.0, 3.0f, 3.0f, 4, 2, false),  node_at(2.0, 3.0, 3.0, 3.0f, 0.5f, 0, 4, true),
        node_at(1.5, 4.0, 2.0, 2.0f, 1.0f, 0, 0, false),  node_at(1.0, 2.0, 3.0, 1.0f, 0.0f, 4, 1, true)};
    TreeView tree;
    tree.nodes = nodes.data(), tree.node_count = static_cast<node_index>(nodes.size());
    const auto sum_for = [&](const Group& group, const Period& period = {}) {
        Ambient sum;
        node_index stack[Surroundings::room<Alone>];
        Surroundings(group, period).add(tree, Alone(), stack, sum);
        return sum;
    };
    const auto far = of_mass(4.0, 0.0, 0.0, 3.0, 0.0);
    const auto leaf = of_mass(3.0, 1.0, 1.0, 0.0, 16.0), pruned = of_mass(2.0, 0.5, 2.0, -1.0, 2.25);
    expect_sum(sum_for(group_of(0.0, 0.0, 0.0)), {far, leaf, pruned});
    const double side2 = 0.25 * 0.25;
    expect_sum(sum_for(group_of(0.25, 0.0, 0.0)),
               {of_mass(4.0, 0.0, 0.0, 3.0, side2), of_mass(3.0, 1.0, 1.0, 0.0, 16.0 + side2),
                of_mass(2.0, 0.5, 2.0, -1.0, 2.25 + side2), of_mass(1.0, 0.0, 0.0, 0.0, 2.25 + side2)});
    // An image of the first at -2.3 is near enough to be opened.
    expect_sum(sum_for(group_of(0.0, 0.0, 0.0), {0.0, 0.0, 5.3}), {of_mass(2.0, 0.5, 2.0, -1.0, 1.5625), leaf, pruned});
    tree.node_count = 0;
    expect_sum(sum_for(group_of(0.0, 0.0, 0.0)), {});
}

// A potential; the field, but no less than a quarter of what all mass would pull by from where it had that potential. What may
// yet be less is held against half a potential, or that quarter.
TEST(Scales, WhatErrorsAreHeldAgainst) {
    Ambient sum;
    sum.sum.term[0] = 4.0, sum.sum.term[1] = 2.0, sum.sum.term[2] = 3.0, sum.sum.term[3] = 6.0;
    Opening opening{};
    opening.total_mass = 8.0;
    EXPECT_DOUBLE_EQ(sum.scale(opening, false), 4.0);
    EXPECT_DOUBLE_EQ(sum.scale(opening, true), 2.0);
    opening.field = true;
    EXPECT_DOUBLE_EQ(sum.scale(opening, false), 7.0);
    EXPECT_DOUBLE_EQ(sum.scale(opening, true), 0.5);
}

TEST(Scales, FramesAndCriteria) {
    Frame frame;
    frame.total_mass = 3.0, frame.extent = 0.7, frame.largest_node = 0.2;
    frame.box.side = {1.0, 2.0, 3.0};
    frame.box.periodic = {false, true, false};
    const Period one = period_of(frame);
    EXPECT_EQ((std::array{one.x, one.y, one.z}), (std::array{0.0, 2.0, 0.0}));
    frame.box.periodic = {true, false, true};
    const Period two = period_of(frame);
    EXPECT_EQ((std::array{two.x, two.y, two.z}), (std::array{1.0, 0.0, 3.0}));
    Options options;
    options.criterion = Criterion::multipole, options.alpha = 0.02;
    for (const int order : {0, 1, 2, 4})
        for (const int derivatives : {0, 1, 2}) {
            options.order = order, frame.derivatives = derivatives;
            const Opening opening = opening_of(options, frame);
            EXPECT_EQ(opening.degree, order < 2 ? 2 : order + 1);
            EXPECT_EQ(opening.field, derivatives > 0);
            EXPECT_EQ(opening.total_mass, 3.0);
            EXPECT_EQ(opening.extent, 0.7);
            EXPECT_EQ(opening.largest_node, 0.2);
            EXPECT_EQ(opening.alpha, 0.02);
        }
}

}  // namespace
}  // namespace gravlet::test
