// SPDX-License-Identifier: Apache-2.0
// The locally essential tree, completed: the global octree, pruned. All ranks share the root cube, so what two of them hold of
// one cube is two parts of one node. Parts meet from the root down, level by level:
//   1. Of a cube that several parts share, the smallest cube that holds them all is found: a new node.
//   2. Parts as large as that cube fall into what they have of its octants: children, or runs of sources. Those in smaller cubes
//      go to an octant whole. What their sender pruned is an end: it cannot fall apart, and stays beside the octants.
//   3. An octant with one part is that part, and all below it stays as it is; one with several is a shared cube of the next
//   level.
// New nodes then get their moments from below, like any node. For runs of a curve few cubes are shared, those on the way down
// to where runs meet; for other shapes those along their surfaces.
#pragma once

#include "physics/order.hpp"
#include "physics/parts.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"

#include <gravlet/error.hpp>

#include <utility>
#include <vector>

namespace gravlet {

/// What is merged: the root of each part and the levels of nodes from there down; and the sources of all.
struct MergeInput {
    std::vector<node_index> roots;
    std::vector<int> depths;
    const Source* sources;
};

/// Fragments of a shared cube that one of a team's lanes goes through: lanes have them in order.
struct FragmentRange {
    std::size_t first, end;
    template <class Team>
    GRAVLET_HD FragmentRange(const SharedCube& cube, const Team& team) {
        const std::size_t parts = cube.count;
        first = 8 * (cube.first + parts * team.rank() / Team::size);
        end = 8 * (cube.first + parts * (team.rank() + 1) / Team::size);
    }
};

template <class Exec>
class TreeMerge {
public:
    using Team = typename Exec::template Team<32>;

    explicit TreeMerge(const Exec& exec)
        : exec_(exec),
          parts_(exec.template buffer<Part>()),
          next_parts_(exec.template buffer<Part>()),
          fragments_(exec.template buffer<Part>()),
          digits_(exec.template buffer<std::uint8_t>()),
          owners_(exec.template buffer<std::uint32_t>()),
          shared_(exec.template buffer<SharedCube>()),
          next_shared_(exec.template buffer<SharedCube>()),
          tallies_(exec.template buffer<std::uint32_t>()),
          counts_(exec.template buffer<MergeCounts>()),
          depths_(exec.template buffer<std::uint32_t>()),
          origins_(exec.template buffer<node_index>()) {}

    /// Local. Puts the new nodes behind those of all parts, which `tree` has in its nodes and moments. Returns the root of the
    /// whole.
    node_index run(int order, const MergeInput& input, const RootCube& cube, std::uint32_t leaf_size, int lowest_level,
                   const Opening& opening, Tree<Exec>& tree);

    /// Levels of nodes in what the last run() made, at most.
    [[nodiscard]] int depth() const { return depth_; }
    /// First node of each level of the new nodes, and the end. One level that is empty: there are none.
    [[nodiscard]] const std::vector<std::size_t>& levels() const { return levels_; }
    /// Origin of each new node: the one it is a copy of, or no_origin.
    [[nodiscard]] const node_index* origins() const { return origins_.data(); }

    // The steps of run(); public because CUDA's extended lambdas may not be in private functions.

    /// The root of the whole, which all parts share.
    void begin(const MergeInput& input, Merging merging, Tree<Exec>& tree);
    /// Makes all that is below the root.
    template <int P>
    void merge(Merging merging, const Opening& opening, Tree<Exec>& tree);

    /// Steps 1 and 2 for all cubes that are shared: fragments_ has room for eight of each part, digits_ says which there are.
    void divide(const Merging& merging, Tree<Exec>& tree);

    /// Step 3. `before`: shared cubes of the levels above, `level`: of this one, from the root.
    template <int P>
    void assign(const Merging& merging, std::size_t before, std::uint32_t level, Tree<Exec>& tree);
    /// The first half of assign(): tallies_ and counts_, up to each shared cube. Returns the counts of all.
    MergeCounts tally(std::size_t before, std::uint32_t level);

    /// New nodes have no mass yet.
    template <int P>
    void finish(const Merging& merging, const Opening& opening, Tree<Exec>& tree);

