// SPDX-License-Identifier: Apache-2.0
// However bodies are dealt out, the locally essential tree is that of one rank, pruned.
#include "physics/order.hpp"
#include "solver/essential/remote_twins.hpp"
#include "tests/backend/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace gravlet::test {
namespace {

constexpr int order = 2;
constexpr std::uint32_t node_moments = moment_count(order);

/// A node's cube.
using CubeKey = std::tuple<int, key_type, key_type>;

class Cubes {
public:
    Cubes(const TreeView& tree, const RootCube& root) : tree_(tree), root_(root) {}

    /// Of node i: its level, and the bits of its keys that count.
    [[nodiscard]] CubeKey of(node_index i) const {
        const Node& node = tree_.nodes[i];
        const int level = std::ilogb(static_cast<float>(root_.side) / node.size);
        const Vector3 centre = cube_centre(root_, node, node.size);
        const auto cut = [](key_type key, int levels) {
            const int unused = 3 * (key_levels - std::clamp(levels, 0, key_levels));
            return unused >= 63 ? key_type{0} : key >> unused << unused;
        };
        return {level, cut(hilbert_key(root_.place(centre)), level),
                cut(lower_hilbert_key(root_.place(centre)), level - key_levels)};
    }

private:
    TreeView tree_;
    RootCube root_;
};

struct Sum {
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0;
    std::size_t sources = 0;
    std::size_t levels = 0;
    void add(double m, double px, double py, double pz) { mass += m, x += m * px, y += m * py, z += m * pz; }
};

/// What ends a completed tree below node i, and what is wrong with its structure on the way down.
Sum below(const TreeView& tree, node_index i, std::vector<int>& met) {
    const Node& node = tree.nodes[i];
    Sum sum;
    sum.levels = 1;
    if (node.count == 0) {
        sum.add(node.mass, node.x, node.y, node.z);
        return sum;
    }
    EXPECT_LE(node.leaf != 0 ? 0u : node.count, 8u) << i;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
        if (node.leaf != 0) {
            const Source& s = tree.sources[k];
            sum.add(s.mass, s.x, s.y, s.z);
            ++met[k];
            ++sum.sources;
            continue;
        }
        const Sum child = below(tree, k, met);
        sum.mass += child.mass, sum.x += child.x, sum.y += child.y, sum.z += child.z;
        sum.sources += child.sources;
        sum.levels = std::max(sum.levels, child.levels + 1);
        EXPECT_LE(tree.nodes[k].size, node.size) << i;
    }
    EXPECT_NEAR(node.mass / sum.mass, 1.0, 7e-7) << i;
    for (const auto& [at, total] : {std::pair(node.x, sum.x), {node.y, sum.y}, {node.z, sum.z}})
        EXPECT_NEAR(at, total / sum.mass, 1e-6 * node.size + 1e-15) << i;
    return sum;
}

/// Nodes of two trees that are of one cube, and nothing is pruned below, are the same node. Returns how many.
std::size_t expect_same_nodes(const TreeView& tree, const TreeView& one, const RootCube& root) {
    std::map<CubeKey, node_index> of_one;
    const Cubes theirs(one, root), ours(tree, root);
    for (node_index i = 0; i < one.node_count; ++i) of_one[theirs.of(i)] = i;
    std::size_t same = 0;
    std::vector<node_index> stack{tree.root};
    while (!stack.empty()) {
        const node_index i = stack.back();
        const Node& node = tree.nodes[i];
        stack.pop_back();
        if (node.leaf == 0)
            for (std::uint32_t k = 0; k < node.count; ++k) stack.push_back(node.first + k);
        const auto found = of_one.find(ours.of(i));
        if (found == of_one.end()) {
            // In one rank's tree this is inside a leaf; or a sender's part of a cube, which had less in it.
            continue;
        }
        const Node& same_cube = one.nodes[found->second];
        if (std::abs(node.mass / same_cube.mass - 1.0) > 1e-5) continue;  // a part of it, beside the others
        ++same;
        // What pulls around it on other ranks, its own does not know of: it is opened no less wide.
        EXPECT_GE(node.open_radius / same_cube.open_radius, 1.0 - 1e-5) << i;
        EXPECT_LE(node.open_radius / same_cube.open_radius, 1.5) << i;
        EXPECT_NEAR(node.spread, same_cube.spread, 7e-7 * node.size * node.size) << i;
        for (std::uint32_t m = 0; m < node_moments; ++m)
            EXPECT_NEAR(tree.moments[i * node_moments + m], one.moments[found->second * node_moments + m], 1.7e-6);
    }
    return same;
}

