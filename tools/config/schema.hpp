// SPDX-License-Identifier: Apache-2.0
// The keys of each section of the YAML file.
#pragma once

#include "tools/config/config.hpp"
#include "tools/config/section.hpp"

#include <string>
#include <vector>

namespace gravlet {

[[nodiscard]] ProblemSpec read_problem(Section& section);
/// Leaves room for more keys: the caller finishes the section.
void read_solver(Section& section, Options& options, std::optional<std::array<Boundary, 3>>& boundary);
/// Throws Error(invalid_option) that names the key. `boundary`: as read_solver() gives it.
void check_solver(Options options, const std::optional<std::array<Boundary, 3>>& boundary);
/// The keys of section `solver` that say what is wanted, and its end.
void read_results(Section& section, RunConfig& config);
void read_run(Section& section, RunConfig& config);
void read_compare(Section& section, CompareConfig& compare);

/// A kind of problem, for people.
struct ProblemInfo {
    std::string kind, about;
    std::vector<KeyInfo> keys;  ///< keys of its own: `kind` is not among them
    bool moves;                 ///< whether it has velocities, for gravlet evolve
};
/// Local. All kinds.
[[nodiscard]] std::vector<ProblemInfo> problem_kinds();

/// A section of a command's YAML, for people.
struct SectionInfo {
    std::string name;
    std::vector<KeyInfo> keys;
};
/// Local. The sections of gravlet run, but for `problem`.
[[nodiscard]] std::vector<SectionInfo> run_sections();

}  // namespace gravlet
