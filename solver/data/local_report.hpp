// SPDX-License-Identifier: Apache-2.0
// What one rank knows of a solve, before report.cpp sums it up over the ranks.
#pragma once

#include "mpi/stages.hpp"
#include "solver/data/stage_clock.hpp"
#include "solver/data/walk_types.hpp"

#include <gravlet/report.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace gravlet {

struct LocalReport {
    StageClock clock;
    InteractionCounts counts;
    std::size_t targets = 0, sources = 0;
    bool unchanged = false;  ///< no sort and no build
    bool followed = false;   ///< no sort and no build, though points have moved
    std::size_t bytes_sent = 0, nodes_imported = 0, cells_imported = 0;
    std::size_t peak_bytes = 0;
    std::optional<double> net_force, net_torque;  ///< force and torque of all ranks, as in Report
    double background = 0.0;                      ///< density taken off all cells, as in Report
    double time_step = INFINITY;                  ///< this rank's, as in Report

    /// Numbers are of the last walk of a solve, seconds of all.
    void forget_walk() {
        counts = {};
        bytes_sent = nodes_imported = cells_imported = 0;
    }
};

/// What a host is told of a tolerance that was not kept.
[[nodiscard]] std::string warning_of(const ToleranceReport& tolerance);

/// Local. Room for all that complete_report() will write: nothing may fail once results have been. `last_stage`: what is yet to
/// be timed.
void prepare_report(const LocalReport& local, const char* last_stage, Report& report);

/// Makes the report of all ranks' local ones, the same on every rank; threads, backend and errors are left to the caller.
void complete_report(const Agreed& all, const LocalReport& local, Report& report);

}  // namespace gravlet
