// SPDX-License-Identifier: Apache-2.0
#include "solver/essential/invariants.hpp"

#include "physics/keys.hpp"
#include "physics/order.hpp"
#include "solver/tree/moments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gravlet {
namespace {

/// Rounding of positions, and of centres from level to level: more than 1e-5 of the deepest nodes.
double rounding(const Node& node) { return 4e-15 * std::max({1.0, std::abs(node.x), std::abs(node.y), std::abs(node.z)}); }

std::string wrong(std::size_t node, const char* what) { return "node " + std::to_string(node) + ": " + what; }

/// A coordinate, or where the root cube ends if it lies beyond that, as a caller's rounding may take it.
double held(const RootCube& cube, int d, double x) {
    const double corner = d == 0 ? cube.corner.x : d == 1 ? cube.corner.y : cube.corner.z, place = cube.place(d, x);
    return (x - corner) / cube.side == place ? x : corner + cube.side * place;
}

template <int P>
std::string flaw_of(const TreeView& tree, std::uint32_t leaf_size, const RootCube& cube, const Opening& opening) {
    if (tree.source_count == 0) return tree.node_count == 0 ? std::string() : wrong(0, "no sources");
    struct Range {
        std::size_t begin, end;
    };
    std::vector<Range> ranges(tree.node_count);
    std::vector<int> parents(tree.node_count, 0);
    std::vector<float> pulls(tree.node_count,
                             opening.around + pull_of(tree.nodes[0]));  // at each node's place, its own among them
    for (std::size_t i = 0; i < tree.node_count; ++i)
        for (std::size_t c = tree.nodes[i].first; tree.nodes[i].leaf == 0 && c < tree.nodes[i].first + tree.nodes[i].count; ++c)
            if (c > i && c < tree.node_count) pulls[c] = pulls[i] + pull_of(tree.nodes[c]);
    for (std::size_t i = tree.node_count; i-- > 0;) {  // children come after their parents
        const Node& node = tree.nodes[i];
        if (node.count == 0) return wrong(i, "empty");
        if (node.leaf != 0) {
            ranges[i] = {node.first, std::size_t{node.first} + node.count};
            if (ranges[i].end > tree.source_count) return wrong(i, "sources out of range");
            for (std::size_t s = ranges[i].begin + 1; node.count > leaf_size && s < ranges[i].end; ++s) {
                const auto key = [&](std::size_t k) {
                    const Vector3 place = cube.place(tree.sources[k]);
                    return std::pair(hilbert_key(place), lower_hilbert_key(place));
                };
                if (key(s) != key(s - 1)) return wrong(i, "a leaf of too many sources");
            }
        } else {
            if (node.count < 2 || node.count > 8) return wrong(i, "number of children");
            if (node.first <= i || std::size_t{node.first} + node.count > tree.node_count)
                return wrong(i, "children out of range");
            ranges[i] = {ranges[node.first].begin, ranges[node.first + node.count - 1].end};
            for (std::size_t c = node.first; c < node.first + node.count; ++c) {
                ++parents[c];
                if (c > node.first && ranges[c].begin != ranges[c - 1].end) return wrong(i, "children do not partition it");
                if (!(tree.nodes[c].size < node.size)) return wrong(c, "not smaller than its parent");
            }
        }
        double mass = 0.0, x = 0.0, y = 0.0, z = 0.0;
        const Source& first = tree.sources[ranges[i].begin];
        const Vector3 centre = cube_centre(cube, first, node.size);
        for (std::size_t s = ranges[i].begin; s < ranges[i].end; ++s) {
            const Source& source = tree.sources[s];
            mass += source.mass;
            x += source.mass * (source.x - centre.x), y += source.mass * (source.y - centre.y),
                z += source.mass * (source.z - centre.z);
            const double reach =
                std::max({std::abs(held(cube, 0, source.x) - centre.x), std::abs(held(cube, 1, source.y) - centre.y),
                          std::abs(held(cube, 2, source.z) - centre.z)});
            if (reach > 0.5 * (1.0 + 1e-7) * node.size + rounding(node))  // sides are rounded to single precision
                return wrong(i, "a source outside its cube");
        }
        x /= mass, y /= mass, z /= mass;
        if (std::abs(node.mass / mass - 1.0) > 1e-5) return wrong(i, "mass");
        const double off = std::hypot(node.x - centre.x - x, node.y - centre.y - y, node.z - centre.z - z);
        if (off > std::max(1e-5 * node.size, rounding(node))) return wrong(i, "centre of mass");
        double spread = 0.0;
        for (std::size_t s = ranges[i].begin; s < ranges[i].end; ++s)
            spread += 0.5 * tree.sources[s].mass *
                      (std::pow(tree.sources[s].x - node.x, 2) + std::pow(tree.sources[s].y - node.y, 2) +
                       std::pow(tree.sources[s].z - node.z, 2));
        if (std::abs(node.spread - spread / mass) > std::max(1e-5 * node.size * node.size, rounding(node) * node.size))
            return wrong(i, "spread");
        const double stretch = stretch_of<P>(tree.moments + i * std::size_t{moment_count(P)});
        const double own = opening.radius({node.size, node.mass, stretch, std::hypot(x, y, z), node.spread, extent_of(node)}),
                     radius = i == 0 ? own : own * opening.widening(node, pull_of(node) / pulls[i]);
        if (std::abs(node.open_radius - radius) > std::max(1e-5 * radius, rounding(node))) return wrong(i, "open radius");
    }
    if (ranges[0].begin != 0 || ranges[0].end != tree.source_count) return wrong(0, "not all sources are below the root");
    for (std::size_t i = 0; i < tree.node_count; ++i)
        if (parents[i] != (i == 0 ? 0 : 1)) return wrong(i, "not the child of exactly one node");
    return {};
}

}  // namespace

