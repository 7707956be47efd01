// SPDX-License-Identifier: Apache-2.0
// What one rank knows of a solve, before report.cpp sums it up over the ranks.
#pragma once

#include "mpi/stages.hpp"
#include "solver/data/stage_clock.hpp"
#include "solver/data/walk_types.hpp"

#include <gravlet/report.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace gravlet {

/// One rank's shares of what a Report has summed over the ranks, and f(share, sum) for all of them.
// [generated: sums] scripts/generate, api/schema
struct RankSums {
    std::int64_t targets = 0;
    std::int64_t sources = 0;
    std::int64_t unchanged_ranks = 0;
    std::int64_t moved_ranks = 0;
    std::int64_t predicted_nodes = 0;
    std::int64_t node_interactions = 0;
    std::int64_t cell_interactions = 0;
    std::int64_t far_interactions = 0;
    std::int64_t coincident_pairs = 0;
    std::int64_t bytes_sent = 0;
    std::int64_t nodes_imported = 0;
    std::int64_t cells_imported = 0;
};
template <class Sums, class Rep, class F>
void for_rank_sums(Sums& sums, Rep& report, F f) {
    f(sums.targets, report.targets);
    f(sums.sources, report.sources);
    f(sums.unchanged_ranks, report.unchanged_ranks);
    f(sums.moved_ranks, report.moved_ranks);
    f(sums.predicted_nodes, report.predicted_nodes);
    f(sums.node_interactions, report.node_interactions);
    f(sums.cell_interactions, report.cell_interactions);
    f(sums.far_interactions, report.far_interactions);
    f(sums.coincident_pairs, report.coincident_pairs);
    f(sums.bytes_sent, report.bytes_sent);
    f(sums.nodes_imported, report.nodes_imported);
    f(sums.cells_imported, report.cells_imported);
}
// [/generated]

struct LocalReport : RankSums {
    StageClock clock;
    InteractionCounts counts;  ///< numbers of interactions, in place of those among the shares
    std::size_t peak_bytes = 0;
    std::optional<double> net_force, net_torque;  ///< force and torque of all ranks, as in Report
    double background = 0.0;                      ///< density taken off all cells, as in Report
    double predicted_shift = 0.0;                 ///< this rank's, as in Report
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
