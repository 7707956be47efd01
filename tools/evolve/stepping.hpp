// SPDX-License-Identifier: Apache-2.0
// One largest step of all points, from kicks, drifts and solves: the integrator.
#pragma once

#include "tools/evolve/motion.hpp"
#include "tools/evolve/sub_step.hpp"

#include <gravlet/solver.hpp>

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

class Stepping {
public:
    /// Collective. Throws what Solver's constructor throws.
    Stepping(MPI_Comm comm, const Options& options, const StepRule& rule);

    /// Collective. Begins with these points: sorts them and solves.
    void take(const Snapshot& points);
    /// Collective. Ranks share the points anew by the work that they were in the last step; each sorts its own.
    void arrange();
    /// Collective. arrange() with a solver that knows nothing yet: what follows depends on the points of each rank alone.
    void renew();
    /// Collective. Moves all points through largest step number `step` from time 0: from a time that all velocities are of to the
    /// next. What its sub-steps cost, the same on all ranks.
    std::vector<SubStep> largest_step(std::int64_t step);
    /// This rank's points.
    [[nodiscard]] Motion& motion() { return *motion_; }

    struct Counts {
        std::int64_t solves = 0, active = 0;
        std::int64_t kept = 0;  ///< solves in which all ranks kept their trees
        double pairs = 0.0;
        int deepest_level = 0;
        std::vector<StageTime> stages;  ///< the solver's, all solves together
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }  ///< counts of all ranks, since this was made or count_anew()
    void count_anew() { counts_ = {}; }
    [[nodiscard]] const std::string& backend() const { return backend_; }

private:
    void sort_and_solve();
    void solve();
    void count(const Report& report);

    MPI_Comm comm_;
    Options options_;
    StepRule rule_;
    Wrap wrap_;
    std::optional<Solver> solver_;
    std::unique_ptr<Motion> motion_;
    std::string backend_;
    Counts counts_;
};

}  // namespace gravlet
