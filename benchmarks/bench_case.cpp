// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bench_case.hpp"

#include "mpi/agreement.hpp"
#include "solver/errors/error_sample.hpp"
#include "solver/errors/error_statistics.hpp"
#include "tools/median.hpp"

#include <gravlet/solver.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace gravlet::bench {
namespace {

double sum_of_stages(const Report& report, std::initializer_list<std::string_view> names) {
    double sum = 0.0;
    for (const StageTime& stage : report.stages)
        if (std::find(names.begin(), names.end(), stage.name) != names.end()) sum += stage.max;
    return sum;
}

void time_solves(MPI_Comm comm, const Settings& settings, const Workload& work, CaseResult& result) {
    Solver solver(comm, result.options);
    result.options = solver.options();
    std::vector<Report> reports;
    for (int i = 0; i < settings.warmup + settings.repeat; ++i) {
        communicate(comm, [](const Agreed& all) { all.check(MPI_Barrier(all.get()), "MPI_Barrier"); });
        if (settings.only_changed) solver.only_changed();
        work.solve(solver);
        if (i >= settings.warmup) reports.push_back(solver.report());
    }
    result.report = reports.back();
    for (const Report& report : reports) result.seconds.push_back(report.seconds);
    result.median_seconds = median(result.seconds);
    result.build_seconds = median_of(reports, [](const Report& report) {
        return sum_of_stages(report, {"stage_in", "sort", "build", "moments"});
    });
    result.walk_seconds = median_of(reports, [](const Report& report) { return sum_of_stages(report, {"walk_early", "walk"}); });
    result.stages = median_stages(reports);
    result.options = as_taken(result.options, result.report);
}

// In a solver of its own: sampling would disturb the timed ones.
void sample_errors(MPI_Comm comm, const Settings& settings, const Workload& work, CaseResult& result) {
    Options options = result.options;
    options.error_samples = settings.samples;
    Solver solver(comm, options);
    work.solve(solver);
    result.potential_error = solver.report().potential_error;
    result.acceleration_error = solver.report().acceleration_error;
    result.tidal_error = solver.report().tidal_error;
}

ErrorStatistics compare_with_analytic(MPI_Comm comm, const Workload& work) {
    Stages stages(comm);
    ErrorList errors;
    stages.local([&] {
        const std::vector<double> potential = work.potential.to_host();
        for (std::size_t i = 0; i < potential.size(); ++i) {
            const auto& [position, exact] = work.analytic[i];
            errors.add(field_error(0, {{potential[i]}}, {{exact}}, {}), position);
        }
    });
    const ErrorStatistics out = statistics(stages, std::move(errors));
    stages.agree();
    return out;
}

}  // namespace

double CaseResult::per_target(double count) const {
    return report.targets == 0 ? 0.0 : count / static_cast<double>(report.targets);
}

double CaseResult::walk_rate() const {
    const double pairs = static_cast<double>(report.node_interactions) + static_cast<double>(report.cell_interactions);
    return walk_seconds > 0.0 ? pairs / walk_seconds : 0.0;
}

CaseResult run_case(MPI_Comm comm, const Settings& settings, const Workload& work, const Options& options) {
    CaseResult result;
    result.problem = work.name;
    result.layout = work.layout();
    result.options = options;
    result.acceleration = settings.acceleration;
    result.tidal = settings.tidal;
    try {
        time_solves(comm, settings, work, result);
        if (settings.analytic) result.analytic_error = compare_with_analytic(comm, work);
        if (settings.samples > 0) sample_errors(comm, settings, work, result);
    } catch (const Error& error) {
        result.failure = error.what();
    }
    result.options = resolved(result.options, settings.acceleration);  // not before: what is automatic may mean no tree
    return result;
}

CeilingShare share_of(const Ceiling& ceiling, int devices, const CaseResult& result) {
    const auto order = static_cast<std::size_t>(result.options.order);
    const auto seconds = [](std::int64_t count, double rate) { return static_cast<double>(count) / rate; };
    const double near = seconds(result.report.node_interactions, ceiling.node.at(order)[result.acceleration ? 1 : 0]) +
                        seconds(result.report.cell_interactions, ceiling.cell(result.acceleration));
    const double far = seconds(result.report.far_interactions, ceiling.far.at(order));
    const double available = devices * result.walk_seconds;
    if (available <= 0.0) return {};
    return {(near + far) / available, near / available};
}

}  // namespace gravlet::bench
