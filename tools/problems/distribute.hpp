// SPDX-License-Identifier: Apache-2.0
// Points to ranks as a host's domain decomposition would: a run of a Morton curve each, of about equal numbers, or equal work.
//
// 1. the middle and half width of each axis come from a sample's quartiles, and coordinates are squeezed by u / (1 + |u|), so
// that a
//    few points far out do not cost the resolution of the dense middle;
// 2. Morton keys, sorted; each rank offers evenly spaced keys and all choose the same splitters from them;
// 3. an all-to-all an array sends each point to the rank that owns its run.
#pragma once

#include "amr_adapter/files/point_file.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace gravlet {

/// Collective. Replaces this rank's points, so that all ranks have about as much of the `work`, a value a point in any unit;
/// empty: as many points. One rank: nothing changes.
void distribute_along_curve(MPI_Comm comm, PointSet& points, const std::vector<double>& work = {});

/// Collective. Point i goes to rank owners[i], with all that it brings; the list is used up.
void send_to_owners(MPI_Comm comm, std::vector<std::uint64_t>& owners, PointSet& points);

}  // namespace gravlet
