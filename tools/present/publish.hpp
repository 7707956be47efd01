// SPDX-License-Identifier: Apache-2.0
// Where the command's results go: a table on standard output, JSON in a file.
#pragma once

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <mpi.h>

#include <string>
#include <string_view>

namespace gravlet {

/// Local. Writes the text to standard output; throws Error(file) if that takes no more.
void say(std::string_view text);

/// Local. The table is printed first, and the file is written even if there is no room for the table: nothing that one of them
/// can tell is lost. No path: no file. Throws Error(file).
void publish(const std::string& table, const std::string& json, const std::string& json_path);

/// Collective. Rank 0 publishes to_table(result) and to_json(result). Throws Error(file) on every rank.
template <class Result>
void publish(MPI_Comm comm, const Result& result, const std::string& json_path) {
    agree(comm, [&] {
        if (rank_in(comm) == 0) publish(to_table(result), json_path.empty() ? std::string() : to_json(result), json_path);
    });
}

}  // namespace gravlet
