// SPDX-License-Identifier: Apache-2.0
// Snapshots of points in time, of gravlet (amr_adapter/files/gadget_file.hpp) and of other codes, from their files to the ranks.
#pragma once

#include "amr_adapter/files/gadget_file.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace gravlet {

/// Collective. A snapshot in HDF5 or in GADGET-2's binary format: points of all types or of those in `types`, one type after the
/// other, single or double precision, masses from MassTable; values as they stand, without units or expansion, of which `origin`
/// has what the file states. Ranks have consecutive, equal numbers of points; as many ranks as wrote a snapshot of gravlet have
/// their own again, in their order and bit for bit, if all types are read. Numbers are in the order of their names. Rows are the
/// identities of points without; lengths come only from a data set Softening. Where a snapshot is in several files, NAME.0.hdf5,
/// NAME.1.hdf5 or NAME.0, NAME.1 and so on, `path` is any of them. `what`: at_rest: the points need have no velocities. Throws
/// Error(file), the same on every rank, that names the file and what is wrong with it: missing, truncated, foreign,
/// contradictory, without positions, velocities or masses, or with a value that is not finite; Error(out_of_memory) if it is too
/// large.
[[nodiscard]] Snapshot read_snapshot(MPI_Comm comm, const std::string& path, PointData what = PointData::all,
                                     const std::vector<int>& types = {});

}  // namespace gravlet
