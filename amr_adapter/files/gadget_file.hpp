// SPDX-License-Identifier: Apache-2.0
// Snapshots of points in time, in the HDF5 layout of GADGET (users' guides of GADGET-2 and GADGET-4), which yt and others read:
//   Header     attributes: how many points of each of six types, Time, and what else is expected there: no cosmology (Redshift,
//              Omega0, OmegaLambda 0; HubbleParam 1), no box (BoxSize 0: positions are what they are), one file
//   PartType1  all points: Coordinates, Velocities (n x 3), Masses, ParticleIDs; Softening, Potential, Acceleration if there are
//   gravlet    rows: how many points each rank wrote; attributes: the numbers that a restart needs
// All is in double precision and in rank order, so that a run goes on from it as if it had never stopped.
#pragma once

#include "amr_adapter/files/point_file.hpp"

#include <mpi.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

/// This rank's part. Arrays that may be empty are so on all ranks or on those without points only.
struct Snapshot {
    double time = 0.0;
    std::optional<std::array<double, 3>> box{};  ///< sides of the box, from 0 on, that a file says all points are in (BoxSize)
    PointSet points;                             ///< points with velocities and identities
    std::vector<double> potential{};             ///< a value a point, or empty
    std::array<std::vector<double>, 3> acceleration{};      ///< x, y, z, likewise
    std::vector<std::pair<std::string, double>> numbers{};  ///< numbers of a restart, each of another name; alike on all ranks
    // Of a snapshot that was read; alike on all ranks.
    Provenance origin{};  ///< what its files state: format, numbers of points, time, units
    std::string input{};  ///< what it says of what its run began from, as it is kept in files
};

/// Collective. Points in rank order; ranks write in turn. Time and numbers are rank 0's. Throws Error(file) on every rank, and a
/// file that was there then stays as it is; Error(internal) if an array has another length than x.
void write_snapshot(MPI_Comm comm, const std::string& path, const Snapshot& snapshot, const Provenance& provenance = {});

}  // namespace gravlet