std::string tree_flaw(const TreeView& tree, int order, std::uint32_t leaf_size, const RootCube& cube, const Opening& opening) {
    std::string flaw;
    with_order(order, [&](auto p) { flaw = flaw_of<decltype(p)::value>(tree, leaf_size, cube, opening); });
    return flaw;
}

std::string pruned_tree_flaw(const Node* nodes, std::size_t node_count, const Source* sources, std::size_t source_count,
                             const RemoteTargets& targets, std::size_t k, bool near) {
    std::vector<int> nodes_met(node_count, 0), sources_met(source_count, 0);
    ++nodes_met[0];
    double mass = 0.0;
    for (std::size_t i = 0; i < node_count; ++i) {
        const Node& node = nodes[i];
        if (node.count == 0) {
            if (!accepts(targets, k, node)) return wrong(i, "pruned but not accepted");
            mass += node.mass;
        } else if (node.leaf != 0) {
            if (std::size_t{node.first} + node.count > source_count) return wrong(i, "sources out of range");
            if (!near && node.count > 1 && accepts(targets, k, node)) return wrong(i, "opened but accepted");
            for (std::size_t s = node.first; s < node.first + node.count; ++s) {
                ++sources_met[s];
                mass += sources[s].mass;
            }
        } else {
            if (node.first <= i || std::size_t{node.first} + node.count > node_count) return wrong(i, "children out of range");
            if (!near && accepts(targets, k, node)) return wrong(i, "opened but accepted");
            for (std::size_t c = node.first; c < node.first + node.count; ++c) ++nodes_met[c];
        }
    }
    for (std::size_t i = 0; i < node_count; ++i)
        if (nodes_met[i] != 1) return wrong(i, "not met once");
    for (std::size_t s = 0; s < source_count; ++s)
        if (sources_met[s] != 1) return wrong(s, "is a source that is not met once");
    if (std::abs(mass / nodes[0].mass - 1.0) > 1e-5) return wrong(0, "mass of its ends");
    return {};
}

}  // namespace gravlet
