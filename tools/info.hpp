// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

namespace gravlet {

/// Collective. What `gravlet info` prints: version, backends, devices, MPI.
[[nodiscard]] std::string info(MPI_Comm comm);

/// Local. What is to be known of every option, for people.
[[nodiscard]] std::string options_text();

}  // namespace gravlet
