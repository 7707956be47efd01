// SPDX-License-Identifier: Apache-2.0
// What one rank knows of a solve, before report.cpp sums it up over the ranks.
#pragma once

#include "solver/stage_clock.hpp"
#include "solver/walk_types.hpp"

#include <gravlet/report.hpp>

#include <mpi.h>

namespace gravlet {

struct LocalReport {
    StageClock clock;
    InteractionCounts counts;
    std::size_t targets = 0, sources = 0;
    bool unchanged = false;  ///< no sort, no build
    std::size_t bytes_sent = 0, nodes_imported = 0, cells_imported = 0;
    std::size_t peak_bytes = 0;
};

/// Collective. The same on every rank; threads, backend and errors are left to the caller.
Report reduce_report(MPI_Comm comm, const LocalReport& local);

}  // namespace gravlet
