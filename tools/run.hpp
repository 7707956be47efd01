// SPDX-License-Identifier: Apache-2.0
// `gravlet run`: make the problem, solve it some times, compare, write.
#pragma once

#include "tools/config/config.hpp"
#include "tools/result.hpp"

#include <mpi.h>

#include <string>
#include <string_view>

namespace gravlet {

/// Collective. Throws Error, the same on every rank.
[[nodiscard]] RunResult run(MPI_Comm comm, const RunConfig& config);

/// Local. To standard output; throws Error(file) if it takes no more.
void say(std::string_view text);

/// Collective. Prints the table on rank 0's standard output and writes the JSON file unless its name is empty. Throws Error(file)
/// on every rank.
void publish(MPI_Comm comm, const RunResult& result, const std::string& json_path);

}  // namespace gravlet
