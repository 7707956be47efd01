// SPDX-License-Identifier: Apache-2.0
// The hunt for the worst targets, which a random sample misses: where a second, tighter solve differs most.
#pragma once

#include "tools/reference.hpp"
#include "tools/solution.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <cstdint>

namespace gravlet {

/// The same with half of theta (0.1 at least) and the highest order.
[[nodiscard]] Options tighter(const Options& options);

/// Whether tighter() is.
[[nodiscard]] bool can_be_tighter(const Options& options);

/// Collective. This rank's among the `count` targets of all ranks where the potential differs most from that of the tighter
/// solve, and the `count` where the acceleration does, if there is one; each once. Differences are relative as errors are
/// (compare.hpp). `solution` is what a solver with these options gave.
[[nodiscard]] Targets hunt(MPI_Comm comm, const Options& options, const Problem& problem, const Solution& solution,
                           std::int64_t count);

}  // namespace gravlet
