// SPDX-License-Identifier: Apache-2.0
// Pruned trees: for virtual roots made by hand, and for those of real ranks after their exchange.
#include "solver/essential/invariants.hpp"
#include "tests/backend/local.hpp"
#include "tests/backend/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int order = 2;
const Options options{.theta = 0.6, .order = order};

/// Every rank's pruned tree has no flaw, and goes where it must.
void expect_valid(const Backend& exec, const PrunedTrees<Backend>& trees, const RemoteTargets& targets, std::size_t ranks,
                  std::span<const FarNode> known) {
    ASSERT_EQ(trees.node_begin.size(), ranks + 1);
    ASSERT_EQ(trees.node_begin[ranks], trees.nodes.size());
    ASSERT_EQ(trees.source_begin[ranks], trees.sources.size());
    ASSERT_EQ(trees.moments.size(), trees.nodes.size() * moment_count(order));
    const std::vector<Node> all_nodes = on_host(exec, trees.nodes);
    const std::vector<Source> all_sources = on_host(exec, trees.sources);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t begin = trees.node_begin[rank], source_begin = trees.source_begin[rank];
        const std::size_t nodes = trees.node_begin[rank + 1] - begin, sources = trees.source_begin[rank + 1] - source_begin;
        EXPECT_EQ(nodes > 0, !accept_all(targets, rank, known)) << rank;
        if (nodes == 0) {
            EXPECT_EQ(sources, 0u) << rank;
            continue;
        }
        EXPECT_EQ(pruned_tree_flaw(all_nodes.data() + begin, nodes, all_sources.data() + source_begin, sources, targets, rank),
                  "");
    }
}

TargetBox cube(double x, double y, double z, double half) {
    return {{{x - half, y - half, z - half}, {x + half, y + half, z + half}}, 0.0};
}

TEST(Essential, VirtualRootsMadeByHand) {
    for (const BodyArrays& points : {random_points(1, 4000), clustered_points(2, 4000), random_points(3, 1)}) {
        const LocalTree local(points, options);
        constexpr std::size_t stride = 3;
        // One inside, one beside with three boxes, one so far that the root will do.
        const std::vector<TargetBox> boxes = {
            cube(0.3, 0.7, 0.1, 0.01), cube(0.3, 0.7, 0.1, 0.01), cube(0.3, 0.7, 0.1, 0.01),  //
            cube(1.2, 0.5, 0.5, 0.1),  cube(0.9, 0.9, 0.9, 0.05), cube(-3.0, 0.0, 0.0, 1.0),  //
            cube(1e3, 0.0, 0.0, 1.0),  cube(1e3, 0.0, 0.0, 1.0),  cube(1e3, 0.0, 0.0, 1.0),
        };
        std::vector<FarNode> root = far_nodes<order>(local.exec, local.tree, 0, 1);
        prune(root.front());
        const RemoteTargets targets{boxes.data(), stride, {}};
        EssentialWalk<Backend> walk(local.exec);
        PrunedTrees<Backend> out(local.exec);
        for (int again = 0; again < 2; ++again) {
            walk.run(local.view(), moment_count(order), root, targets, 3, out);
            expect_valid(local.exec, out, targets, 3, root);
            EXPECT_EQ(out.node_begin[1] > 0, points.size() > 1);  // a lone point is its root
            EXPECT_EQ(out.node_begin[3], out.node_begin[2]);      // too far
        }
        EXPECT_LE(out.sources.size(), 2 * local.bodies.source_count);
    }
}

TEST(Essential, NobodyNear) {
    const LocalTree local(random_points(1, 4000), options);
    EssentialWalk<Backend> walk(local.exec);
    PrunedTrees<Backend> out(local.exec);
    walk.run(local.view(), moment_count(order), far_nodes<order>(local.exec, local.tree, 0, 1), {}, 0, out);
    EXPECT_EQ(out.nodes.size(), 0u);
    EXPECT_EQ(out.node_begin, std::vector<std::size_t>{0});
}

OwnVirtualRoot virtual_root_of(const LocalTree& local) {
    return make_virtual_root<order>(local.exec, local.bodies, local.tree, local.frame.cube, local.opening(), 4);
}

// The smallest octree cube around the domain's middle is all of it.
TEST(Essential, RootAsLargeAsItsBodies) {
    BodyArrays points = random_points(5, 2000);
    for (auto* const axis : {&points.x, &points.y, &points.z})
        for (double& x : *axis) x = 0.5 + 0.02 * (x - 0.5);
    const LocalTree local(points, options);
    const Node whole = read(local.exec, local.view().nodes);
    ASSERT_EQ(whole.size, 1.0f);
    const FarNode root = virtual_root_of(local).root.root;
    EXPECT_NEAR(root.node.size, 0.02, 1.6e-5);
    EXPECT_FALSE(local.frame.cube.is_side(root.node.size));
    EXPECT_LT(root.node.open_radius, 0.2f);
    EXPECT_GT(root.node.open_radius, root.node.size / 0.6f);
    EXPECT_EQ(root.node.count, 0u);
    // The same moments, in other units.
    const FarNode before = far_nodes<order>(local.exec, local.tree, 0, 1).front();
    for (int m = 0; m < moment_count(order); ++m)
        EXPECT_NEAR(root.moments[m] * root.node.size * root.node.size, before.moments[m],
                    2.8e-9 * root.node.size * root.node.size);
}

