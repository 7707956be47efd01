// SPDX-License-Identifier: Apache-2.0
// Agrees with all ranks on the solver's units.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/bodies.hpp"
#include "solver/validate_input.hpp"

namespace gravlet {

/// Collective. The root cube holds every body. Where there are cells its side is their smallest side times a power of two, from
/// the lower corner that they (or Options::domain) have, so that octree nodes are whole blocks of an AMR mesh.
Frame agree_on_frame(const Communicator& comm, const InputScan& scan, bool points, bool acceleration, const Options& options);

}  // namespace gravlet