    /// The most levels that are below one of so many cubes that were shared.
    [[nodiscard]] int deepest(std::size_t seen) const;

private:
    /// Most levels of shared cubes: for each of the octree's there is one, and at most two more to keep ends apart and one for
    /// each factor of eight of ranks.
    static constexpr std::size_t most_levels = 8 * deepest_level;

    Exec exec_;
    typename Exec::template Buffer<Part> parts_, next_parts_, fragments_;
    typename Exec::template Buffer<std::uint8_t> digits_;  ///< which child each fragment goes to
    typename Exec::template Buffer<std::uint32_t> owners_;
    typename Exec::template Buffer<SharedCube> shared_, next_shared_;
    typename Exec::template Buffer<std::uint32_t> tallies_;
    typename Exec::template Buffer<MergeCounts> counts_;
    typename Exec::template Buffer<std::uint32_t> depths_;  ///< depth of what is below each shared cube
    typename Exec::template Buffer<node_index> origins_;
    std::vector<std::size_t> levels_;
    int depth_ = 0;
};

template <class Exec>
node_index TreeMerge<Exec>::run(int order, const MergeInput& input, const RootCube& cube, std::uint32_t leaf_size,
                                int lowest_level, const Opening& opening, Tree<Exec>& tree) {
    depth_ = input.depths.front();
    levels_.assign(2, tree.nodes.size());
    if (input.roots.size() == 1) return input.roots.front();
    const Merging merging{tree.nodes.data(), input.sources, cube, leaf_size, lowest_level};
    begin(input, merging, tree);
    const std::size_t root = tree.nodes.size() - 1;
    with_order(order, [&](auto p) { this->template merge<decltype(p)::value>(merging, opening, tree); });
    return static_cast<node_index>(root);
}

template <class Exec>
template <int P>
void TreeMerge<Exec>::merge(Merging merging, const Opening& opening, Tree<Exec>& tree) {
    levels_ = {tree.nodes.size() - 1, tree.nodes.size()};
    std::size_t seen = 0;
    while (shared_.size() > 0) {
        if (levels_.size() > most_levels) throw Error(ErrorCode::internal, "merge: parts of trees do not fall apart");
        merging.nodes = tree.nodes.data();
        divide(merging, tree);
        const std::size_t before = seen;
        seen += shared_.size();
        assign<P>(merging, before, static_cast<std::uint32_t>(levels_.size() - 2), tree);
        levels_.push_back(tree.nodes.size());
    }
    merging.nodes = tree.nodes.data();
    finish<P>(merging, opening, tree);
    depth_ = deepest(seen);
}

template <class Exec>
void TreeMerge<Exec>::begin(const MergeInput& input, Merging merging, Tree<Exec>& tree) {
    const std::size_t n = input.roots.size();
    tree.nodes.resize(tree.nodes.size() + 1);
    Node* const nodes = tree.nodes.data();
    const node_index root = static_cast<node_index>(tree.nodes.size() - 1);
    std::vector<Part> parts(n);
    for (std::size_t p = 0; p < n; ++p)
        parts[p].first = input.roots[p], parts[p].below = static_cast<std::uint8_t>(input.depths[p]);
    parts_.resize_discard(n);
    copy_in(exec_, parts.data(), parts_.data(), n);
    Part* const all = parts_.data();
    merging.nodes = nodes;
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t p) { all[p] = merging.part_of(all[p].first, all[p].below); });
    const SharedCube whole{root, 0, static_cast<std::uint32_t>(n), 0, 0};
    shared_.resize_discard(1);
    copy_in(exec_, &whole, shared_.data(), 1);
    origins_.resize_discard(1);
    node_index* const origins = origins_.data();
    for_each(exec_, 1, [=] GRAVLET_HD(std::size_t) { nodes[root] = Node{}, origins[0] = no_origin; });
}

