// SPDX-License-Identifier: Apache-2.0
// The essential nodes of every remote rank, found in one walk of this rank's tree and packed as pruned trees (Salmon 1991,
// Dubinski 1996).
//   1. The frontier holds (rank, node) pairs, ordered by rank; it starts with the root for each rank that needs more than what
//      it knows. Ranks are counted in the audience, those whose one box does not accept that.
//   2. Level by level, a pair whose node the rank's boxes do not accept is replaced by the node's children.
//   3. All pairs met are the nodes of the pruned trees: a rank's tree is its pairs of level 0, then of level 1, and so on.
//      Accepted nodes become pruned nodes, opened leaves bring their sources.
//   4. Nodes, moments and sources are packed by rank; child and source indices count from the start of the rank's tree.
#pragma once

#include "mpi/exchange.hpp"
#include "physics/partition_point.hpp"
#include "physics/virtual_root.hpp"
#include "solver/tree/build.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace gravlet {

/// What goes to all ranks (PrunedTreeArrays).
template <class Exec>
struct PrunedTrees {
    explicit PrunedTrees(const Exec& exec)
        : nodes(exec.template buffer<Node>()),
          moments(exec.template buffer<float>()),
          sources(exec.template buffer<Source>()),
          precise_moments(exec.template buffer<double>()),
          exact_sources(exec.template buffer<ExactSource>()) {}

    typename Exec::template Buffer<Node> nodes;
    typename Exec::template Buffer<float> moments;
    typename Exec::template Buffer<Source> sources;
    typename Exec::template Buffer<double> precise_moments;
    typename Exec::template Buffer<ExactSource> exact_sources;
    std::size_t precise_per_node = 0;  ///< numbers in double a node; 0: not a solve in double
    std::vector<std::size_t> node_begin, source_begin;

    [[nodiscard]] PrunedTreeArrays arrays(int moments_per_node) {
        return {nodes.data(), moments.data(), sources.data(),
                node_begin,   source_begin,   static_cast<std::size_t>(moments_per_node),
                precise()};
    }
    [[nodiscard]] PreciseArrays precise() {
        if (precise_per_node == 0) return {};
        return {precise_moments.data(), exact_sources.data(), precise_per_node};
    }
};

struct RankNode {
    std::uint32_t rank;
    node_index node;
};

/// Whether every target of the k-th rank accepts all of these.
inline bool accept_all(const RemoteTargets& targets, std::size_t k, std::span<const FarNode> nodes) {
    const std::span boxes(targets.boxes + k * targets.stride, targets.stride);
    return std::ranges::all_of(nodes, [&](const FarNode& far) {
        return std::ranges::all_of(boxes, [&](const TargetBox& box) { return accepts(box, far, targets.distance); });
    });
}

/// What cells that act as cuboids on near targets (solver/near/near_pairs.hpp) ask for, in the backend's memory. Null: none do.
struct NearNeeds {
    const Bounds* reach = nullptr;  ///< bounds of each node within which it is opened for targets
    const float* sizes = nullptr;   ///< sizes of the sources; those of cells are sent in place of softening, with a minus sign
};

/// Where a rank's part of a level begins: its first pair, and that pair's first source.
struct Seam {
    std::size_t pair, source;
};

template <class Exec>
class EssentialWalk {
public:
    explicit EssentialWalk(const Exec& exec)
        : exec_(exec),
          pairs_(exec.template buffer<RankNode>()),
          children_(exec.template buffer<std::uint32_t>()),
          sources_(exec.template buffer<std::uint32_t>()),
          level_begins_(exec.template buffer<std::size_t>()),
          shifts_(exec.template buffer<std::ptrdiff_t>()),
          boxes_(exec.template buffer<TargetBox>()),
          seams_(exec.template buffer<Seam>()) {}

    /// Local. `tree` has `moments_per_node` moments a node. Who accepts all of `known`, what stands for it, gets nothing; its
    /// audience are `ranks` ranks with `targets`, in host memory. `precise`: of this tree.
    void run(const TreeView& tree, int moments_per_node, std::span<const FarNode> known, const RemoteTargets& targets,
             std::size_t ranks, PrunedTrees<Exec>& out, const NearNeeds& near = {}, const PreciseArrays& precise = {}) {
        walk(tree, known, targets, ranks, near.reach, precise.cheap_leaf);
        lay_out(ranks, out);
        pack(tree, static_cast<std::size_t>(moments_per_node), out, near.sizes, precise);
    }

    // The steps of run(); public because CUDA's extended lambdas may not be in private functions.

    /// Steps 1 and 2. children_[i] becomes the pair of pair i's first child (or 0: accepted), sources_[i] its sources' number.
    void walk(const TreeView& tree, std::span<const FarNode> known, const RemoteTargets& targets, std::size_t ranks,
              const Bounds* reach, std::uint32_t cheap_leaf);

