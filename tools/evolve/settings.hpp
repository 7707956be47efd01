// SPDX-License-Identifier: Apache-2.0
// What `gravlet evolve` is to do: the YAML file as a struct, defaults in place.
#pragma once

#include "tools/config/file_plan.hpp"
#include "tools/evolve/step_rule.hpp"
#include "tools/problems/problem.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

struct EvolveOutput {
    std::string log;            ///< CSV, a line at each multiple of the largest step; empty: none
    std::string snapshots;      ///< what their names begin with: NAME_0000.hdf5, ...; empty: none
    std::int64_t every = 0;     ///< largest steps from one snapshot to the next; 0: only the first and the last
    std::string xdmf;           ///< text for ParaView that refers to all snapshots; empty: none
    std::string strip, energy;  ///< pictures (PNG) made at the end: the snapshots side by side, and the log; empty: none
};

struct EvolveConfig {
    ProblemSpec problem;
    Options solver{.keep_moved = true};
    std::optional<std::array<Boundary, 3>> boundary;  ///< not given: the problem's own
    StepRule rule;
    double end = 0.0;          ///< time; a multiple of the largest step
    std::int64_t balance = 8;  ///< largest steps after which ranks share the points anew, and sort them
    std::string restart;       ///< snapshot to go on from; empty: none
    EvolveOutput output;

    [[nodiscard]] std::int64_t steps() const;  ///< largest ones, from time 0 to the end
};

/// What a run reads and writes.
[[nodiscard]] FilePlan files_of(const EvolveConfig& config);

/// Local. As parse_config().
[[nodiscard]] EvolveConfig parse_evolve_config(const std::string& text, const std::vector<std::string>& overrides,
                                               const std::string& name);
/// Collective. As load_config().
[[nodiscard]] EvolveConfig load_evolve_config(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides);

}  // namespace gravlet
