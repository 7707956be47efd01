// SPDX-License-Identifier: Apache-2.0
// One row of the table: a workload solved with one set of options.
#pragma once

#include "benchmarks/gpu_ceiling.hpp"
#include "benchmarks/workload/bench_settings.hpp"
#include "benchmarks/workload/bench_workload.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

namespace gravlet::bench {

/// The arithmetic of a walk as a share of what the GPUs could do in the same time.
struct CeilingShare {
    double all = 0.0;
    double without_far = 0.0;  ///< far nodes' arithmetic taken as free
};

struct CaseResult {
    std::string problem, layout;
    Options options;
    bool acceleration = false;
    bool tidal = false;
    double active = 1.0;  ///< share of the bodies, or blocks, that were solved for
    std::string failure;  ///< what the solver threw, and all below is void; empty: nothing

    Report report;                ///< the last timed solve's
    std::vector<double> seconds;  ///< time of each timed solve
    // Medians over the timed solves.
    double median_seconds = 0.0;
    double build_seconds = 0.0;  ///< stage_in, sort, build and moments
    double walk_seconds = 0.0;   ///< walk_early and walk
    std::vector<StageTime> stages;

    std::optional<ErrorStatistics> potential_error, acceleration_error, tidal_error;  ///< against the direct sum, sampled
    std::optional<ErrorStatistics> analytic_error;                                    ///< the potential's, at all targets
    std::optional<CeilingShare> ceiling;

    [[nodiscard]] double per_target(double count) const;
    /// Target-node and target-cell pairs a second of walking.
    [[nodiscard]] double walk_rate() const;
};

/// Collective. Never throws Error: see CaseResult::failure.
[[nodiscard]] CaseResult run_case(MPI_Comm comm, const Settings& settings, const Workload& work, const Options& options);

/// `devices`: GPUs that worked on the case together.
[[nodiscard]] CeilingShare share_of(const Ceiling& ceiling, int devices, const CaseResult& result);

}  // namespace gravlet::bench