void expect_completed(const BodyArrays& all, std::size_t ranks, unsigned (*owner)(const BodyArrays&, std::size_t, std::size_t),
                      const char* what, const TellingRule& rule = {}) {
    const Options options{.theta = 0.6, .order = order};
    const LocalTree one(all, options);
    const HostTree whole = on_host(one.exec, one.view(), order);
    auto trees = dealt_out(
        all, ranks, [&](std::size_t i) { return owner(all, i, ranks); }, options);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        SCOPED_TRACE(std::string(what) + ", rank " + std::to_string(rank) + " of " + std::to_string(ranks));
        LocalTree& here = *trees[rank];
        TreeCompletion<Backend> completion(here.exec);
        exchange<order>(trees, rank, completion, rule);
        for (const bool own : {false, true}) {
            const TreeView view = completed(here, completion, own);
            if (view.node_count == 0) continue;
            const HostTree tree = on_host(here.exec, view, order);
            std::vector<int> met(view.source_count, 0);
            const Sum sum = below(tree.view(), view.root, met);
            EXPECT_LE(sum.levels, static_cast<std::size_t>(view.depth));
            for (std::size_t s = 0; s < met.size(); ++s) EXPECT_EQ(met[s], own || s >= view.own_sources ? 1 : 0) << s;
            if (!own) continue;
            EXPECT_NEAR(sum.mass / whole.nodes[0].mass, 1.0, 1.6e-7);
            EXPECT_GT(expect_same_nodes(tree.view(), whole.view(), one.frame.cube), here.tree.count() / 2);
        }
    }
}

unsigned run(const BodyArrays& all, std::size_t i, std::size_t ranks) { return static_cast<unsigned>(i * ranks / all.size()); }
unsigned slab(const BodyArrays& all, std::size_t i, std::size_t ranks) {
    return static_cast<unsigned>(all.x[i] * static_cast<double>(ranks));
}
unsigned scatter(const BodyArrays&, std::size_t i, std::size_t ranks) { return static_cast<unsigned>(i % ranks); }
unsigned last(const BodyArrays&, std::size_t, std::size_t ranks) { return static_cast<unsigned>(ranks - 1); }

TEST(Merge, IsTheTreeOfOneRankPruned) {
    for (const auto& [all, what] : {std::pair(random_points(1, 3000), "uniform"),
                                    {clustered_points(2, 3000), "clustered"},
                                    {crowded_points(3, 2000, 1e-9), "crowded"},
                                    {random_points(4, 20), "few"}}) {
        for (const std::size_t ranks : {2UL, 3UL, 20UL}) {
            expect_completed(all, ranks, slab, what);
            expect_completed(all, ranks, scatter, what);
            expect_completed(all, ranks, run, what);
        }
        expect_completed(all, 3, last, what);
    }
}

// So it is where ranks tell all others at once what many need, and send the rest.
TEST(Merge, WithWhatAllAreTold) {
    for (const auto& [all, what] : {std::pair(random_points(1, 3000), "uniform"), {clustered_points(2, 3000), "clustered"}}) {
        for (const std::size_t few : {0UL, 1UL, 5UL}) {
            expect_completed(all, 20, run, what, {1, few, 1024});
            expect_completed(all, 20, scatter, what, {1, few, 1024});
            expect_completed(all, 20, slab, what, {1, few, 1024});
        }
    }
}

