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

#include "physics/parts.hpp"
#include "solver/build.hpp"
#include "solver/moments.hpp"

#include <utility>
#include <vector>

namespace gravlet {

/// All that is merged: the root of each part and the levels of nodes below it, this rank's own first; and the sources of all.
struct MergeInput {
    std::vector<node_index> roots;
    std::vector<int> depths;
    const Source* sources;
    std::size_t own_sources;
};

template <class Exec>
class TreeMerge {
public:
    explicit TreeMerge(const Exec& exec)
        : exec_(exec),
          parts_(exec.template buffer<Part>()),
          next_parts_(exec.template buffer<Part>()),
          fragments_(exec.template buffer<Part>()),
          owners_(exec.template buffer<std::uint32_t>()),
          shared_(exec.template buffer<SharedCube>()),
          next_shared_(exec.template buffer<SharedCube>()),
          tallies_(exec.template buffer<std::uint32_t>()),
          counts_(exec.template buffer<MergeCounts>()),
          findings_(exec.template buffer<MergeFindings>()) {}

    /// Local. Puts the new nodes behind those of all parts, which `tree` has in its nodes and moments. Returns the root of the
    /// whole.
    template <int P>
    node_index run(const MergeInput& input, const RootCube& cube, std::uint32_t leaf_size, int lowest_level,
                   const Opening& opening, Tree<Exec>& tree) {
        found_ = {no_source, static_cast<std::uint32_t>(input.depths.front())};
        if (input.roots.size() == 1) return input.roots.front();
        Merging merging{tree.nodes.data(), input.sources, input.own_sources, cube, leaf_size, lowest_level};
        begin(input, merging, tree);
        std::vector<std::size_t> levels{tree.nodes.size() - 1, tree.nodes.size()};
        std::size_t seen = 0;
        while (shared_.size() > 0) {
            merging.nodes = tree.nodes.data();
            divide(merging, seen, tree);
            seen += shared_.size();
            assign<P>(merging, seen - shared_.size(), static_cast<std::uint32_t>(levels.size() - 2), tree);
            levels.push_back(tree.nodes.size());
        }
        merging.nodes = tree.nodes.data();
        finish<P>(levels, merging, opening, tree);
        const MergeFindings* const findings = findings_.data();
        found_ = transform_reduce(
            exec_, seen, [=] GRAVLET_HD(std::size_t i) { return findings[i]; }, MergeFindings{no_source, 0},
            [] GRAVLET_HD(const MergeFindings& a, const MergeFindings& b) {
                return MergeFindings{a.twin < b.twin ? a.twin : b.twin, a.depth > b.depth ? a.depth : b.depth};
            });
        return static_cast<node_index>(levels.front());
    }

    /// In the last run().
    [[nodiscard]] const MergeFindings& found() const { return found_; }

    // The steps of run(); public because CUDA's extended lambdas may not be in private functions.

    /// The root of the whole, which all parts share.
    void begin(const MergeInput& input, Merging merging, Tree<Exec>& tree) {
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
        for_each(exec_, 1, [=] GRAVLET_HD(std::size_t) { nodes[root] = Node{}; });
    }

    /// Steps 1 and 2 for all cubes that are shared: fragments_ gets eight for each part. `seen`: shared cubes before them.
    void divide(const Merging& merging, std::size_t seen, Tree<Exec>& tree) {
        const std::size_t width = shared_.size(), n = parts_.size();
        owners_.resize_discard(n);
        fragments_.resize_discard(8 * n);
        findings_.resize(seen + width);
        const Part* const parts = parts_.data();
        std::uint32_t* const owners = owners_.data();
        SharedCube* const shared = shared_.data();
        Part* const fragments = fragments_.data();
        MergeFindings* const findings = findings_.data() + seen;
        Node* const nodes = tree.nodes.data();
        for_each(exec_, width, [=] GRAVLET_HD(std::size_t i) {
            findings[i] = {merging.begin(parts + shared[i].first, shared[i]), 0};
            nodes[shared[i].node].size = merging.cube.side_of(shared[i].level);
            for (std::uint32_t p = 0; p < shared[i].count; ++p) owners[shared[i].first + p] = static_cast<std::uint32_t>(i);
        });
        for_each(exec_, 8 * n, [=] GRAVLET_HD(std::size_t k) {
            const SharedCube& owner = shared[owners[k / 8]];
            const std::uint32_t p = static_cast<std::uint32_t>(k / 8) - owner.first;
            fragments[k] = merging.fragment(parts + owner.first, owner, p, static_cast<unsigned>(k % 8));
        });
    }

