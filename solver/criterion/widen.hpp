// SPDX-License-Identifier: Apache-2.0
// Nodes that make much of what pulls at their place are opened wider (physics/acceptance.hpp). What pulls there, roughly: the
// mass of each node around it over the square of that node's side, added up from the root down, where other ranks pull too.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/parts.hpp"
#include "physics/virtual_root.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gravlet {

/// Sees to node i's children, once it has itself been seen to.
struct WidenChildren {
    Node* nodes;
    float* pulls;      ///< what pulls at the place of each node from `first` on
    node_index first;  ///< the root
    Opening opening;
    const node_index* origins = nullptr;  ///< origins of the nodes, where trees were merged; null: all are new

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        const Node& node = nodes[i];
        if (node.leaf != 0 || is_done(i)) return;
        const float around = i == first ? opening.around + pull_of(node) : pulls[i - first];
        for (std::uint32_t c = team.rank(); c < node.count; c += Team::size) widen(node.first + c, around);
    }

private:
    /// A copy has been widened where it comes from, and so has what is below it.
    [[nodiscard]] GRAVLET_HD bool is_done(std::size_t i) const { return origins != nullptr && origins[i - first] != no_origin; }
    GRAVLET_HD void widen(std::size_t child, float around) const {
        if (is_done(child)) return;
        Node& node = nodes[child];
        const float own = pull_of(node), all = around + own;
        pulls[child - first] = all;
        node.open_radius *= opening.widening(node, own / all);
    }
};

/// The side of a full cube of as much spread, if that is less than the node's: a rank's bodies may be far within their box.
inline double side_of_mass(const Node& node) {
    return std::fmin(double{node.size}, std::sqrt(8.0 * static_cast<double>(node.spread)));
}

/// What other ranks' masses, each as one, pull this rank's root by, about. Those nearer than the larger of the two is wide are
/// in its midst.
inline float pull_of_others(std::span<const VirtualRoot> roots, std::size_t rank) {
    double sum = 0.0;
    if (roots[rank].has_mass == 0) return 0.0f;
    const Node& own = roots[rank].root.node;
    for (std::size_t r = 0; r < roots.size(); ++r) {
        if (r == rank || roots[r].has_mass == 0) continue;
        const Node& other = roots[r].root.node;
        const double x = other.x - own.x, y = other.y - own.y, z = other.z - own.z,
                     l = std::fmax(side_of_mass(other), side_of_mass(own));
        sum += other.mass / (x * x + y * y + z * z + l * l);
    }
    return static_cast<float>(sum);
}

/// Local. Widens the open radii of all nodes of a tree that has its moments, but for the root, which is as heavy as can be.
/// `levels`: the first node of each, and the end; `pulls` becomes each node's.
template <class Exec>
void widen(const Exec& exec, const Opening& opening, const std::vector<node_index>& levels, Node* nodes,
           typename Exec::template Buffer<float>& pulls) {
    if (opening.criterion != Criterion::opening || levels.back() == 0) return;
    pulls.resize_discard(levels.back());
    const std::vector<node_index> inner(levels.begin(), levels.end() - 1);  // the last level has no children
    for_levels_down<8>(exec, inner, WidenChildren{nodes, pulls.data(), 0, opening});
}

}  // namespace gravlet
