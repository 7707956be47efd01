// SPDX-License-Identifier: Apache-2.0
// What `gravlet evolve` is to do: the YAML file as a struct, defaults in place.
#pragma once

#include "tools/config/file_plan.hpp"
#include "tools/config/made_by.hpp"
#include "tools/config/outputs.hpp"
#include "tools/config/schema.hpp"
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

struct EvolveConfig {
    ProblemSpec problem;
    Options solver{.keep_moved = true};
    std::optional<std::array<Boundary, 3>> boundary;  ///< boundaries in x, y and z; not given: the problem's own
    StepRule rule;
    double end = 0.0;          ///< time; a multiple of the largest step
    std::int64_t balance = 8;  ///< largest steps after which ranks share the points anew, and sort them
    std::string restart;       ///< snapshot to go on from; empty: none
    Outputs output{evolve_outputs};
    MadeBy made_by;
    std::int64_t snapshot_steps = 0;  ///< largest steps from one snapshot to the next; 0: only the first and the last

    [[nodiscard]] std::int64_t steps() const;  ///< largest ones, from time 0 to the end
};

/// Local. The sections of gravlet evolve, but for `problem`.
[[nodiscard]] std::vector<SectionInfo> evolve_sections();

/// What a run reads and writes.
[[nodiscard]] FilePlan files_of(const EvolveConfig& config);

/// Local. Parses YAML text as parse_config() does, with its errors.
[[nodiscard]] EvolveConfig parse_evolve_config(const std::string& text, const std::vector<std::string>& overrides,
                                               const std::string& name);
/// Collective. Reads a file as load_config() does, with its errors.
[[nodiscard]] EvolveConfig load_evolve_config(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides);

}  // namespace gravlet
