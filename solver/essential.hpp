// SPDX-License-Identifier: Apache-2.0
// The essential nodes of every remote rank, found in one walk of the local tree and packed as pruned trees (Salmon 1991,
// Dubinski 1996).
//   1. The frontier holds (rank, node) pairs, ordered by rank; it starts with the root for each rank that needs more than it.
//   2. Level by level, a pair whose node the rank's virtual root does not accept is replaced by the node's children.
//   3. All pairs met are the nodes of the pruned trees: a rank's tree is its pairs of level 0, then of level 1, and so on.
//      Accepted nodes become pruned nodes, opened leaves bring their sources.
//   4. Nodes, moments and sources are packed by rank; child and source indices count from the start of the rank's tree.
#pragma once

#include "solver/build.hpp"
#include "solver/virtual_root.hpp"

#include <vector>

namespace gravlet {

/// Pruned trees, one a rank: rank r's nodes are [node_begin[r], node_begin[r + 1]), its sources likewise.
template <class Exec>
struct PrunedTrees {
    explicit PrunedTrees(const Exec& exec)
        : nodes(exec.template buffer<Node>()), moments(exec.template buffer<float>()), sources(exec.template buffer<Source>()) {}

    typename Exec::template Buffer<Node> nodes;
    typename Exec::template Buffer<float> moments;
    typename Exec::template Buffer<Source> sources;
    std::vector<std::size_t> node_begin, source_begin;
};

struct RankNode {
    std::uint32_t rank;
    node_index node;
};

template <class Exec>
class EssentialWalk {
public:
    explicit EssentialWalk(const Exec& exec)
        : exec_(exec),
          pairs_(exec.template buffer<RankNode>()),
          children_(exec.template buffer<std::uint32_t>()),
          sources_(exec.template buffer<std::uint32_t>()),
          shifts_(exec.template buffer<std::ptrdiff_t>()) {}

    /// Local. `tree` has `moments_per_node` moments a node; `roots` are in the backend's memory.
    void run(const TreeView& tree, int moments_per_node, const VirtualRoots& roots, int my_rank, PrunedTrees<Exec>& out) {
        walk(tree, roots, my_rank);
        lay_out(roots.ranks, out);
        pack(tree, static_cast<std::size_t>(moments_per_node), out);
    }

private:
    /// Steps 1 and 2. children_[i] becomes the pair of pair i's first child (or 0: accepted), sources_[i] its sources' number.
    void walk(const TreeView& tree, const VirtualRoots& roots, int my_rank) {
        levels_.assign(1, 0);
        std::vector<RankNode> start;
        if (tree.node_count > 0) {
            for (std::uint32_t rank = 0; rank < static_cast<std::uint32_t>(roots.ranks); ++rank)
                if (sends(roots, static_cast<std::size_t>(my_rank), rank)) start.push_back({rank, 0});
        }
        pairs_.resize_discard(start.size());
        copy_in(exec_, start.data(), pairs_.data(), start.size());
        children_.resize_discard(0);
        sources_.resize_discard(0);
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
                const bool open = (node.leaf != 0 && node.count == 1) || !accepts(roots, pair.rank, node);
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

    /// Step 3. Shifts from a pair's place in pairs_ to its place in its rank's tree, for each level and rank.
    void lay_out(int ranks, PrunedTrees<Exec>& out) {
        const std::size_t depth = levels_.size() - 1, n = static_cast<std::size_t>(ranks);
        std::vector<std::size_t> node_at(depth * (n + 1)), source_at(depth * (n + 1));
        for (std::size_t level = 0; level < depth; ++level) {
            for (std::size_t rank = 0; rank <= n; ++rank) {
                const std::size_t at = first_of_rank(level, rank);
                node_at[level * (n + 1) + rank] = at;
                source_at[level * (n + 1) + rank] = at < pairs_.size() ? read(exec_, sources_.data() + at) : source_total_;
            }
        }
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
                entry[0] = shift(nodes, node_at[at]);
                entry[1] = shift(sources, source_at[at]);
                entry[2] = static_cast<std::ptrdiff_t>(out.node_begin[rank]);
                entry[3] = static_cast<std::ptrdiff_t>(out.source_begin[rank]);
                nodes += node_at[at + 1] - node_at[at];
                sources += source_at[at + 1] - source_at[at];
            }
            out.node_begin[rank + 1] = out.node_begin[rank] + nodes;
            out.source_begin[rank + 1] = out.source_begin[rank] + sources;
        }
        shifts_.resize_discard(shifts.size());
        copy_in(exec_, shifts.data(), shifts_.data(), shifts.size());
    }

