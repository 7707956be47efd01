// SPDX-License-Identifier: Apache-2.0
// The octree over sorted sources, level by level from the root: every node is divided where the keys of its first and last
// source part, so chains of nodes with a single child never arise, and a mesh refined a million-fold costs no more than a
// shallow one. Children are contiguous; a level's nodes follow those of the level above.
#pragma once

#include "physics/keys.hpp"
#include "physics/partition_point.hpp"
#include "physics/types.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// What of a node's open radius goes by its moments: what is left of it is the solve's (Opening).
struct NodeShape {
    float stretch, delta;
};

template <class Exec>
struct Tree {
    explicit Tree(const Exec& exec)
        : nodes(exec.template buffer<Node>()),
          moments(exec.template buffer<float>()),
          shapes(exec.template buffer<NodeShape>()),
          pulls(exec.template buffer<float>()),
          scan(exec.template buffer<node_index>()) {}

    typename Exec::template Buffer<Node> nodes;
    typename Exec::template Buffer<float> moments;     ///< moment_count(order) a node
    typename Exec::template Buffer<NodeShape> shapes;  ///< a shape for each of this rank's own nodes
    typename Exec::template Buffer<float> pulls;       ///< pulls on the nodes, while these are widened
    std::vector<node_index> levels{0};                 ///< first node of each level of the build, and the end
    typename Exec::template Buffer<node_index> scan;
    /// Room for so many seams while the tree grows: the moments come later.
    [[nodiscard]] std::uint32_t* seams(std::size_t n) {
        static_assert(sizeof(float) == sizeof(std::uint32_t));
        moments.resize_discard(n);
        return reinterpret_cast<std::uint32_t*>(moments.data());
    }

    void clear() { levels.assign(1, 0), nodes.resize_discard(0), moments.resize_discard(0); }

    /// Number of this rank's own nodes, which come first.
    [[nodiscard]] node_index count() const { return levels.back(); }
    /// Levels of nodes.
    [[nodiscard]] int depth() const { return static_cast<int>(levels.size()) - 1; }
};

/// A leaf with nothing but its sources.
GRAVLET_HD inline Node new_leaf(std::uint32_t first, std::uint32_t count) {
    Node node{};
    node.first = first, node.count = count, node.leaf = 1;
    return node;
}

/// First source in [begin, end) whose child digit at `level` is at least `digit`; keys are sorted. `even`: each child is likely
/// to have an eighth of the sources, as in a mesh: there it is looked for first.
GRAVLET_HD inline std::uint32_t lower_bound_digit(const Keys& keys, std::uint32_t begin, std::uint32_t end, int level,
                                                  unsigned digit, bool even) {
    const auto before = [&](std::uint32_t i) { return child_digit(keys, i, level) < digit; };
    if (even) {
        const std::uint32_t guess = begin + (end - begin) / 8 * digit;
        const bool too_low = before(guess), just_behind = before(guess > begin ? guess - 1 : guess);  // under way at once
        if (!too_low && (just_behind || guess == begin)) return guess;
    }
    return partition_point_by_eighths(begin, end, before);
}

/// Whether a node under construction is divided: one with many sources, or above `lowest_level`.
GRAVLET_HD inline bool divides(const Keys& keys, const Node& node, std::uint32_t leaf_size, int lowest_level) {
    const std::uint32_t first = node.first, last = node.first + node.count - 1;
    return !keys.equal(first, last) && (node.count > leaf_size || common_level(keys, first, last) < lowest_level);
}

/// Sources [begin, end) of a node's child, maybe none. seams[d] is the first source of child d or of those after it.
struct ChildRange {
    std::uint32_t begin, end;
    [[nodiscard]] GRAVLET_HD bool is_empty() const { return begin == end; }
};
GRAVLET_HD inline ChildRange child_range(const std::uint32_t* seams, std::uint32_t end, unsigned digit) {
    return {seams[digit], digit < 7 ? seams[digit + 1] : end};
}

/// What is done for node i of a level, by a team: its children are counted; and once all nodes' children have been, it is known
/// which nodes they become.
struct GrowLevel {
    Keys keys;
    std::uint32_t leaf_size;
    int lowest_level;
    float root_side;
    bool even;  ///< whether children are likely to be even: see lower_bound_digit()
    Node* nodes;

