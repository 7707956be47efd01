// SPDX-License-Identifier: Apache-2.0
// Which GPU a rank has, chosen as the library does: its place among the machine's ranks, modulo the machine's GPUs.
#pragma once

#include <mpi.h>

#include <string>

namespace gravlet::bench {

struct Device {
    int visible = 0;   ///< GPUs of this machine; 0: none, and all else is empty
    int used = 0;      ///< GPUs of all machines that some rank has
    std::string name;  ///< name of this rank's GPU
    int machines = 1;  ///< machines that the ranks are on
};

/// Collective. `use`: makes this rank's GPU the current one. That takes some of its memory, which a rank whose library works
/// through another rank's GPU would not take.
[[nodiscard]] Device choose_device(MPI_Comm comm, bool use);

}  // namespace gravlet::bench