template <class Exec>
void TreeMerge<Exec>::divide(const Merging& merging, Tree<Exec>& tree) {
    const std::size_t width = shared_.size(), n = parts_.size();
    owners_.resize_discard(n);
    fragments_.resize_discard(8 * n);
    digits_.resize_discard(8 * n);
    Part* const parts = parts_.data();
    std::uint32_t* const owners = owners_.data();
    SharedCube* const shared = shared_.data();
    Part* const fragments = fragments_.data();
    std::uint8_t* const digits = digits_.data();
    Node* const nodes = tree.nodes.data();
    for_each_team<32>(exec_, width, [=] GRAVLET_HD(std::size_t i, const Team& team) {
        merging.begin(parts + shared[i].first, shared[i], team);
        if (team.rank() == 0) nodes[shared[i].node].size = merging.cube.side_of(shared[i].level);
        for (std::uint32_t p = team.rank(); p < shared[i].count; p += Team::size)
            owners[shared[i].first + p] = static_cast<std::uint32_t>(i);
    });
    for_each(exec_, 8 * n, [=] GRAVLET_HD(std::size_t k) {
        const SharedCube& owner = shared[owners[k / 8]];
        const std::uint32_t p = static_cast<std::uint32_t>(k / 8) - owner.first;
        const unsigned slot = static_cast<unsigned>(k % 8);
        digits[k] = static_cast<std::uint8_t>(merging.fragment(parts + owner.first, owner, p, slot, fragments[k]));
    });
}

template <class Exec>
MergeCounts TreeMerge<Exec>::tally(std::size_t before, std::uint32_t level) {
    constexpr unsigned ways = Merging::digits;
    const std::size_t width = shared_.size();
    tallies_.resize_discard(ways * width);
    counts_.resize_discard(width);
    const Part* const fragments = fragments_.data();
    const std::uint8_t* const digits = digits_.data();
    std::uint32_t* const tallies = tallies_.data();
    MergeCounts* const counts = counts_.data();
    const SharedCube* const shared = shared_.data();
    depths_.resize(before + width);
    std::uint32_t* const depths = depths_.data() + before;
    for_each_team<32>(exec_, width, [=] GRAVLET_HD(std::size_t i, const Team& team) {
        std::uint32_t tally[ways] = {}, below = 1;
        const FragmentRange range(shared[i], team);
        for (std::size_t s = range.first; s < range.end; ++s) {
            if (digits[s] == Merging::nowhere) continue;
            ++tally[digits[s]];
            if (fragments[s].below > below) below = fragments[s].below;
        }
        below = team.most(below);
        MergeCounts count{};
        for (unsigned d = 0; d < ways; ++d) {
            const std::uint32_t all = team.sum(tally[d]);
            if (team.rank() == 0) tallies[ways * i + d] = all;
            count = count + Merging::counts_of(all);
        }
        if (team.rank() == 0) depths[i] = level + 1 + below, counts[i] = count;
    });
    return exclusive_scan(exec_, counts, counts, width);
}

