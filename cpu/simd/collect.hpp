// SPDX-License-Identifier: Apache-2.0
// A batch's walk of the tree.
#pragma once

#include "cpu/simd/batch.hpp"

namespace gravlet {

/// Single precision relative to the frame resolves 2^-24 of its radius: distances above 1/64 of it keep 18 bits.
constexpr double widest_single_precision = 64.0;

/// The batch's frame and its groups' boxes, a lane each.
struct BatchFrame {
    double x, y, z;
    alignas(64) float centre[3][batch_groups];
    alignas(64) float half[3][batch_groups];
    alignas(64) float far_radius[batch_groups];  ///< added to a node's open radius: beyond, it acts on the group's centre
    alignas(64) float factor[batch_groups];      ///< factor of nodes' open radii
    float least_factor;
    alignas(64) float softening[batch_groups];  ///< the longest of the groups' targets'
    float far_scale;                            ///< scale of lengths in far records and local expansions
    double radius;                              ///< half the frame's longest side
    double reach;                               ///< half its diagonal
    float gap;                                  ///< a pair farther apart than this is not close: single precision is enough
    float close2;                               ///< squared: nearer, not even split positions are
    float close2_of_mass;                       ///< times a source's mass: nearer, its pull is so large that it is done in double
    Vector3 piece[batch_groups];                ///< pieces of a periodic box that the groups are in
    float whole_far_radius;                     ///< added to a node's open radius: beyond, it acts on the frame's centre
    float most_softening, most_factor;          ///< the groups' longest, and largest

    /// Where the frame is as a displaced image of the tree sees it.
    [[nodiscard]] Vector3 origin(const Vector3& displacement) const {
        return {x - displacement.x, y - displacement.y, z - displacement.z};
    }
};

/// The frame of groups [first, first + groups).
BatchFrame make_frame(const WalkTargets& targets, std::size_t first, int groups);

/// How careful a batch must be with its near sources.
enum class Care {
    none,     ///< cells of like size: leave out a target itself
    close,    ///< pairs may be very close, or at one place: split positions, tell bodies by index
    plummer,  ///< softened points as well: no source is plain
    spline    ///< softened points as well: no source within their reach is
};

/// Fills the lists of `groups`, a bit each, and sums what is far from each on its centre (work.local); of `whole` batches what is
/// far from all groups once for all of them (work.whole_local).
void collect(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, int order, std::uint32_t groups,
             bool whole, Care care, BatchWorkspace& work);

}  // namespace gravlet
