// SPDX-License-Identifier: Apache-2.0
// AMR test meshes from p4est: an octree of cubic blocks, one p8est quadrant a block, refined by a test on the block, 2:1 balanced
// across faces and spread over the ranks in Morton order. The set of blocks does not depend on the number of ranks.
//
// Level 1 is one block that fills the root cube; a block of level L has side root.side / 2^(L-1).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace gravlet {

struct MeshBlock {
    std::array<double, 3> lower{};  ///< lower corner
    double side = 1.0;
    int level = 1;
};

/// p4est's coordinates end here.
inline constexpr int mesh_max_level = 19;

/// Collective. This rank's leaf blocks, in Morton order. A block of a level below `max_level` is divided when `refine(block)`,
/// which must be a pure function and the same on all ranks. Refined level by level and spread anew after each, so that no rank
/// ever holds all blocks; `grown(blocks of all ranks)` is called as their number grows, and may throw the same on every rank if
/// there are too many. Throws Error(invalid_option) if max_level is not in 1..mesh_max_level, and what `refine` throws, on every
/// rank.
[[nodiscard]] std::vector<MeshBlock> make_mesh(MPI_Comm comm, const MeshBlock& root, int max_level,
                                               const std::function<bool(const MeshBlock&)>& refine,
                                               const std::function<void(std::int64_t)>& grown = {});

}  // namespace gravlet
