// SPDX-License-Identifier: Apache-2.0
// The files that a run leaves.
#pragma once

#include "tools/compare/compare.hpp"
#include "tools/config/attempts.hpp"
#include "tools/config/file_plan.hpp"

#include <mpi.h>

namespace gravlet {

/// What a run reads and writes.
[[nodiscard]] FilePlan files_of(const RunConfig& config);

/// Collective. Throws Error(file) on every rank if the disks have no room for what is to be written, or cannot have.
void check_room(MPI_Comm comm, const RunConfig& config, const Problem& problem);

/// Collective. Writes what config.output names: the HDF5 file (blocks: FLASH's layout with dens, gpot, accx, accy, accz, tdxx
/// and so on, and error; points: x, y, z, m, softening if they bring lengths, potential, acceleration_x, tidal_xx and so on,
/// error), the checkpoint's copy, the XDMF, and the picture. `error` is there if all targets were compared. Each is an
/// attempt of its own: the others are written if one fails, but for those that are made from it.
void write_outputs(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                   const std::optional<Comparison>& comparison, Attempts& attempts);

}  // namespace gravlet
