// SPDX-License-Identifier: Apache-2.0
// How many OpenMP threads a rank uses, without oversubscribing the machine it shares with other ranks.
#pragma once

#include "mpi/communicator.hpp"

#include <gravlet/options.hpp>

#include <omp.h>

#include <algorithm>
#include <thread>

namespace gravlet {

/// Options::threads, or: the cores this rank is bound to; if it is not bound, its share of the machine's; never more than
/// OMP_NUM_THREADS. One where there is no OpenMP.
inline int available_threads(const Options& options, const Communicator& comm) {
    if (options.threads > 0) return std::min(options.threads, omp_get_thread_limit());
    const int cores = omp_get_num_procs();
    const bool bound = cores < static_cast<int>(std::thread::hardware_concurrency());
    return std::max(1, std::min(bound ? cores : cores / comm.ranks_on_node(), omp_get_max_threads()));
}

}  // namespace gravlet