    /// Step 3. Shifts from a pair's place in pairs_ to its place in its rank's tree, for each level and rank.
    void lay_out(std::size_t n, PrunedTrees<Exec>& out) {
        const std::size_t depth = levels_.size() - 1;
        const std::vector<Seam> seams = find_seams(depth, n);
        std::vector<std::ptrdiff_t> shifts(4 * depth * n);
        out.node_begin.assign(n + 1, 0);
        out.source_begin.assign(n + 1, 0);
        for (std::size_t rank = 0; rank < n; ++rank) {
            std::size_t nodes = 0, sources = 0;
            for (std::size_t level = 0; level < depth; ++level) {
                const std::size_t at = level * (n + 1) + rank;
                const auto shift = [](std::size_t to, std::size_t from) {
                    return static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
                };
                std::ptrdiff_t* const entry = shifts.data() + 4 * (level * n + rank);
                entry[0] = shift(nodes, seams[at].pair);
                entry[1] = shift(sources, seams[at].source);
                entry[2] = static_cast<std::ptrdiff_t>(out.node_begin[rank]);
                entry[3] = static_cast<std::ptrdiff_t>(out.source_begin[rank]);
                nodes += seams[at + 1].pair - seams[at].pair;
                sources += seams[at + 1].source - seams[at].source;
            }
            out.node_begin[rank + 1] = out.node_begin[rank] + nodes;
            out.source_begin[rank + 1] = out.source_begin[rank] + sources;
        }
        shifts_.resize_discard(shifts.size());
        copy_in(exec_, shifts.data(), shifts_.data(), shifts.size());
    }

    /// Step 4.
    void pack(const TreeView& tree, std::size_t moments_per_node, PrunedTrees<Exec>& out, const float* sizes,
              const PreciseArrays& precise);

    /// Where each rank's pairs begin in each level, and where the last one's end: ranks + 1 seams a level.
    std::vector<Seam> find_seams(std::size_t depth, std::size_t ranks);

    /// A copy in the backend's memory.
    RemoteTargets on_backend(const RemoteTargets& targets, std::size_t ranks) {
        boxes_.resize_discard(ranks * targets.stride);
        copy_in(exec_, targets.boxes, boxes_.data(), boxes_.size());
        return {boxes_.data(), targets.stride, targets.distance};
    }

private:
    Exec exec_;
    typename Exec::template Buffer<RankNode> pairs_;
    typename Exec::template Buffer<std::uint32_t> children_, sources_;
    typename Exec::template Buffer<std::size_t> level_begins_;
    typename Exec::template Buffer<std::ptrdiff_t> shifts_;
    typename Exec::template Buffer<TargetBox> boxes_;
    typename Exec::template Buffer<Seam> seams_;
    std::vector<std::size_t> levels_;
    std::size_t source_total_ = 0;
};

template <class Exec>
void EssentialWalk<Exec>::walk(const TreeView& tree, std::span<const FarNode> known, const RemoteTargets& targets,
                               std::size_t ranks, const Bounds* reach, std::uint32_t cheap_leaf) {
    levels_.assign(1, 0);
    std::vector<RankNode> start;
    for (std::uint32_t rank = 0; rank < static_cast<std::uint32_t>(ranks); ++rank)
        if (!accept_all(targets, rank, known)) start.push_back({rank, 0});
    pairs_.resize_discard(start.size());
    copy_in(exec_, start.data(), pairs_.data(), start.size());
    children_.resize_discard(0);
    sources_.resize_discard(0);
    const RemoteTargets here = on_backend(targets, ranks);
    std::size_t begin = 0, end = start.size();
    while (begin < end) {
        levels_.push_back(end);
        children_.resize(end);
        sources_.resize(end);
        RankNode* pairs = pairs_.data();
        std::uint32_t *const children = children_.data(), *const sources = sources_.data();
        for_each(exec_, end - begin, [=] GRAVLET_HD(std::size_t k) {
            const RankNode pair = pairs[begin + k];
            const Node& node = tree.nodes[pair.node];
            // A lone source is itself, not a node: cheaper to send and to evaluate.
            const bool open = (node.leaf != 0 && node.count <= cheap_leaf) || !accepts(here, pair.rank, node) ||
                              (reach != nullptr && is_reached(here, pair.rank, reach[pair.node]));
            children[begin + k] = open && node.leaf == 0 ? node.count : 0;
            sources[begin + k] = open && node.leaf != 0 ? node.count : 0;
        });
        const std::size_t added = exclusive_scan(exec_, children + begin, children + begin, end - begin);
        pairs_.resize(end + added);
        pairs = pairs_.data();
        for_each(exec_, end - begin, [=] GRAVLET_HD(std::size_t k) {
            const RankNode pair = pairs[begin + k];
            const std::size_t first = children[begin + k];
            const std::size_t last = begin + k + 1 < end ? children[begin + k + 1] : added;
            for (std::size_t c = first; c < last; ++c)
                pairs[end + c] = {pair.rank, tree.nodes[pair.node].first + static_cast<node_index>(c - first)};
        });
        begin = end;
        end += added;
    }
    const std::size_t total = pairs_.size();
    source_total_ = exclusive_scan(exec_, sources_.data(), sources_.data(), total);
}

