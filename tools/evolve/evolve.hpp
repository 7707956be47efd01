// SPDX-License-Identifier: Apache-2.0
// `gravlet evolve`: points in time. A signal to end (tools/present/stop_signal.hpp) is heard between largest steps: a snapshot of
// that moment, if any are written, is what evolve.restart goes on from.
#pragma once

#include "tools/evolve/settings.hpp"

#include <gravlet/report.hpp>

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gravlet {

/// What a run has done since it began or went on; the same on all ranks.
struct EvolveResult {
    MadeBy made_by;
    std::string problem;
    Provenance input;  ///< what the files of its first points state, if it began with them
    Options options;   ///< the solver's
    std::string backend;
    int ranks = 1;
    std::int64_t largest_steps = 0, solves = 0, active = 0, snapshots = 0;
    std::int64_t kept = 0;  ///< solves in which all ranks kept their trees
    double time = 0.0, seconds = 0.0, pairs = 0.0;
    double energy_change = 0.0;  ///< relative change of the total energy
    int deepest_level = 0;
    std::vector<StageTime> stages;  ///< the solver's, all solves together
    std::int64_t too_slow = 0;      ///< points that wanted a shorter step than there is, at the end
    int stopped_by = 0;             ///< signal that ended the run before its end; 0: none
    std::string going_on;           ///< where its end was not reached, or not written: snapshot to go on from, if there is one
};

/// Collective. tell(), collective, is called with the result before pictures are drawn, so that it is told whatever becomes of
/// them. Throws Error, the same on every rank; where a log or a snapshot cannot be written the run ends there, and what it has
/// done is told first.
EvolveResult evolve(MPI_Comm comm, const EvolveConfig& config, const std::function<void(const EvolveResult&)>& tell = {});

[[nodiscard]] std::string to_table(const EvolveResult& result);
[[nodiscard]] std::string to_json(const EvolveResult& result);

}  // namespace gravlet
