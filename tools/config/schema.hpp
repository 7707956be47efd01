// SPDX-License-Identifier: Apache-2.0
// The keys of each section of the YAML file.
#pragma once

#include "tools/config/config.hpp"
#include "tools/config/section.hpp"

namespace gravlet {

[[nodiscard]] ProblemSpec read_problem(Section section);
/// Leaves room for more keys: the caller finishes the section.
void read_solver(Section& section, Options& options, std::optional<std::array<Boundary, 3>>& boundary);
/// Throws Error(invalid_option) that names the key.
void check_solver(const Options& options);
/// The keys of section `solver` that say what is wanted, and its end.
void read_results(Section section, RunConfig& config);
void read_run(Section section, RunConfig& config);
void read_compare(Section section, CompareConfig& compare);

}  // namespace gravlet