template <class Exec>
template <int P>
void TreeMerge<Exec>::assign(const Merging& merging, std::size_t before, std::uint32_t level, Tree<Exec>& tree) {
    constexpr unsigned ways = Merging::digits;
    const std::size_t width = shared_.size(), end = tree.nodes.size();
    const MergeCounts added = tally(before, level);
    const Part* const fragments = fragments_.data();
    const std::uint8_t* const digits = digits_.data();
    const std::uint32_t* const tallies = tallies_.data();
    const MergeCounts* const counts = counts_.data();
    const SharedCube* const shared = shared_.data();
    tree.nodes.resize(end + added.children);
    tree.moments.resize(tree.nodes.size() * moment_count(P));
    const std::size_t first_new = levels_.front();
    origins_.resize(tree.nodes.size() - first_new);
    node_index* const origins = origins_.data();
    next_shared_.resize_discard(added.shared);
    next_parts_.resize_discard(added.parts);
    Node* const nodes = tree.nodes.data();
    float* const moments = tree.moments.data();
    SharedCube* const next = next_shared_.data();
    Part* const next_parts = next_parts_.data();
    for_each_team<32>(exec_, width, [=] GRAVLET_HD(std::size_t i, const Team& team) {
        if (team.rank() == 0) {
            Node& node = nodes[shared[i].node];
            node.first = static_cast<std::uint32_t>(end + counts[i].children);
            node.count = (i + 1 < width ? counts[i + 1].children : added.children) - counts[i].children;
        }
        std::uint32_t place[ways] = {};  // of the lane's fragments of each digit: how many, then the next one's place
        const FragmentRange range(shared[i], team);
        for (std::size_t s = range.first; s < range.end; ++s)
            if (digits[s] != Merging::nowhere) ++place[digits[s]];
        unsigned alone = 0;  // a bit a digit
        MergeCounts at = counts[i];
        for (unsigned d = 0; d < ways; ++d) {
            const std::uint32_t parts = tallies[ways * i + d], to = static_cast<std::uint32_t>(end) + at.children;
            place[d] = parts > 1 ? at.parts + team.sum_before(place[d]) : to;
            alone |= parts == 1 ? 1u << d : 0u;
            if (parts > 1 && team.rank() == 0) {
                nodes[to] = Node{}, origins[to - first_new] = no_origin;
                next[at.shared] = {to, at.parts, parts, 0, 0};
            }
            at = at + Merging::counts_of(parts);
        }
        for (std::size_t s = range.first; s < range.end; ++s) {
            const unsigned digit = digits[s];
            if (digit == Merging::nowhere) continue;
            const Part& part = fragments[s];
            const std::size_t to = place[digit];
            if ((alone >> digit & 1u) == 0) {
                next_parts[to] = part;
                ++place[digit];
            } else if (part.count > 0) {
                nodes[to] = new_leaf(part.first, part.count);
                nodes[to].size = merging.cube.side_of(part.level);
                origins[to - first_new] = no_origin;
            } else {
                nodes[to] = nodes[part.first];
                origins[to - first_new] = part.first;
                for (std::size_t m = 0; m < std::size_t{moment_count(P)}; ++m)
                    moments[to * moment_count(P) + m] = moments[part.first * std::size_t{moment_count(P)} + m];
            }
        }
    });
    std::swap(shared_, next_shared_);
    std::swap(parts_, next_parts_);
}

template <class Exec>
template <int P>
void TreeMerge<Exec>::finish(const Merging& merging, const Opening& opening, Tree<Exec>& tree) {
    const Source* const sources = merging.sources;
    const RootCube& cube = merging.cube;
    Node* const nodes = tree.nodes.data();
    float* const moments = tree.moments.data();
    for (std::size_t level = levels_.size() - 1; level-- > 0;) {
        const std::size_t begin = levels_[level];
        for_each_team<node_team>(exec_, levels_[level + 1] - begin, [=] GRAVLET_HD(std::size_t k, const NodeTeam<Exec>& team) {
            const std::size_t i = begin + k;
            Node node = nodes[i];
            if (node.mass > 0.0f) return;
            const Vector3 centre = node.leaf != 0 ? cube_centre(cube, sources[node.first], node.size)
                                                  : cube_centre(cube, nodes[node.first], node.size);
            if (node.leaf == 0) node.size = merging.size_of(node, centre);
            finish_node<P>(team, node, nodes, moments, sources, i, centre, opening);
            if (team.rank() != 0) return;
            node.leaf != 0 ? keep_in_cube(cube, sources[node.first], centre, nodes[i])
                           : keep_in_cube(cube, nodes[node.first], centre, nodes[i]);
        });
    }
    if (opening.criterion != Criterion::opening) return;
    const std::size_t first = levels_.front();
    tree.pulls.resize_discard(levels_.back() - first);
    const WidenChildren widen{nodes, tree.pulls.data(), static_cast<node_index>(first), opening, origins_.data()};
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
        const std::size_t begin = levels_[level];
        for_each_team<node_team>(exec_, levels_[level + 1] - begin,
                                 [=] GRAVLET_HD(std::size_t k, const NodeTeam<Exec>& team) { widen(begin + k, team); });
    }
}

template <class Exec>
int TreeMerge<Exec>::deepest(std::size_t seen) const {
    const std::uint32_t* const depths = depths_.data();
    return static_cast<int>(transform_reduce(
        exec_, seen, [=] GRAVLET_HD(std::size_t i) { return depths[i]; }, std::uint32_t{0},
        [] GRAVLET_HD(std::uint32_t p, std::uint32_t q) { return p > q ? p : q; }));
}

}  // namespace gravlet
