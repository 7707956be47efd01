// SPDX-License-Identifier: Apache-2.0
// From this rank's tree to the locally essential tree: what other ranks send is put behind its own nodes and sources, and merged
// with it (solver/merge.hpp). Of ranks that sent nothing, because their root is far from here, the virtual root is all there is.
#pragma once

#include "mpi/exchange.hpp"
#include "physics/virtual_root.hpp"
#include "solver/data/bodies.hpp"
#include "solver/merge.hpp"

#include <gravlet/options.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace gravlet {

/// This rank's own tree, as walks see it.
template <class Exec>
TreeView view_of(const Bodies<Exec>& bodies, const Tree<Exec>& tree) {
    TreeView view;
    view.nodes = tree.nodes.data();
    view.moments = tree.moments.data();
    view.sources = bodies.sources();
    view.source_target = bodies.all_massive() ? nullptr : bodies.source_target.data();
    view.node_count = tree.count();
    view.source_count = view.own_sources = bodies.source_count;
    view.depth = tree.depth();
    return view;
}

inline Opening opening_of(const Options& options, const Frame& frame) {
    return {options.theta, frame.total_mass, frame.extent, frame.largest_node};
}

/// How many of the groups that are walked for walk this rank's own tree while `bytes` arrive: the first ones of all, active or
/// not, so that an active target gets the same bits as if all were. A guess of how long that takes, since a measurement would
/// give other bits every time: at Exec's speeds, with as many pairs a target as there are at this theta in points, or in a mesh.
template <class Exec>
std::size_t early_groups(const Exec& exec, std::size_t bytes, const Options& options, bool points, const Bodies<Exec>& b) {
    constexpr std::size_t together = Exec::groups_together;
    const double pairs = (points ? 600.0 : 150.0) / (options.theta * options.theta * options.theta);
    const double seconds = static_cast<double>(bytes) / Exec::exchange_speed;
    const double many = seconds * exec.walk_speed() / (pairs * static_cast<double>(b.group_size)) / together;
    const std::size_t sets = many < static_cast<double>(b.groups.size()) ? static_cast<std::size_t>(many) : b.groups.size();
    if (b.all_active) return std::min(sets * together, b.groups.size());
    const std::uint32_t* const set = b.set.data();
    const std::size_t chosen = transform_reduce(
        exec, (b.walked.size() + together - 1) / together, [=] GRAVLET_HD(std::size_t s) { return std::size_t{set[s] < sets}; },
        std::size_t{0}, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    return std::min(chosen * together, b.walked.size());
}

template <class Exec>
class TreeCompletion {
public:
    explicit TreeCompletion(const Exec& exec) : exec_(exec), merge_(exec) {}

    /// Which rank sends how much.
    std::vector<std::size_t> node_begin{0}, source_begin{0};

    /// Local. Room for what is sent, behind what is this rank's own.
    [[nodiscard]] PrunedTreeArrays make_room(int moments_per_node, Bodies<Exec>& bodies, Tree<Exec>& tree) {
        const std::size_t moments = static_cast<std::size_t>(moments_per_node);
        tree.nodes.resize(tree.count() + node_begin.back());
        tree.moments.resize(tree.nodes.size() * moments);
        bodies.source_buffer().resize(bodies.source_count + source_begin.back());
        return arrays(moments_per_node, bodies, tree);
    }

    [[nodiscard]] PrunedTreeArrays arrays(int moments_per_node, Bodies<Exec>& bodies, Tree<Exec>& tree) {
        const std::size_t moments = static_cast<std::size_t>(moments_per_node);
        return {tree.nodes.data() + tree.count(),
                tree.moments.data() + tree.count() * moments,
                bodies.source_buffer().data() + bodies.source_count,
                node_begin,
                source_begin,
                moments};
    }

    /// Local, once all has arrived.
    template <int P>
    void take_in(const VirtualRoots& roots, int my_rank, const Bodies<Exec>& bodies, Tree<Exec>& tree) {
        parts_ = {{}, {}, bodies.sources(), bodies.source_count};
        if (tree.count() > 0) parts_.roots.push_back(0), parts_.depths.push_back(tree.depth());
        received_.clear();
        std::vector<std::size_t> far;
        for (std::size_t rank = 0; rank + 1 < node_begin.size(); ++rank) {
            if (rank == static_cast<std::size_t>(my_rank) || roots.headers[rank].has_mass == 0) continue;
            const std::size_t nodes = node_begin[rank + 1] - node_begin[rank], begin = tree.count() + node_begin[rank];
            parts_.roots.push_back(static_cast<node_index>(nodes > 0 ? begin : tree.nodes.size() + far.size()));
            parts_.depths.push_back(nodes > 0 ? roots.headers[rank].depth : 1);
            if (nodes == 0) {
                far.push_back(rank);
            } else {
                received_.push_back(static_cast<node_index>(begin));
                shift(begin, nodes, bodies.source_count + source_begin[rank], tree);
            }
        }
        append_roots<P>(roots, far, tree);
    }

    /// Local, after take_in(). Of this rank and all others or, without `own`, of all others: a view in the backend's memory,
    /// empty if there is no mass.
    template <int P>
    TreeView merge(bool own, const Bodies<Exec>& bodies, const Frame& frame, const Options& options, Tree<Exec>& tree) {
        MergeInput parts = parts_;
        if (!own && tree.count() > 0) parts.roots.erase(parts.roots.begin()), parts.depths.erase(parts.depths.begin());
        TreeView view;
        twin_ = no_source;
        if (parts.roots.empty()) return view;
        view = view_of(bodies, tree);
        view.root = merge_.template run<P>(parts, frame.cube, static_cast<std::uint32_t>(options.leaf_size), frame.piece_level,
                                           opening_of(options, frame), tree);
        view.nodes = tree.nodes.data();
        view.moments = tree.moments.data();
        view.node_count = static_cast<node_index>(tree.nodes.size());
        view.source_count = bodies.source_count + source_begin.back();
        view.depth = static_cast<int>(merge_.found().depth);
        twin_ = merge_.found().twin;
        return view;
    }

    /// Of the trees that were sent, after take_in().
    [[nodiscard]] const std::vector<node_index>& received() const { return received_; }
    /// In the last merge(): one of this rank's sources, a cell with another rank's cell at its place; or no_source.
    [[nodiscard]] std::uint32_t twin() const { return twin_; }

    // The steps of take_in(); public because CUDA's extended lambdas may not be in private functions.

    /// Indices in a pruned tree count from its start.
    void shift(std::size_t begin, std::size_t count, std::size_t first_source, Tree<Exec>& tree) {
        Node* const nodes = tree.nodes.data() + begin;
        for_each(exec_, count, [=] GRAVLET_HD(std::size_t i) {
            if (nodes[i].count > 0) nodes[i].first += static_cast<std::uint32_t>(nodes[i].leaf != 0 ? first_source : begin);
        });
    }

    template <int P>
    void append_roots(const VirtualRoots& roots, const std::vector<std::size_t>& ranks, Tree<Exec>& tree) {
        constexpr std::size_t moments = moment_count(P);
        const std::size_t begin = tree.nodes.size();
        tree.nodes.resize(begin + ranks.size());
        tree.moments.resize(tree.nodes.size() * moments);
        std::vector<Node> root_nodes;
        std::vector<float> root_moments;
        for (const std::size_t rank : ranks) {
            const VirtualRootHeader& header = roots.headers[rank];
            root_nodes.push_back(header.root);
            root_moments.insert(root_moments.end(), header.moments, header.moments + moments);
        }
        copy_in(exec_, root_nodes.data(), tree.nodes.data() + begin, root_nodes.size());
        copy_in(exec_, root_moments.data(), tree.moments.data() + begin * moments, root_moments.size());
    }

private:
    Exec exec_;
    TreeMerge<Exec> merge_;
    MergeInput parts_{};
    std::vector<node_index> received_;
    std::uint32_t twin_ = no_source;
};

}  // namespace gravlet
