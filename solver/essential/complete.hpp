// SPDX-License-Identifier: Apache-2.0
// From this rank's tree to the locally essential tree: what other ranks send is put behind its own nodes and sources, and merged
// with it (solver/essential/merge.hpp). Of ranks that sent nothing, because their root is far from here, the virtual root is all
// there is.
#pragma once

#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "solver/data/bodies.hpp"
#include "solver/essential/merge.hpp"
#include "solver/tree/tree_view.hpp"

#include <gravlet/options.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace gravlet {

/// How many of the groups that are walked for walk this rank's own tree while `bytes` arrive: the first ones of all, active or
/// not, so that an active target may get the same bits as if all were. A guess of how long that takes, since a measurement would
/// give other bits every time: at Exec's speeds, with as many pairs a target as there are at this theta in points, or in a mesh.
template <class Exec>
std::size_t early_groups(const Exec& exec, std::size_t bytes, const Options& options, bool points, const TargetSet<Exec>& b) {
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

    /// Local. Room for what each of the senders has, behind what is this rank's own, and then for the sources that all ranks were
    /// told by those that send this one nothing; these are put there.
    [[nodiscard]] PrunedTreeArrays make_room(const std::vector<Announcement>& expected, const VirtualRoots& roots, int my_rank,
                                             int moments_per_node, Bodies<Exec>& bodies, Tree<Exec>& tree) {
        node_begin_.assign(1, 0);
        source_begin_.assign(1, 0);
        for (const Announcement& one : expected) {
            node_begin_.push_back(node_begin_.back() + one.nodes);
            source_begin_.push_back(source_begin_.back() + one.sources);
        }
        std::vector<Source> told;
        told_nodes_ = 0;
        for_ranks(roots, my_rank, [&](int rank, std::size_t, std::size_t arriving) {
            const std::span<const FarNode> nodes = roots.nodes_of(rank, my_rank);
            if (arriving > 0 || !is_tree(nodes)) return;
            const std::span<const Source> sources = roots.sources_of(rank);
            told.insert(told.end(), sources.begin(), sources.end());
            told_nodes_ += nodes.size();
        });
        node_begin_.push_back(node_begin_.back());
        source_begin_.push_back(source_begin_.back() + told.size());
        const std::size_t moments = static_cast<std::size_t>(moments_per_node);
        tree.nodes.resize(tree.count() + node_begin_.back());
        tree.moments.resize(tree.nodes.size() * moments);
        bodies.source_buffer().resize(bodies.source_count + source_begin_.back());
        copy_in(exec_, told.data(), bodies.source_buffer().data() + bodies.source_count + source_begin_[expected.size()],
                told.size());
        return arrays(moments_per_node, bodies, tree);
    }

    [[nodiscard]] PrunedTreeArrays arrays(int moments_per_node, Bodies<Exec>& bodies, Tree<Exec>& tree) {
        const std::size_t moments = static_cast<std::size_t>(moments_per_node);
        return {tree.nodes.data() + tree.count(),
                tree.moments.data() + tree.count() * moments,
                bodies.source_buffer().data() + bodies.source_count,
                node_begin_,
                source_begin_,
                moments};
    }

    /// Local. Takes in the arrived trees, once all are there.
    void take_in(int order, const VirtualRoots& roots, int my_rank, const Bodies<Exec>& bodies, Tree<Exec>& tree) {
        parts_ = {{}, {}, bodies.sources()};
        if (tree.count() > 0) parts_.roots.push_back(0), parts_.depths.push_back(tree.depth());
        std::vector<FarNode> far;
        std::size_t told = bodies.source_count + source_begin_[roots.senders.size()];
        for_ranks(roots, my_rank, [&](int rank, std::size_t k, std::size_t nodes) {
            const int depth = roots.all[static_cast<std::size_t>(rank)].depth;
            if (nodes > 0) {
                const std::size_t begin = tree.count() + node_begin_[k];
                add(begin, depth);
                shift(begin, nodes, bodies.source_count + source_begin_[k], tree);
                return;
            }
            const std::size_t begin = tree.nodes.size() + far.size();
            const std::span<const FarNode> known = roots.nodes_of(rank, my_rank);
            const bool tree_known = is_tree(known);
            if (tree_known) add(begin, depth);
            for (FarNode one : known) {
                if (!tree_known) add(tree.nodes.size() + far.size(), 1);
                if (one.node.count > 0) one.node.first += static_cast<std::uint32_t>(one.node.leaf != 0 ? told : begin);
                far.push_back(one);
            }
            if (tree_known) told += roots.sources_of(rank).size();
        });
        append(order, far, tree);
    }

    /// Local, after take_in(). The tree of this rank and all others or, without `own`, of all others: a view in the backend's
    /// memory, empty if there is no mass.
    TreeView merge(bool own, const Bodies<Exec>& bodies, const Frame& frame, const Options& options, Tree<Exec>& tree) {
        MergeInput parts = parts_;
        if (!own && tree.count() > 0) parts.roots.erase(parts.roots.begin()), parts.depths.erase(parts.depths.begin());
        TreeView view;
        if (parts.roots.empty()) return view;
        view = view_of(bodies, tree);
        view.root =
            merge_.run(std::min(options.order, max_order), parts, frame.cube, static_cast<std::uint32_t>(options.leaf_size),
                       frame.piece_level, opening_of(options, frame), tree);
        view.nodes = tree.nodes.data();
        view.moments = tree.moments.data();
        view.node_count = static_cast<node_index>(tree.nodes.size());
        view.source_count = bodies.source_count + source_begin_.back();
        view.depth = merge_.depth();
        return view;
    }

    /// What was merged last: its new nodes.
    [[nodiscard]] const TreeMerge<Exec>& merged() const { return merge_; }
    /// Sources of others, in messages and told to all; and nodes of trees that all were told.
    [[nodiscard]] std::size_t sources_arriving() const { return source_begin_.back(); }
    [[nodiscard]] std::size_t told_nodes() const { return told_nodes_; }

    // The steps of take_in(); public because CUDA's extended lambdas may not be in private functions.

    /// Indices in a pruned tree count from its start.
    void shift(std::size_t begin, std::size_t count, std::size_t first_source, Tree<Exec>& tree);

    void append(int order, const std::vector<FarNode>& far, Tree<Exec>& tree) {
        const std::size_t moments = static_cast<std::size_t>(moment_count(order));
        const std::size_t begin = tree.nodes.size();
        tree.nodes.resize(begin + far.size());
        tree.moments.resize(tree.nodes.size() * moments);
        std::vector<Node> far_nodes;
        std::vector<float> far_moments;
        for (const FarNode& one : far) {
            far_nodes.push_back(one.node);
            far_moments.insert(far_moments.end(), one.moments, one.moments + moments);
        }
        copy_in(exec_, far_nodes.data(), tree.nodes.data() + begin, far_nodes.size());
        copy_in(exec_, far_moments.data(), tree.moments.data() + begin * moments, far_moments.size());
    }

private:
    /// Whether what is known of a rank is a tree, not nodes with nothing below them.
    [[nodiscard]] static bool is_tree(std::span<const FarNode> nodes) { return !nodes.empty() && nodes.front().node.count > 0; }
    /// Calls f(rank, its place among the senders, nodes that it sends) for all ranks but this one.
    template <class F>
    void for_ranks(const VirtualRoots& roots, int my_rank, const F& f) const {
        std::size_t k = 0;
        for (int rank = 0; rank < static_cast<int>(roots.all.size()); ++rank) {
            const bool sender = k < roots.senders.size() && roots.senders[k] == rank;
            if (rank != my_rank) f(rank, k, sender ? node_begin_[k + 1] - node_begin_[k] : 0);
            k += sender ? 1 : 0;
        }
    }
    void add(std::size_t root, int depth) {
        parts_.roots.push_back(static_cast<node_index>(root));
        parts_.depths.push_back(depth);
    }

    Exec exec_;
    TreeMerge<Exec> merge_;
    /// First node and first source of each sender, and of those that all were told, of which there are only sources.
    std::vector<std::size_t> node_begin_{0}, source_begin_{0};
    std::size_t told_nodes_ = 0;
    MergeInput parts_{};
};

template <class Exec>
void TreeCompletion<Exec>::shift(std::size_t begin, std::size_t count, std::size_t first_source, Tree<Exec>& tree) {
    Node* const nodes = tree.nodes.data() + begin;
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t i) {
        if (nodes[i].count > 0) nodes[i].first += static_cast<std::uint32_t>(nodes[i].leaf != 0 ? first_source : begin);
    });
}

}  // namespace gravlet
