// SPDX-License-Identifier: Apache-2.0
// Nodes measured by the tight boxes of their sources in place of octree cubes: what a kd-tree has, and an octree may have.
#pragma once

#include "cpu/cpu.hpp"
#include "physics/acceptance.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/tree/moments.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace gravlet::bench {

inline void add_place(Bounds& box, const Source& s) { box = united(box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}}); }

/// The tight box of each node. `sources` are in the tree's order.
inline std::vector<Bounds> tight_boxes(const Source* sources, const Tree<Cpu>& tree) {
    const Node* const nodes = tree.nodes.data();
    std::vector<Bounds> boxes(tree.count(), empty_bounds());
    for (std::size_t i = boxes.size(); i-- > 0;) {
        for (std::uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count; ++k) {
            if (nodes[i].leaf != 0) {
                add_place(boxes[i], sources[k]);
            } else {
                boxes[i] = united(boxes[i], boxes[k]);
            }
        }
    }
    return boxes;
}

/// Moments as compute_moments() finds them, but a node's size is the longest side of its tight box, and no less than the smallest
/// octree cube's.
template <int P>
void compute_tight_moments(const Cpu& exec, const Source* sources, const RootCube& root, const Opening& opening,
                           const std::vector<Bounds>& boxes, Tree<Cpu>& tree) {
    tree.moments.resize_discard(tree.count() * std::size_t{moment_count(P)});
    Node* const nodes = tree.nodes.data();
    float* const moments = tree.moments.data();
    for (std::size_t level = tree.levels.size() - 1; level-- > 0;) {
        const node_index begin = tree.levels[level];
        for_each(exec, tree.levels[level + 1] - begin, [&, begin](std::size_t k) {
            const std::size_t i = begin + k;
            const auto& [low, high] = boxes[i];
            const float side = std::nextafter(static_cast<float>(longest_side(boxes[i])), std::numeric_limits<float>::infinity());
            nodes[i].size = std::fmax(side, root.side_of(deepest_level));
            finish_node<P>(Alone(), nodes[i], nodes, moments, sources, i,
                           {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)}, opening);
        });
    }
}

}  // namespace gravlet::bench
