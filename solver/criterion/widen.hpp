// SPDX-License-Identifier: Apache-2.0
// Nodes that make much of what pulls at their place are opened wider (physics/acceptance.hpp). What pulls there, roughly: the
// mass of each node around it over the square of that node's side, added up from the root down.
#pragma once

#include "physics/acceptance.hpp"

#include <vector>

namespace gravlet {

/// Sees to node i's children, once it has itself been seen to.
struct WidenChildren {
    /// In place of what pulls, of a node that has been widened where it comes from: so has what is below it.
    static constexpr float done = -1.0f;

    Node* nodes;
    float* pulls;      ///< of each node from `first` on: what pulls at its place
    node_index first;  ///< the root
    Opening opening;
    bool some_done = false;

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        const Node& node = nodes[i];
        if (node.leaf != 0 || is_done(i)) return;
        const float around = i == first ? opening.ambient() : pulls[i - first];
        for (std::uint32_t c = team.rank(); c < node.count; c += Team::size) widen(node.first + c, around);
    }

private:
    [[nodiscard]] GRAVLET_HD bool is_done(std::size_t i) const { return some_done && pulls[i - first] == done; }
    GRAVLET_HD void widen(std::size_t child, float around) const {
        if (is_done(child)) return;
        Node& node = nodes[child];
        const float own = pull_of(node), all = around + own;
        pulls[child - first] = all;
        node.open_radius *= opening.widening(node, own / all);
    }
};

/// Local. All nodes of a tree that has its moments, but for the root, which is as heavy as can be. `levels`: the first node of
/// each, and the end; `pulls` becomes each node's.
template <class Exec>
void widen(const Exec& exec, const Opening& opening, const std::vector<node_index>& levels, Node* nodes,
           typename Exec::template Buffer<float>& pulls) {
    if (opening.criterion != Criterion::opening || levels.back() == 0) return;
    pulls.resize_discard(levels.back());
    const std::vector<node_index> inner(levels.begin(), levels.end() - 1);  // the last level has no children
    for_levels_down<8>(exec, inner, WidenChildren{nodes, pulls.data(), 0, opening});
}

}  // namespace gravlet