template <class Exec>
void EssentialWalk<Exec>::pack(const TreeView& tree, std::size_t moments_per_node, PrunedTrees<Exec>& out, const float* sizes,
                               const PreciseArrays& precise) {
    const std::size_t n = out.node_begin.size() - 1;  // ranks
    out.nodes.resize_discard(out.node_begin[n]);
    out.moments.resize_discard(out.node_begin[n] * moments_per_node);
    out.sources.resize_discard(out.source_begin[n]);
    out.precise_per_node = precise.per_node;
    if (precise.per_node > 0) {
        out.precise_moments.resize_discard(out.node_begin[n] * precise.per_node);
        out.exact_sources.resize_discard(out.source_begin[n]);
    }
    const PreciseArrays to_precise = out.precise();
    Node* const to_nodes = out.nodes.data();
    float* const to_moments = out.moments.data();
    Source* const to_sources = out.sources.data();
    const RankNode* const pairs = pairs_.data();
    const std::uint32_t *const children = children_.data(), *const sources = sources_.data();
    const std::size_t total = pairs_.size(), source_total = source_total_;
    const std::size_t* const levels = level_begins_.data();
    const std::ptrdiff_t* const all_shifts = shifts_.data();
    for_each(exec_, total, [=] GRAVLET_HD(std::size_t i) {
        std::size_t level = 0;
        while (levels[level + 1] <= i) ++level;
        const std::size_t end = levels[level + 1];
        const RankNode pair = pairs[i];
        const std::ptrdiff_t* const shift = all_shifts + 4 * (level * n + pair.rank);
        const std::size_t to = i + static_cast<std::size_t>(shift[0] + shift[2]);
        Node node = tree.nodes[pair.node];
        const std::size_t first_child = children[i];
        const std::size_t last_child = i + 1 < end ? children[i + 1] : end < total ? levels[level + 2] - end : 0;
        const std::size_t first_source = sources[i], last_source = i + 1 < total ? sources[i + 1] : source_total;
        for (std::size_t s = first_source; s < last_source; ++s) {
            const std::size_t from = node.first + (s - first_source);
            Source source = tree.sources[from];
            if (sizes != nullptr && sizes[from] > 0.0f) source.softening = -sizes[from];
            const std::size_t to_source = s + static_cast<std::size_t>(shift[1] + shift[3]);
            to_sources[to_source] = source;
            if (precise.sources != nullptr) to_precise.sources[to_source] = precise.sources[from];
        }
        node.leaf = last_source > first_source ? 1 : 0;
        if (node.leaf != 0) {
            node.first = static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(first_source) + shift[1]);
        } else if (last_child > first_child) {
            node.first = static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(end + first_child) + shift[4 * n]);
        } else {
            node.first = node.count = 0;
        }
        to_nodes[to] = node;
        for (std::size_t m = 0; m < moments_per_node; ++m)
            to_moments[to * moments_per_node + m] = tree.moments[pair.node * moments_per_node + m];
        for (std::size_t m = 0; m < precise.per_node; ++m)
            to_precise.moments[to * precise.per_node + m] = precise.moments[pair.node * precise.per_node + m];
    });
}

template <class Exec>
std::vector<Seam> EssentialWalk<Exec>::find_seams(std::size_t depth, std::size_t ranks) {
    const std::size_t count = depth * (ranks + 1), total = pairs_.size(), source_total = source_total_;
    if (count == 0) return {};  // nobody gets anything: no copies
    seams_.resize_discard(count);
    level_begins_.resize_discard(levels_.size());
    copy_in(exec_, levels_.data(), level_begins_.data(), levels_.size());
    const std::size_t* const levels = level_begins_.data();
    const RankNode* const pairs = pairs_.data();
    const std::uint32_t* const sources = sources_.data();
    Seam* const seams = seams_.data();
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t level = i / (ranks + 1), rank = i % (ranks + 1);
        const std::size_t begin =
            partition_point(levels[level], levels[level + 1], [=](std::size_t pair) { return pairs[pair].rank < rank; });
        seams[i] = {begin, begin < total ? sources[begin] : source_total};
    });
    std::vector<Seam> out(count);
    copy_out(exec_, seams_.data(), out.data(), count);
    return out;
}

}  // namespace gravlet
