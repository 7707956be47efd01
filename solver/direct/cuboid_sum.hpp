// SPDX-License-Identifier: Apache-2.0
// The exact potential of a piecewise-constant density: every cell a homogeneous cuboid, summed directly over all ranks. The
// oracle for what point masses at cell centres leave out.
#pragma once

#include <gravlet/cells.hpp>

#include <mpi.h>

#include <span>

namespace gravlet {

/// Places on this rank at which a potential is wanted, n each.
struct CuboidTargets {
    std::span<const double> x, y, z;
};

/// Collective over `comm`. Writes the potential (G = 1) of all ranks' cells at this rank's targets (any; both may be none) to
/// `potential`, n of it. A target sees every cell, also the one that it lies in. Relative accuracy 5e-12; about 0.3 us a pair
/// within 30 cell sides.
void cuboid_sum(MPI_Comm comm, const CuboidTargets& targets, const Cells& cells, std::span<double> potential, int threads);

}  // namespace gravlet
