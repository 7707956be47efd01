// SPDX-License-Identifier: Apache-2.0
// The octree and its moments.
#include "physics/order.hpp"
#include "solver/data/target_boxes.hpp"
#include "solver/essential/invariants.hpp"
#include "tests/backend/local.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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
/// What is said of a tree of random points in which something was spoilt.
std::string flaw_where(const std::function<void(HostTree&)>& spoil) {
    const LocalTree local(random_points(19, 3000), {.order = 2, .criterion = Criterion::acceleration, .leaf_size = 12});
    HostTree tree = on_host(local.exec, local.view(), 2);
    spoil(tree);
    return tree_flaw(tree.view(), 2, 12, {}, local.opening());
}

// Builds with assertions judge trees by it, and the tests above: it sees each thing that may be wrong.
TEST(Tree, FlawsAreSeen) {
    const auto leaf = [](HostTree& t) -> Node& {
        return *std::ranges::find_if(t.nodes, [](const Node& node) { return node.leaf != 0 && node.count > 3; });
    };
    const auto parent = [](HostTree& t) -> Node& {
        return *std::ranges::find_if(t.nodes, [&](const Node& node) { return node.leaf == 0 && t.nodes[node.first].leaf != 0; });
    };
    const auto exchange_children = [&](HostTree& t) {
        const auto first = static_cast<std::ptrdiff_t>(parent(t).first), moments = std::ptrdiff_t{moment_count(2)};
        std::swap(t.nodes[parent(t).first], t.nodes[parent(t).first + 1]);
        const auto of_first = t.moments.begin() + first * moments;
        std::swap_ranges(of_first, of_first + moments, of_first + moments);
    };
    const std::vector<std::pair<const char*, std::function<void(HostTree&)>>> spoilt{
        {"empty", [&](HostTree& t) { leaf(t).count = 0; }},
        {"sources out of range", [&](HostTree& t) { leaf(t).first = static_cast<std::uint32_t>(t.sources.size()) - 1; }},
        {"a leaf of too many sources", [](HostTree& t) { t.nodes[0].leaf = 1, t.nodes[0].first = 0, t.nodes[0].count = 100; }},
        {"number of children", [](HostTree& t) { t.nodes[0].count = 1; }},
        {"children out of range", [](HostTree& t) { t.nodes[0].first = 0; }},
        {"children do not partition it", exchange_children},
        {"not smaller than its parent", [&](HostTree& t) { parent(t).size = t.nodes[parent(t).first].size; }},
        {"a source outside its cube", [&](HostTree& t) { leaf(t).size *= 0.1f; }},
        {"mass", [&](HostTree& t) { leaf(t).mass *= 1.0001f; }},
        {"centre of mass", [&](HostTree& t) { leaf(t).y += 1e-4; }},
        {"spread", [&](HostTree& t) { leaf(t).spread *= 1.01f; }},
        {"open radius", [&](HostTree& t) { leaf(t).open_radius *= 0.999f; }},
        {"open radius", [](HostTree& t) { t.nodes[0].open_radius *= 0.999f; }},
        {"not all sources are below the root",
         [](HostTree& t) { t.sources.push_back(t.sources.back()), ++t.backend_view.source_count; }},
        {"not the child of exactly one node", [](HostTree& t) {
             t.nodes.push_back(t.nodes.back()), ++t.backend_view.node_count;
             const std::vector<float> last(t.moments.end() - moment_count(2), t.moments.end());
             t.moments.insert(t.moments.end(), last.begin(), last.end());
         }}};
    EXPECT_EQ(flaw_where([](HostTree&) {}), "");
    for (const auto& [what, spoil] : spoilt)
        EXPECT_NE(flaw_where(spoil).find(what), std::string::npos) << what << ": " << flaw_where(spoil);
}