// A node is as large as its cube, or as what its children that are no cubes themselves may reach from its centre, all their size
// away from their own; but no larger than cubes of the lowest level.
TEST(Merge, SizesAroundNodesThatAreNoCubes) {
    std::vector<Node> nodes(3);
    RootCube cube;
    const Merging merging{nodes.data(), nullptr, cube, 1, 0};
    const auto size_of = [&](float own, float first, float second, double x, double y, double z) {
        nodes[0].x = nodes[0].y = nodes[0].z = 0.4, nodes[0].size = first;
        nodes[1].x = 0.4 + x, nodes[1].y = 0.4 + y, nodes[1].z = 0.4 + z, nodes[1].size = second;
        Node node{};
        node.size = own, node.first = 0, node.count = 2;
        return merging.size_of(node, {0.4, 0.4, 0.4});
    };
    EXPECT_EQ(size_of(0.5f, 0.25f, 0.25f, 0.3, 0.3, 0.3), 0.5f);
    EXPECT_FLOAT_EQ(size_of(0.25f, 0.25f, 0.2f, 0.1, 0.02, 0.03), 0.6f);
    EXPECT_FLOAT_EQ(size_of(0.25f, 0.25f, 0.2f, 0.01, -0.1, 0.03), 0.6f);
    EXPECT_FLOAT_EQ(size_of(0.25f, 0.3f, 0.2f, 0.01, 0.02, -0.05), 0.6f);
    EXPECT_EQ(size_of(0.25f, 0.25f, 0.3f, 0.4, 0.0, 0.0), 1.0f);
}

// Parts that cannot fall apart become children by themselves where eight of a cube's children leave room for them, else together.
TEST(Merge, RoomForWholeParts) {
    const RootCube cube;
    const std::vector<Node> nodes(200);  // at one place
    const Merging merging{nodes.data(), nullptr, cube, 1, 0};
    for (std::uint32_t ends = 1; ends < 12; ++ends)
        for (std::uint32_t deeper = 0; deeper < 12; ++deeper) {
            std::vector<Part> parts;
            for (std::uint32_t k = 0; k < ends; ++k) parts.push_back({0, k, 0, 3, 1, true, 0});
            for (std::uint32_t k = 0; k < deeper; ++k) parts.push_back({0, 100 + k, 0, 5, 1, false, 0});
            if (parts.size() < 2) continue;
            SharedCube shared{0, 0, static_cast<std::uint32_t>(parts.size()), 0, 0};
            for (Part& part : parts) part.key = part.first;  // apart on a level below 5
            merging.begin(parts.data(), shared, Alone());
            const auto children = ends + std::min(deeper, 8u);
            EXPECT_EQ(shared.level, 3);
            EXPECT_EQ(shared.way, deeper == 0    ? Merging::by_count
                                  : children > 8 ? Merging::ends_apart
                                                 : Merging::by_octants)
                << ends << " " << deeper;
        }
}

// A far rank's root is as large as the box around its bodies, and lies across the faces of cubes: a node that holds it is at
// least as large as the box around all that it holds.
TEST(Merge, NewNodesHoldRootsThatAreNoCubes) {
    Machine machine;
    const Backend exec = machine.exec();
    std::vector<Node> ends(3);
    // The box around its bodies reaches from 0.31 to 0.61; the others fill cubes.
    ends[0].x = ends[0].y = ends[0].z = 0.51, ends[0].size = 0.3f, ends[0].mass = 0.001f;
    ends[1].x = ends[1].y = ends[1].z = 0.95, ends[1].size = 0.0625f, ends[1].mass = 1.0f;
    ends[2].x = ends[2].y = ends[2].z = 0.1, ends[2].size = 0.125f, ends[2].mass = 2.0f;
    const double begin[] = {0.31, 0.9375, 0.0}, end[] = {0.61, 1.0, 0.125};
    for (const bool with_third : {false, true}) {
        const std::size_t count = with_third ? 3 : 2;
        Tree<Backend> tree(exec);
        tree.nodes.resize(count), tree.moments.resize(count * node_moments);
        const std::vector<float> moments(count * node_moments, 0.0f);
        copy_in(exec, ends.data(), tree.nodes.data(), count);
        copy_in(exec, moments.data(), tree.moments.data(), moments.size());
        MergeInput input{{}, {}, nullptr};
        for (std::size_t k = 0; k < count; ++k) input.roots.push_back(static_cast<node_index>(k)), input.depths.push_back(1);
        Opening opening{0.5, with_third ? 3.001 : 1.001, 1.0, 0.0};
        opening.degree = order + 1;
        TreeMerge<Backend> merge(exec);
        const node_index root = merge.run(order, input, RootCube{}, 8, 0, opening, tree);
        const std::vector<Node> nodes = on_host(exec, tree.nodes);
        std::size_t looked_at = 0;
        // The box around what is below, and the mass, by which an end is told from others.
        const auto look = [&](const auto& self, node_index i) -> std::array<double, 2> {
            const Node& node = nodes[i];
            if (node.count == 0) {
                const std::size_t k = node.mass < 0.5f ? 0 : node.mass < 1.5f ? 1 : 2;
                return {begin[k], end[k]};
            }
            std::array<double, 2> box{1.0, 0.0};
            for (std::uint32_t c = node.first; c < node.first + node.count; ++c) {
                const auto [low, high] = self(self, c);
                box = {std::min(box[0], low), std::max(box[1], high)};
            }
            EXPECT_GE(node.size, box[1] - box[0]) << i;
            EXPECT_LE(node.size, 1.0f) << i;
            EXPECT_GE(node.open_radius, (box[1] - box[0]) / opening.theta) << i;
            ++looked_at;
            return box;
        };
        EXPECT_EQ(look(look, root)[1], 1.0);
        EXPECT_EQ(looked_at, count - 1);
    }
}

