// SPDX-License-Identifier: Apache-2.0
// The keys of each section of the YAML file.
#pragma once

#include "tools/config/config.hpp"
#include "tools/config/section.hpp"

namespace gravlet {

[[nodiscard]] ProblemSpec read_problem(Section section);
void read_solver(Section section, RunConfig& config);
void read_run(Section section, RunConfig& config);
void read_compare(Section section, CompareConfig& compare);
void read_output(Section section, OutputConfig& output);

}  // namespace gravlet
