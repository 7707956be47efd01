// SPDX-License-Identifier: Apache-2.0
// The remote half of the locally essential tree: the pruned trees that other ranks sent, one after the other as received, and
// after them a small top tree over all remote ranks' roots, so that a walk begins at one node however many ranks there are.
// Nothing is sorted or rebuilt: child indices are shifted, and top nodes get their moments from below like any node.
#pragma once

#include "solver/essential.hpp"
#include "solver/moments.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// The bounding cube of children whose own cubes are known only by side and delta: a cube's centre is within delta of its
/// centre of mass.
template <int P>
GRAVLET_HD Vector3 bounding_cube(const Node* children, const float* moments, std::uint32_t count, const Opening& opening,
                                 float& size) {
    Vector3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
    for (std::uint32_t c = 0; c < count; ++c) {
        const Node& n = children[c];
        const double stretch = stretch_of<P>(moments + c * std::size_t{moment_count(P)});
        const double reach = 0.5 * n.size + (n.open_radius - opening.reach(n.size, n.mass, stretch));
        lower = {fmin(lower.x, n.x - reach), fmin(lower.y, n.y - reach), fmin(lower.z, n.z - reach)};
        upper = {fmax(upper.x, n.x + reach), fmax(upper.y, n.y + reach), fmax(upper.z, n.z + reach)};
    }
    size = static_cast<float>(fmax(upper.x - lower.x, fmax(upper.y - lower.y, upper.z - lower.z)));
    return {0.5 * (lower.x + upper.x), 0.5 * (lower.y + upper.y), 0.5 * (lower.z + upper.z)};
}

/// Local. `received` holds the pruned trees, indexed by sending rank (empty where a rank sent none); a view over all of it.
template <int P, class Exec>
TreeView graft(const Exec& exec, PrunedTrees<Exec>& received, const VirtualRoots& roots, int my_rank, const RootCube& cube,
               const Opening& opening) {
    const std::size_t ranks = static_cast<std::size_t>(roots.ranks);
    const std::size_t received_nodes = received.node_begin[ranks];

    // Indices inside each tree count from its start: shift them to the whole array.
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t base = received.node_begin[rank], source_base = received.source_begin[rank];
        Node* const all = received.nodes.data();
        for_each(exec, received.node_begin[rank + 1] - base, [=] GRAVLET_HD(std::size_t i) {
            Node& node = all[base + i];
            if (node.count > 0) node.first += static_cast<std::uint32_t>(node.leaf != 0 ? source_base : base);
        });
    }

    // The top tree's lowest level: every remote root, in curve order; above it, every eight become one.
    std::vector<std::size_t> order;
    if (roots.headers[my_rank].box_count > 0) {
        for (std::size_t rank = 0; rank < ranks; ++rank)
            if (rank != static_cast<std::size_t>(my_rank) && roots.headers[rank].has_mass != 0) order.push_back(rank);
    }
    if (order.empty()) return {};
    const auto key = [&](std::size_t rank) { return hilbert_key(cube.place(roots.headers[rank].root)); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });

    std::size_t top_nodes = order.size();
    for (std::size_t width = order.size(); width > 1; width = (width + 7) / 8) top_nodes += (width + 7) / 8;
    received.nodes.resize(received_nodes + top_nodes);
    received.moments.resize((received_nodes + top_nodes) * moment_count(P));
    Node* const nodes = received.nodes.data();
    float* const moments = received.moments.data();

    // A rank that sent a tree has its root there, with children; of the others the virtual root is all there is.
    std::vector<VirtualRootHeader> host_roots;
    std::vector<std::size_t> host_from;
    for (const std::size_t rank : order) {
        host_roots.push_back(roots.headers[rank]);
        const bool sent = received.node_begin[rank + 1] > received.node_begin[rank];
        host_from.push_back(sent ? received.node_begin[rank] : received_nodes);
    }
    auto top_roots = exec.template buffer<VirtualRootHeader>();
    auto top_from = exec.template buffer<std::size_t>();
    top_roots.resize_discard(order.size());
    top_from.resize_discard(order.size());
    copy_in(exec, host_roots.data(), top_roots.data(), order.size());
    copy_in(exec, host_from.data(), top_from.data(), order.size());
    const VirtualRootHeader* const headers = top_roots.data();
    const std::size_t* const froms = top_from.data();
    for_each(exec, order.size(), [=] GRAVLET_HD(std::size_t i) {
        const std::size_t from = froms[i], to = received_nodes + i;
        nodes[to] = from < received_nodes ? nodes[from] : headers[i].root;
        for (std::size_t m = 0; m < std::size_t{moment_count(P)}; ++m) moments[to * moment_count(P) + m] = headers[i].moments[m];
    });
    int depth = 0;
    for (const VirtualRootHeader& root : host_roots) depth = std::max(depth, root.depth);
    std::size_t begin = received_nodes, width = order.size();
    while (width > 1) {
        ++depth;
        const std::size_t parents = (width + 7) / 8;
        for_each(exec, parents, [=] GRAVLET_HD(std::size_t i) {
            Node& node = nodes[begin + width + i];
            node.first = static_cast<std::uint32_t>(begin + 8 * i);
            node.count = static_cast<std::uint32_t>(width - 8 * i < 8 ? width - 8 * i : 8);
            node.leaf = 0;
            const Vector3 centre = bounding_cube<P>(nodes + node.first, moments + node.first * std::size_t{moment_count(P)},
                                                    node.count, opening, node.size);
            if (opening.largest_node > 0.0) node.size = fmaxf(node.size, 2.0f);
            finish_node<P>(nodes, moments, nullptr, begin + width + i, centre, opening);
        });
        begin += width;
        width = parents;
    }

    TreeView view;
    view.nodes = nodes;
    view.moments = moments;
    view.sources = received.sources.data();
    view.node_count = static_cast<node_index>(received.nodes.size());
    view.source_count = received.sources.size();
    view.root = static_cast<node_index>(received.nodes.size() - 1);
    view.depth = depth;
    view.remote = true;
    return view;
}

}  // namespace gravlet
