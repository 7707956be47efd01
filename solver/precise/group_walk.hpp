// SPDX-License-Identifier: Apache-2.0
// The walk of a solve in double, of one target group: who accepts what is decided as in any walk, but what is accepted acts on
// each target by itself, in double and with its own displacement.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/keys.hpp"
#include "physics/precise/exact_source.hpp"
#include "physics/precise/full_moments.hpp"
#include "physics/softening.hpp"
#include "solver/data/walk_types.hpp"

namespace gravlet {

/// What is walked, and for whom.
struct PreciseWalk {
    TreeView tree;
    PreciseView precise;
    WalkTargets targets;

    [[nodiscard]] GRAVLET_HD bool is_wanted(std::size_t group) const {
        return targets.active == nullptr || targets.active[group] != 0;
    }
    [[nodiscard]] GRAVLET_HD ExactBody target(std::size_t i) const {
        return exact_body(targets.bodies[i], precise.targets != nullptr ? precise.targets[i] : ExactSource{});
    }
    [[nodiscard]] GRAVLET_HD ExactBody source(std::size_t s) const { return exact_body(tree.sources[s], precise.sources[s]); }
};

/// Calls act.node(index, displacement) for the nodes that act on a group, and act.sources(first, count, image, displacement) for
/// runs of sources, until one of them says that it is enough. Returns whether none has.
template <class Act>
GRAVLET_HD bool walk_group(const PreciseWalk& work, const Group& group, Act& act) {
    const TreeView& tree = work.tree;
    const WalkTargets& targets = work.targets;
    if (targets.one_by_one) return act.sources(0, static_cast<std::uint32_t>(tree.source_count), 0, {0.0, 0.0, 0.0});
    const Distance distance{{}, open_margin(targets.softening_kernel), targets.extents};
    const std::uint32_t cheap = cheap_precise_leaf(work.precise.order);
    const bool in_pieces = targets.pieces.side > 0.0;
    const Vector3 piece = in_pieces ? piece_of(targets.pieces, group) : Vector3{0.0, 0.0, 0.0};
    node_index stack[8 * 2 * (deepest_level + 9)];  // a level's nodes are together on it: at most eight
    for (int image = 0; image < targets.image_count; ++image) {
        const Vector3 shift = displacement(targets, image);
        const auto [low, high] = group.box;
        const TargetBox box{
            {{low.x - shift.x, low.y - shift.y, low.z - shift.z}, {high.x - shift.x, high.y - shift.y, high.z - shift.z}},
            group.softening,
            group.factor};
        int top = 0;
        stack[top++] = tree.root;
        while (top > 0) {
            const node_index index = stack[--top];
            const Node& node = tree.nodes[index];
            if (in_pieces && !is_walked(targets.pieces, node, piece, shift)) continue;
            const bool cheap_leaf = node.leaf != 0 && node.count <= cheap;
            if (!cheap_leaf && (node.count == 0 || accepts(box, node, distance))) {
                if (!act.node(index, shift)) return false;
            } else if (node.leaf != 0) {
                if (!act.sources(node.first, node.count, image, shift)) return false;
            } else {
                for (std::uint32_t c = 0; c < node.count; ++c) stack[top++] = node.first + c;
            }
        }
    }
    return true;
}

}  // namespace gravlet
