// SPDX-License-Identifier: Apache-2.0
// `gravlet run`: make the problem, solve it some times, compare, write.
#pragma once

#include "tools/config/config.hpp"
#include "tools/result.hpp"

#include <mpi.h>

namespace gravlet {

/// Collective. Throws Error, the same on every rank.
[[nodiscard]] RunResult run(MPI_Comm comm, const RunConfig& config);

}  // namespace gravlet
