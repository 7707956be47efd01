// SPDX-License-Identifier: Apache-2.0
// The hunt for the worst targets, which a random sample misses: where a second, tighter solve differs most.
#pragma once

#include "tools/compare/reference.hpp"
#include "tools/compare/solution.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <cstdint>

namespace gravlet {

/// Collective. This rank's among the `count` targets of all ranks where the potential differs most from that of the tighter
/// solve, and the `count` where the acceleration does, if there is one; each once. Differences are relative as errors are
/// (compare.hpp). `solution` is what a solver with these options gave.
[[nodiscard]] Targets hunt(MPI_Comm comm, const Options& options, const Problem& problem, const Solution& solution,
                           std::int64_t count);

}  // namespace gravlet
