// SPDX-License-Identifier: Apache-2.0
// Points that move change ranks: each rank gets a run of a curve with its share of the work.
#pragma once

#include "amr_adapter/files/gadget_file.hpp"

#include <mpi.h>

#include <vector>

namespace gravlet {

/// Collective. `work`: of each point, any unit. Replaces positions, velocities, masses, lengths and identities; potentials and
/// accelerations are gone. One rank: nothing moves.
void share_by_work(MPI_Comm comm, Snapshot& points, const std::vector<double>& work);

}  // namespace gravlet
