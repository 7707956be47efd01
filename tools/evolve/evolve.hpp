// SPDX-License-Identifier: Apache-2.0
// `gravlet evolve`: points in time.
#pragma once

#include "tools/evolve/settings.hpp"

#include <gravlet/report.hpp>

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gravlet {

/// What a run has done since it began or went on; the same on all ranks.
struct EvolveResult {
    std::string backend;
    int ranks = 1;
    std::int64_t largest_steps = 0, solves = 0, active = 0, snapshots = 0;
    std::int64_t kept = 0;  ///< solves in which all ranks kept their trees
    double time = 0.0, seconds = 0.0, pairs = 0.0;
    double energy_change = 0.0;  ///< relative change of the total energy
    int deepest_level = 0;
    std::vector<StageTime> stages;  ///< the solver's, all solves together
    std::int64_t too_slow = 0;      ///< points that wanted a shorter step than there is, at the end
};

/// Collective. Throws Error, the same on every rank.
[[nodiscard]] EvolveResult evolve(MPI_Comm comm, const EvolveConfig& config);

[[nodiscard]] std::string to_table(const EvolveResult& result);
[[nodiscard]] std::string to_json(const EvolveResult& result);

}  // namespace gravlet
