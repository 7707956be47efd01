// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/stepping.hpp"

#include "api/threads.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/evolve/balance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gravlet {
namespace {

Wrap wrap_of(const Options& options) {
    Wrap wrap;
    for (std::size_t d = 0; d < 3 && options.domain; ++d) {
        const double lower = options.domain->lower[d], upper = options.domain->upper[d];
        if (options.boundary[d] == Boundary::periodic) wrap.lower[d] = lower, wrap.side[d] = upper - lower;
        if (options.boundary[d] == Boundary::mirror_lower) wrap.plane[d] = lower, wrap.inward[d] = 1.0;
        if (options.boundary[d] == Boundary::mirror_upper) wrap.plane[d] = upper, wrap.inward[d] = -1.0;
    }
    return wrap;
}

double pairs_of(const Report& report) {
    return static_cast<double>(report.node_interactions) + static_cast<double>(report.cell_interactions);
}

SubStep sub_step(double time, int level, const Report& report) {
    double walk = 0.0;
    for (const StageTime& stage : report.stages)
        if (stage.name == "walk_early" || stage.name == "walk") walk += stage.max;
    return {time, level, report.targets, report.seconds, walk, pairs_of(report), report.moved_ranks == report.ranks};
}

}  // namespace

Stepping::Stepping(MPI_Comm comm, const Options& options, const StepRule& rule)
    : comm_(comm), rule_(rule), wrap_(wrap_of(options)) {
    agree(comm, [&] { options_ = options; });
    solver_.emplace(comm, options);
    solver_->solve(Points{}, Fields{});  // to see where
    backend_ = solver_->report().backend;
    const Communicator ranks(comm);
    const int device = ranks.rank_on_node();
    const int alone = all_reduce(comm, device < devices_here() ? 1 : 0, MPI_MIN);  // with a device of its own
    agree(comm, [&] {
        const bool tidal = rule.kind == StepKind::tidal, there = alone == 1 && backend_.starts_with("gpu");
        motion_ = there ? make_device_motion(device, tidal, options.softening)
                        : make_host_motion(available_threads(options, ranks), tidal, options.softening);
    });
}

void Stepping::arrange() {
    if (size_of(comm_) > 1) {
        Snapshot mine;
        std::vector<double> work;
        agree(comm_, [&] {
            motion_->get(mine);
            motion_->work(work);
        });
        share_by_work(comm_, mine, work);
        agree(comm_, [&] { motion_->set(mine); });
    }
    sort_and_solve();
}

void Stepping::renew() {
    solver_.reset();
    solver_.emplace(comm_, options_);
    arrange();
}

void Stepping::take(const Snapshot& points) {
    agree(comm_, [&] { motion_->set(points); });
    sort_and_solve();
}

void Stepping::sort_and_solve() {
    agree(comm_, [&] {
        motion_->sort();
        motion_->activate(0);
    });
    solve();
}

void Stepping::solve() {
    solver_->solve(motion_->points(), motion_->fields());
    agree(comm_, [&] { count(solver_->report()); });
}

void Stepping::count(const Report& report) {
    ++counts_.solves;
    counts_.kept += report.moved_ranks == report.ranks ? 1 : 0;
    counts_.active += report.targets;
    counts_.pairs += pairs_of(report);
    for (const StageTime& stage : report.stages) {
        const auto at = std::ranges::find(counts_.stages, stage.name, &StageTime::name);
        StageTime& sum = at != counts_.stages.end() ? *at : counts_.stages.emplace_back(StageTime{stage.name});
        sum.mean += stage.mean, sum.max += stage.max;
    }
}

std::vector<SubStep> Stepping::largest_step(std::int64_t step) {
    std::vector<SubStep> sub_steps;
    int deepest = 0;
    const auto find_deepest = [&] { deepest = motion_->deepest_level(); };
    agree(comm_, [&] {
        motion_->activate(0);
        motion_->choose_levels(rule_, 0);
        motion_->kick(rule_.largest);
        find_deepest();
    });
    for (BlockClock clock(rule_.levels); !clock.at_end();) {
        deepest = all_reduce(comm_, deepest, MPI_MAX);
        counts_.deepest_level = std::max(counts_.deepest_level, deepest);
        clock.advance(deepest);
        agree(comm_, [&] {
            const double time = std::ldexp(rule_.largest, -deepest);
            motion_->drift(time, wrap_);
            motion_->activate(clock.least_level());
            if (!wrap_.mirrors()) solver_->drifted(motion_->velocities(), time);
        });
        solve();
        agree(comm_, [&] {
            const double time = (static_cast<double>(step) + clock.passed()) * rule_.largest;
            sub_steps.push_back(sub_step(time, clock.least_level(), solver_->report()));
            motion_->kick(rule_.largest);
            if (clock.at_end()) return;
            motion_->choose_levels(rule_, clock.least_level());
            motion_->kick(rule_.largest);
            find_deepest();
        });
    }
    return sub_steps;
}

}  // namespace gravlet