// Of cells with one key, on a level so coarse that these are many.
TEST(Merge, CellsAtAPlace) {
    std::vector<Source> bodies;
    for (const auto& [x, y, z] :
         {std::array{0.1, 0.1, 0.1}, {0.2, 0.1, 0.1}, {0.1, 0.2, 0.1}, {0.1, 0.1, 0.2}, {0.3, 0.3, 0.3}, {0.1, 0.1, 0.3}})
        bodies.push_back({x, y, z, 1.0f, 0.0f});
    bodies.front().softening = point_mark;
    const RootCube cube;
    const std::vector<key_type> keys(bodies.size(), hilbert_key(cube.place(bodies[0]), 1));
    const auto found = [&](const Source& at) { return cell_at(at, cube, 1, keys.data(), bodies.data(), bodies.size()); };
    for (std::size_t i = 1; i < bodies.size(); ++i) EXPECT_EQ(found(bodies[i]), i);
    EXPECT_EQ(found(bodies[0]), bodies.size());  // a point
    EXPECT_EQ(found({0.1, 0.3, 0.3, 1.0f, 0.0f}), bodies.size());
}

// A cell of one rank at the place of another's is found, with mass or without; points may be at one place.
TEST(Merge, FindsTwins) {
    for (const bool cells : {true, false}) {
        BodyArrays all = random_points(5, 600);
        if (cells) all.side.assign(all.size(), 1e-3);
        for (const std::size_t copied :
             {std::size_t{17}, std::size_t{19}, all.size()}) {  // the second has no mass, the last is none
            BodyArrays with = all;
            if (copied < all.size()) {
                with.add(all.x[copied], all.y[copied], all.z[copied], 0.5);
                if (cells) with.side.push_back(1e-3);
            }
            const auto owner = [&](std::size_t i) { return i == all.size() ? 1u : static_cast<unsigned>(i % 2) * 2u; };
            auto trees = dealt_out(with, 3, owner, {.theta = 0.6, .order = order});
            LocalTree& holder = *trees[copied < all.size() ? owner(copied) : 0];
            holder.frame.cells = cells;
            TreeCompletion<Backend> completion(holder.exec);
            exchange<order>(trees, copied < all.size() ? owner(copied) : 0, completion);
            const PrunedTreeArrays arrived = completion.arrays(moment_count(order), holder.bodies, holder.tree);
            const std::size_t twin =
                remote_twin(holder.exec, holder.frame, holder.bodies, arrived.sources, arrived.source_count());
            ASSERT_EQ(twin < holder.bodies.count, cells && copied < all.size());
            if (twin == holder.bodies.count) continue;
            EXPECT_EQ(read(holder.exec, holder.bodies.bodies.data() + twin).x, all.x[copied]);
        }
    }
}

}  // namespace
}  // namespace gravlet::test
