// SPDX-License-Identifier: Apache-2.0
// What every backend's walk is given and gives back. Kernels include this: it knows nothing of how targets are kept
// (solver/data/walk_targets.hpp).
#pragma once

#include "ewald/box_pieces.hpp"
#include "physics/components.hpp"
#include "physics/series_error.hpp"
#include "physics/types.hpp"
#include "physics/walk_rules.hpp"

#include <gravlet/options.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gravlet {

inline constexpr std::uint32_t no_target = 0xffffffffu;

struct InteractionCounts {
    std::uint64_t node = 0, cell = 0;  ///< target-node and target-source pairs
    std::uint64_t far = 0;             ///< group-node pairs, through local expansions
    std::uint64_t coincident = 0;

    GRAVLET_HD void add(const InteractionCounts& other) {
        node += other.node;
        cell += other.cell;
        far += other.far;
        coincident += other.coincident;
    }
};

/// The sum of so many walks' counts, in the backend's memory.
template <class Exec>
InteractionCounts total_of(const Exec& exec, const InteractionCounts* counts, std::size_t n) {
    return transform_reduce(
        exec, n, [=] GRAVLET_HD(std::size_t i) { return counts[i]; }, InteractionCounts{},
        [] GRAVLET_HD(const InteractionCounts& a, const InteractionCounts& b) {
            InteractionCounts sum = a;
            sum.add(b);
            return sum;
        });
}

/// The targets, and where their sums go. Backend memory.
struct WalkTargets {
    const Source* bodies = nullptr;
    std::size_t count = 0;
    const Group* groups = nullptr;
    std::size_t group_count = 0;
    std::size_t all_groups = 0;            ///< groups of this rank, active or not, early or not
    const std::uint8_t* active = nullptr;  ///< a flag a group: whether its sums are wanted. Null: all
    int group_size = 0;
    bool points = false;    ///< some target or source, on any rank, is a point
    bool softened = false;  ///< some target or source, on any rank, is softened
    SofteningKernel softening_kernel = SofteningKernel::plummer;
    float far_margin = 0.0f;  ///< far_margin() of the softening kernel
    double theta = 0.0;
    float extents = 0.0f;                                ///< the criterion's (physics/acceptance.hpp)
    double far_sides = 0.0;                              ///< far_sides() of theta and order
    float nearest_far_node = gravlet::nearest_far_node;  ///< nodes nearer to a group do not act on its centre
    SeriesLimits series_limits;
    /// Displacements of the box's images in which the tree is walked, the first of them zero. Null: in its place alone.
    const Vector3* images = nullptr;
    int image_count = 1;
    BoxPieces pieces;       ///< pieces of the box; with a side, some images are walked for some only, and a group is in one
    int derivatives = 0;    ///< derivatives of the potential that are wanted
    bool in_cells = false;  ///< targets are no cells, and may be anywhere in one (NearLaw::add_anywhere())
    /// Square of the distance, over a source's mass, within which pairs are in double where no target has mass, by which it is
    /// told otherwise. 0: none.
    double close2_of_mass = 0.0;
    bool one_by_one = false;  ///< all sources act on all targets, and no node does: of one rank's bodies, isolated
    SumArrays sums;
};

/// The opening angle; with other criteria, one that many solves have.
inline double typical_theta(const WalkTargets& targets) { return targets.extents > 0.0f ? 0.8 : targets.theta; }

GRAVLET_HD inline double longest_side(const Bounds& box) {
    return fmax(box.upper.x - box.lower.x, fmax(box.upper.y - box.lower.y, box.upper.z - box.lower.z));
}

/// What far_sides comes to for a group. Where its cells are sparse (because other ranks have those between them), more matter is
/// near, as its sides go, so that what errs by the fifth power of side / distance adds up to the square of the side: the distance
/// makes up for it.
GRAVLET_HD inline double far_sides(const WalkTargets& targets, const Group& group) {
    const double side = longest_side(group.box), dense = 4.0 * group.scale;  // of 64 cells side by side
    return targets.far_sides * (!targets.points && side > dense ? pow(side / dense, 0.4) : 1.0);
}

/// How far beyond its open radius a node acts on a group's centre. A part of a group has the group's far radius: a series about a
/// target's own place would lack what nodes' higher moments do to its derivatives.
GRAVLET_HD inline double far_radius(const WalkTargets& targets, const Group& group) {
    return fmax(longest_side(group.box), double{group.side}) * far_sides(targets, group);
}

/// The sorted target that a source of an image of a tree is, or no_target.
GRAVLET_HD inline std::uint32_t target_of(const TreeView& tree, std::uint32_t source, int image) {
    if (source >= tree.own_sources || image != 0) return no_target;
    return tree.source_target != nullptr ? tree.source_target[source] : source;
}

/// Displacement of one image.
GRAVLET_HD inline Vector3 displacement(const WalkTargets& targets, int image) {
    return targets.images == nullptr ? Vector3{0.0, 0.0, 0.0} : targets.images[image];
}

/// Whether a node is in one piece.
GRAVLET_HD inline bool is_in_piece(const BoxPieces& pieces, const Node& node) {
    return node.size <= static_cast<float>(pieces.side);  // rounded as a node's
}

/// Whether an image of a node, or of some piece in it, is walked for targets in piece `target`.
GRAVLET_HD inline bool is_walked(const BoxPieces& pieces, const Node& node, const Vector3& target, const Vector3& displacement) {
    // A power of two: rounded, as a device's walk divides floats as it likes.
    const double along = is_in_piece(pieces, node) ? 1.0 : rintf(node.size / static_cast<float>(pieces.side));
    const auto walked = [&](int d, double position, double from, double shift) {
        const double piece = pieces.index(d, position), first = along > 1.0 ? floor(piece / along) * along : piece;
        return is_walked(first - from, first + (along - 1.0) - from, shift, pieces.side);
    };
    return walked(0, node.x, target.x, displacement.x) && walked(1, node.y, target.y, displacement.y) &&
           walked(2, node.z, target.z, displacement.z);
}

/// The piece that a group is in.
GRAVLET_HD inline Vector3 piece_of(const BoxPieces& pieces, const Group& group) {
    const auto centre = [](double lower, double upper) { return 0.5 * (lower + upper); };
    const Bounds& box = group.box;
    return {pieces.index(0, centre(box.lower.x, box.upper.x)), pieces.index(1, centre(box.lower.y, box.upper.y)),
            pieces.index(2, centre(box.lower.z, box.upper.z))};
}

/// The targets of groups [begin, end) alone.
inline WalkTargets groups_of(WalkTargets targets, std::size_t begin, std::size_t end) {
    targets.groups += begin;
    targets.group_count = end - begin;
    if (targets.active != nullptr) targets.active += begin;
    return targets;
}

}  // namespace gravlet