    /// Returns how many. `seams`: room for eight, see ChildRange. All that a leaf needs.
    template <class Team>
    GRAVLET_HD node_index count(std::size_t i, std::uint32_t* seams, const Team& team) const {
        Node& node = nodes[i];
        const std::uint32_t first = node.first, last = node.first + node.count;
        const int level = common_level(keys, first, last - 1);
        node_index children = 0;
        if (divides(keys, node, leaf_size, lowest_level)) {
            for (unsigned d = team.rank(); d < 8; d += team.size) {
                const std::uint32_t seam = seams[d] = lower_bound_digit(keys, first, last, level, d, even);
                children += seam < last && child_digit(keys, seam, level) == d ? 1 : 0;
            }
        }
        if (team.rank() == 0) node.size = root_side / static_cast<float>(std::uint64_t{1} << level);
        return team.sum(children);
    }

    /// Makes them, from node `child` on.
    template <class Team>
    GRAVLET_HD void divide(std::size_t i, const std::uint32_t* seams, node_index child, node_index children,
                           const Team& team) const {
        if (children == 0) return;
        Node& node = nodes[i];
        const std::uint32_t last = node.first + node.count;
        node_index next = child;
        for (unsigned d = 0; d < 8; ++d) {
            const ChildRange range = child_range(seams, last, d);
            if (range.is_empty()) continue;
            if (d % team.size == team.rank()) nodes[next] = new_leaf(range.begin, range.end - range.begin);
            ++next;
        }
        team.join();
        if (team.rank() == 0) node.first = child, node.count = children, node.leaf = 0;
    }
};

/// Number of nodes that most trees have, or more. What is divided has more than `leaf_size` sources, but above `lowest_level`: so
/// a level has at most 8 n/(leaf_size + 1) nodes, and all together seldom have twice as many. They are fewer than 2n, as what is
/// divided has at least two children.
inline node_index expected_nodes(std::uint32_t n, std::uint32_t leaf_size) {
    const std::uint64_t all = 16 * std::uint64_t{n} / (leaf_size + 1) + 128, most = 2 * std::uint64_t{n} - 1;
    return static_cast<node_index>(std::min({all, most, std::uint64_t{~node_index{0}}}));
}

/// Builds the tree. No leaf is larger than a cube of `lowest_level`, that of level 0 is `root_side` long. Structure only: while
/// it is built, a node's first and count are its sources; then an inner node's become its children, and compute_moments() fills
/// in the rest. `mesh`: sources are cells. Levels of together `at_once` nodes may be made in one go.
template <class Exec>
void build_tree(const Exec& exec, const Keys& keys, std::uint32_t n, std::uint32_t leaf_size, int lowest_level, float root_side,
                bool mesh, Tree<Exec>& tree, node_index at_once = Exec::nodes_at_once) {
    tree.levels.assign(1, 0);
    tree.nodes.resize_discard(n > 0 ? std::min(at_once, expected_nodes(n, leaf_size)) : 0);
    if (n == 0) return;
    GrowLevel grow{keys, leaf_size, lowest_level, root_side, mesh, tree.nodes.data()};
    for_each(exec, 1, [=] GRAVLET_HD(std::size_t) { grow.nodes[0] = new_leaf(0, n); });

    tree.levels = first_levels(exec, grow, static_cast<node_index>(tree.nodes.size()));
    node_index end = tree.levels.back();
    tree.levels.pop_back();
    node_index begin = tree.levels.back();
    tree.nodes.resize(end);
    while (begin < end) {
        tree.levels.push_back(end);
        const node_index width = end - begin;
        tree.scan.resize_discard(width);
        node_index* const scan = tree.scan.data();
        std::uint32_t* const seams = tree.seams(std::size_t{8} * width);
        for_each_team<8>(exec, width, [=] GRAVLET_HD(std::size_t i, const typename Exec::template Team<8>& team) {
            const node_index children = grow.count(begin + i, seams + 8 * i, team);
            if (team.rank() == 0) scan[i] = children;
        });
        const node_index added = exclusive_scan(exec, scan, scan, width);
        tree.nodes.resize(end + added);
        grow.nodes = tree.nodes.data();
        for_each_team<8>(exec, width, [=] GRAVLET_HD(std::size_t i, const typename Exec::template Team<8>& team) {
            const node_index children = (i + 1 < width ? scan[i + 1] : added) - scan[i];
            grow.divide(begin + i, seams + 8 * i, end + scan[i], children, team);
        });
        begin = end;
        end += added;
    }
}

}  // namespace gravlet