// Of several ranks, that may have more of a crowd together, each has its own in order.
TEST(Tree, SmallCrowdsInOrder) {
    BodyArrays points = random_points(18, 2000);
    for (std::size_t i = 0; i < points.size(); ++i) {  // eight in one place of the keys' grid
        const std::size_t of = i / 8 * 8;
        points.x[i] = points.x[of] + 1e-9 * points.x[i], points.y[i] = points.y[of] + 1e-9 * points.y[i];
        points.z[i] = points.z[of] + 1e-9 * points.z[i];
    }
    const LocalTree local(points, {.leaf_size = 12}, 1, 1, true);
    const std::vector<key_type> keys = on_host(local.exec, local.bodies.keys);
    const std::vector<Source> bodies = on_host(local.exec, local.bodies.bodies);
    std::size_t equal = 0;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        ASSERT_LE(keys[i - 1], keys[i]);
        if (keys[i - 1] != keys[i]) continue;
        ++equal;
        const auto lower = [&](std::size_t k) { return lower_hilbert_key(local.frame.cube.place(bodies[k])); };
        EXPECT_LE(lower(i - 1), lower(i));
    }
    EXPECT_GT(equal, 500u);
}
TEST(Tree, AllKeysEqual) { expect_valid(at_one_place(1000)); }
TEST(Tree, Few) {
    for (const std::size_t n : {0u, 1u, 2u, 13u}) expect_valid(random_points(3, n));
}
TEST(Tree, FullLeaves) {
    for (const int leaf_size : {1, 12, 100}) {
        const auto n = static_cast<std::size_t>(leaf_size);
        BodyArrays points = random_points(16, n + 1);
        points.mass.assign(n + 1, 1.0);
        const LocalTree more(points, {.leaf_size = leaf_size});
        points.mass[0] = 0.0;
        const LocalTree full(points, {.leaf_size = leaf_size});
        EXPECT_EQ(full.tree.count(), 1u);
        EXPECT_GT(more.tree.count(), 1u);
    }
}
// Boxes of runs of groups, of fewer than there are groups or more: together all targets, each in one with its softening.
TEST(Tree, TargetBoxesHoldAllTargets) {
    BodyArrays points = random_points(17, 5000);
    for (std::size_t i = 0; i < points.size(); ++i) points.softening.push_back(i % 7 == 0 ? 1e-3 * points.x[i] : 0.0);
    const LocalTree local(points, {.group_size = 8});
    const std::vector<Group> groups = on_host(local.exec, local.bodies.groups);
    for (const std::size_t count : {1u, 2u, 3u, 7u, 64u, 2000u}) {
        const std::vector<TargetBox> boxes = target_boxes(local.exec, local.bodies, count);
        ASSERT_EQ(boxes.size(), count);
        for (const Group& group : groups) {
            const auto holds = [&](const TargetBox& box) {
                const Bounds both = united(box.box, group.box);
                return box.softening >= group.softening && both.lower.x == box.box.lower.x && both.lower.y == box.box.lower.y &&
                       both.lower.z == box.box.lower.z && both.upper.x == box.box.upper.x && both.upper.y == box.box.upper.y &&
                       both.upper.z == box.box.upper.z;
            };
            EXPECT_TRUE(std::ranges::any_of(boxes, holds)) << count;
        }
        double volume = 0.0;
        for (std::size_t k = 0; k < std::min(count, groups.size()); ++k) {
            const Bounds& box = boxes[k].box;
            volume += (box.upper.x - box.lower.x) * (box.upper.y - box.lower.y) * (box.upper.z - box.lower.z);
        }
        EXPECT_LT(volume, count < 64 ? 9.0 : 2.0);  // runs of a curve
    }
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

/// The structure of a tree over these bodies whose levels of together `at_once` nodes were made in one go.
struct Structure {
    std::vector<node_index> levels;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, bool, float>> nodes;
    friend bool operator==(const Structure&, const Structure&) = default;
};
Structure structure(const LocalTree& local, int lowest_level, node_index at_once, bool mesh = false) {
    Tree<Backend> tree(local.exec);
    build_tree(local.exec, local.bodies.keys_of_sources(), static_cast<std::uint32_t>(local.bodies.source_count),
               static_cast<std::uint32_t>(local.options.leaf_size), lowest_level, 1.0f, mesh, tree, at_once);
    Structure out{tree.levels, {}};
    EXPECT_EQ(tree.nodes.size(), tree.count());
    for (const Node& node : on_host(local.exec, tree.nodes)) out.nodes.emplace_back(node.first, node.count, node.leaf, node.size);
    return out;
}

/// Two points part in each cube towards the root cube's corner.
BodyArrays towards_a_corner() {
    BodyArrays points;
    for (int k = 1; k <= deepest_level; ++k)
        for (const double share : {0.8, 0.9}) points.add(std::ldexp(share, -k), std::ldexp(share, -k), std::ldexp(1.0, -k), 1.0);
    return points;
}

// `at_once` of 1 makes all of them one by one; others end in the midst of the tree, or behind it. What is taken for a mesh, and
// is none, gets the same tree.
TEST(Tree, SameForLevelsMadeInOneGo) {
    for (const BodyArrays& points :
         {random_points(11, 1), random_points(11, 2), random_points(11, 3000), random_points(11, 30'000), at_one_place(1000),
          clustered_points(12, 5000), crowded_points(13, 5000, 1e-9), crowded_points(13, 5000, 1e-11), towards_a_corner()}) {
        for (const int leaf_size : {1, 12}) {
            const LocalTree local(points, {.leaf_size = leaf_size});
            for (const int lowest_level : {0, 1, 3}) {
                const Structure one_by_one = structure(local, lowest_level, 1);
                for (const node_index at_once : {2u, 9u, 70u, 1000u, 10'000u, Backend::nodes_at_once})
                    for (const bool mesh : {false, true})
                        EXPECT_EQ(structure(local, lowest_level, at_once, mesh), one_by_one)
                            << points.size() << " points, " << leaf_size << " a leaf, level " << lowest_level << ", " << at_once;
            }
        }
    }
    const LocalTree large(random_points(14, 300'000), {});
    for (const bool mesh : {false, true}) EXPECT_EQ(structure(large, 0, Backend::nodes_at_once, mesh), structure(large, 0, 1));
}

// Where it is said to be faster, it is done.
TEST(Tree, LevelsAreMadeInOneGo) {
    const LocalTree local(random_points(15, 10'000), {});
    const auto n = static_cast<std::uint32_t>(local.bodies.source_count);
    std::vector<Node> nodes(expected_nodes(n, 12), Node{});
    nodes[0] = new_leaf(0, n);
    auto grown = on_backend(local.exec, nodes);
    const std::vector<node_index> levels =
        first_levels(local.exec, GrowLevel{local.bodies.keys_of_sources(), 12, 0, 1.0f, false, grown.data()},
                     static_cast<node_index>(grown.size()));
    std::vector<node_index> expected{0, 1};
    if (Backend::nodes_at_once > 1) {
        expected = local.tree.levels;
        expected.push_back(local.tree.count());
    }
    EXPECT_EQ(levels, expected);
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
        EXPECT_NEAR(tree.moments[static_cast<std::size_t>(m)], expected[m], 2.3e-8) << "order " << P << ", moment " << m;
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