    /// Step 4.
    void pack(const TreeView& tree, std::size_t moments_per_node, PrunedTrees<Exec>& out) {
        const std::size_t n = out.node_begin.size() - 1;
        out.nodes.resize_discard(out.node_begin[n]);
        out.moments.resize_discard(out.node_begin[n] * moments_per_node);
        out.sources.resize_discard(out.source_begin[n]);
        Node* const to_nodes = out.nodes.data();
        float* const to_moments = out.moments.data();
        Source* const to_sources = out.sources.data();
        const RankNode* const pairs = pairs_.data();
        const std::uint32_t *const children = children_.data(), *const sources = sources_.data();
        const std::size_t total = pairs_.size(), source_total = source_total_;
        for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
            const std::size_t begin = levels_[level], end = levels_[level + 1];
            const std::size_t next = levels_[level + 1];
            const std::size_t next_count = (level + 2 < levels_.size() ? levels_[level + 2] : next) - next;
            const std::ptrdiff_t* const shifts = shifts_.data() + 4 * level * n;
            const std::ptrdiff_t* const next_shifts = shifts + 4 * n;  // read only where a node has children
            for_each(exec_, end - begin, [=] GRAVLET_HD(std::size_t k) {
                const std::size_t i = begin + k;
                const RankNode pair = pairs[i];
                const std::ptrdiff_t* const shift = shifts + 4 * pair.rank;
                const std::size_t to = i + static_cast<std::size_t>(shift[0] + shift[2]);
                Node node = tree.nodes[pair.node];
                const std::size_t first_child = children[i], last_child = i + 1 < end ? children[i + 1] : next_count;
                const std::size_t first_source = sources[i], last_source = i + 1 < total ? sources[i + 1] : source_total;
                for (std::size_t s = first_source; s < last_source; ++s)
                    to_sources[s + static_cast<std::size_t>(shift[1] + shift[3])] = tree.sources[node.first + (s - first_source)];
                node.leaf = last_source > first_source ? 1 : 0;
                if (node.leaf != 0) {
                    node.first = static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(first_source) + shift[1]);
                } else if (last_child > first_child) {
                    node.first =
                        static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(next + first_child) + next_shifts[4 * pair.rank]);
                } else {
                    node.first = node.count = 0;
                }
                to_nodes[to] = node;
                for (std::size_t m = 0; m < moments_per_node; ++m)
                    to_moments[to * moments_per_node + m] = tree.moments[pair.node * moments_per_node + m];
            });
        }
    }

    /// The first pair of a level whose rank is at least `rank`.
    std::size_t first_of_rank(std::size_t level, std::size_t rank) const {
        std::size_t begin = levels_[level], end = levels_[level + 1];
        while (begin < end) {
            const std::size_t middle = begin + (end - begin) / 2;
            if (read(exec_, pairs_.data() + middle).rank < rank) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return begin;
    }

    Exec exec_;
    typename Exec::template Buffer<RankNode> pairs_;
    typename Exec::template Buffer<std::uint32_t> children_, sources_;
    typename Exec::template Buffer<std::ptrdiff_t> shifts_;
    std::vector<std::size_t> levels_;
    std::size_t source_total_ = 0;
};

}  // namespace gravlet