// Nodes of a periodic box are in one piece each, of a quarter of its side here.
TEST(Essential, PartsOfARoot) {
    Options periodic = options;
    periodic.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    periodic.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    for (const double width : {0.1, 0.6, 1.0}) {  // around a corner of eight pieces, of more, all of them
        BodyArrays points = random_points(6, 2000);
        for (auto* const axis : {&points.x, &points.y, &points.z})
            for (double& x : *axis) x = 0.5 + width * (x - 0.5);
        const OwnVirtualRoot own = virtual_root_of(LocalTree(points, periodic));
        EXPECT_EQ(own.parts.nodes.size(), width == 0.1 ? 8u : 0u);
        EXPECT_EQ(static_cast<std::size_t>(own.root.parts), own.parts.nodes.size());
        EXPECT_GT(own.root.root.node.open_radius, 1e8f);  // whoever knows the root alone opens it
        double mass = 0.0;
        for (const FarNode& part : own.parts.nodes) {
            EXPECT_LE(part.node.size, 0.25f);
            EXPECT_EQ(part.node.count, 0u);
            mass += part.node.mass;
        }
        EXPECT_NEAR(mass, own.parts.nodes.empty() ? 0.0 : own.root.root.node.mass, 7e-8);
    }
}

VirtualRoot virtual_root(double mass, double at, bool targets) {
    VirtualRoot root{};
    root.has_mass = mass > 0.0 ? 1 : 0;
    root.has_targets = targets ? 1 : 0;
    root.root.node.x = at;
    root.root.node.mass = static_cast<float>(mass);
    root.root.node.open_radius = 2.0f;
    root.box = cube(at, 0.0, 0.0, 0.5);
    return root;
}

// Rank 1 is this one; 0 has no mass, 2 no targets, 3 is far, and 4 beside.
TEST(Essential, WhoIsNear) {
    VirtualRoots roots;
    roots.all = {virtual_root(0.0, 1.0, true), virtual_root(1.0, 0.0, true), virtual_root(1.0, 1.0, false),
                 virtual_root(1.0, 9.0, true), virtual_root(1.0, 2.0, true)};
    find_near(1, roots);
    EXPECT_EQ(roots.audience, (std::vector<int>{0, 4}));
    EXPECT_EQ(roots.senders, (std::vector<int>{2, 4}));
    for (int rank = 0; rank < 5; ++rank) {  // all ranks agree on who is near
        VirtualRoots theirs;
        theirs.all = roots.all;
        find_near(rank, theirs);
        EXPECT_EQ(std::ranges::count(theirs.senders, 1), std::ranges::count(roots.audience, rank)) << rank;
        EXPECT_EQ(std::ranges::count(theirs.audience, 1), std::ranges::count(roots.senders, rank)) << rank;
    }
}

// What is sent has no flaw, nor has what arrives.
TEST(Essential, BetweenRanks) {
    const Communicator comm(MPI_COMM_WORLD);
    const std::size_t ranks = static_cast<std::size_t>(comm.size()), me = static_cast<std::size_t>(comm.rank());
    const BodyArrays all = clustered_points(4, 6000);
    for (const bool slabs : {true, false}) {
        BodyArrays mine;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::size_t owner = slabs ? static_cast<std::size_t>(all.x[i] * static_cast<double>(ranks)) : i % ranks;
            if (owner == me) mine.add(all.x[i], all.y[i], all.z[i], all.mass[i]);
        }
        LocalTree local(mine, options);
        const auto [own, roots, nodes_here, sources_here, node_begin, source_begins] =
            exchange_between_ranks<order>(comm, local, 32, [&](const PrunedTrees<Backend>& sent, const VirtualRoots& to) {
                expect_valid(local.exec, sent, to.targets(), to.audience.size(), to.nodes_of(comm.rank()));
            });
        const RemoteTargets here{own.boxes.data(), own.boxes.size(), distance_of(local.options, local.frame)};
        for (std::size_t k = 0; k < roots.senders.size(); ++k) {
            const std::size_t begin = node_begin[k], source_begin = source_begins[k];
            const std::size_t nodes = node_begin[k + 1] - begin;
            EXPECT_EQ(nodes > 0, !accept_all(here, 0, roots.nodes_of(roots.senders[k])));
            if (nodes == 0) continue;
            EXPECT_EQ(pruned_tree_flaw(nodes_here.data() + begin, nodes, sources_here.data() + source_begin,
                                       source_begins[k + 1] - source_begin, here, 0),
                      "");
        }
    }
}

}  // namespace
}  // namespace gravlet::test