    /// Step 3. `level`: of the shared cubes' nodes, from the root.
    template <int P>
    void assign(const Merging& merging, std::size_t seen, std::uint32_t level, Tree<Exec>& tree) {
        constexpr unsigned digits = Merging::digits;
        const std::size_t width = shared_.size(), end = tree.nodes.size();
        tallies_.resize_discard(digits * width);
        counts_.resize_discard(width);
        const Part* const fragments = fragments_.data();
        std::uint32_t* const tallies = tallies_.data();
        MergeCounts* const counts = counts_.data();
        const SharedCube* const shared = shared_.data();
        for_each(exec_, digits * width, [=] GRAVLET_HD(std::size_t k) {
            const SharedCube& cube = shared[k / digits];
            std::uint32_t tally = 0;
            for (std::size_t s = 8 * std::size_t{cube.first}; s < 8 * std::size_t{cube.first + cube.count}; ++s)
                tally += fragments[s].digit == k % digits ? 1 : 0;
            tallies[k] = tally;
        });
        for_each(exec_, width, [=] GRAVLET_HD(std::size_t i) {
            MergeCounts count{};
            for (unsigned d = 0; d < digits; ++d) count = count + Merging::counts_of(tallies[digits * i + d]);
            counts[i] = count;
        });
        const MergeCounts added = exclusive_scan(exec_, counts, counts, width);
        tree.nodes.resize(end + added.children);
        tree.moments.resize(tree.nodes.size() * moment_count(P));
        next_shared_.resize_discard(added.shared);
        next_parts_.resize_discard(added.parts);
        Node* const nodes = tree.nodes.data();
        float* const moments = tree.moments.data();
        SharedCube* const next = next_shared_.data();
        Part* const next_parts = next_parts_.data();
        MergeFindings* const findings = findings_.data() + seen;
        for_each(exec_, width, [=] GRAVLET_HD(std::size_t i) {
            Node& node = nodes[shared[i].node];
            node.first = static_cast<std::uint32_t>(end + counts[i].children);
            node.count = (i + 1 < width ? counts[i + 1].children : added.children) - counts[i].children;
        });
        for_each(exec_, digits * width, [=] GRAVLET_HD(std::size_t k) {
            const std::size_t i = k / digits;
            if (tallies[k] == 0) return;
            MergeCounts at = counts[i];
            for (std::size_t d = digits * i; d < k; ++d) at = at + Merging::counts_of(tallies[d]);
            const std::size_t to = end + at.children;
            nodes[to] = Node{};
            if (tallies[k] > 1) next[at.shared] = {static_cast<node_index>(to), at.parts, tallies[k], 0, 0};
            std::uint32_t p = at.parts;
            for (std::size_t s = 8 * std::size_t{shared[i].first}; p < at.parts + tallies[k]; ++s) {
                const Part& part = fragments[s];
                if (part.digit != k % digits) continue;
                if (tallies[k] > 1) {
                    next_parts[p] = part;
                } else if (part.count > 0) {
                    nodes[to] = new_leaf(part.first, part.count);
                    nodes[to].size = merging.cube.side_of(part.level);
                } else {
                    nodes[to] = nodes[part.first];
                    for (std::size_t m = 0; m < std::size_t{moment_count(P)}; ++m)
                        moments[to * moment_count(P) + m] = moments[part.first * std::size_t{moment_count(P)} + m];
                }
                ++p;
            }
        });
        for_each(exec_, width, [=] GRAVLET_HD(std::size_t i) {
            std::uint32_t below = 1;
            for (std::size_t s = 8 * std::size_t{shared[i].first}; s < 8 * std::size_t{shared[i].first + shared[i].count}; ++s)
                if (fragments[s].digit != Merging::nowhere && fragments[s].below > below) below = fragments[s].below;
            findings[i].depth = level + 1 + below;
        });
        std::swap(shared_, next_shared_);
        std::swap(parts_, next_parts_);
    }

    /// New nodes have no mass yet.
    template <int P>
    void finish(const std::vector<std::size_t>& levels, const Merging& merging, const Opening& opening, Tree<Exec>& tree) {
        const Source* const sources = merging.sources;
        const RootCube& cube = merging.cube;
        Node* const nodes = tree.nodes.data();
        float* const moments = tree.moments.data();
        for (std::size_t level = levels.size() - 1; level-- > 0;) {
            const std::size_t begin = levels[level];
            for_each(exec_, levels[level + 1] - begin, [=] GRAVLET_HD(std::size_t k) {
                const std::size_t i = begin + k;
                Node& node = nodes[i];
                if (node.mass > 0.0f) return;
                const Vector3 centre = node.leaf != 0 ? cube_centre(cube, sources[node.first], node.size)
                                                      : cube_centre(cube, nodes[node.first], node.size);
                if (node.leaf == 0) node.size = merging.size_of(node, centre);
                finish_node<P>(nodes, moments, sources, i, centre, opening);
            });
        }
    }

private:
    Exec exec_;
    typename Exec::template Buffer<Part> parts_, next_parts_, fragments_;
    typename Exec::template Buffer<std::uint32_t> owners_;
    typename Exec::template Buffer<SharedCube> shared_, next_shared_;
    typename Exec::template Buffer<std::uint32_t> tallies_;
    typename Exec::template Buffer<MergeCounts> counts_;
    typename Exec::template Buffer<MergeFindings> findings_;
    MergeFindings found_{};
};

}  // namespace gravlet
