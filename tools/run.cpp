// SPDX-License-Identifier: Apache-2.0
#include "tools/run.hpp"

#include "mpi/agreement.hpp"
#include "tools/compare/reference.hpp"
#include "tools/config/alike.hpp"
#include "tools/median.hpp"
#include "tools/output.hpp"
#include "tools/present/last_words.hpp"
#include "tools/present/progress_line.hpp"
#include "tools/present/stop_signal.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <optional>

namespace gravlet {
namespace {

// Domain and boundaries are the problem's unless the YAML gives others.
Options solver_options(const RunConfig& config, const Problem& problem) {
    Options options = config.solver;
    options.domain = problem.domain;
    options.boundary = config.boundary.value_or(problem.boundary);
    if (options.boundary != std::array<Boundary, 3>{} && !options.domain)
        throw Error(ErrorCode::invalid_option, fmt::format("solver.boundary is {}: problem.kind {} needs problem.domain, the box "
                                                           "that repeats or has the planes of symmetry",
                                                           to_string(options.boundary), problem.kind));
    return options;
}

std::vector<Report> timed_solves(MPI_Comm comm, const RunConfig& config, const Problem& problem, Solution& solution,
                                 ProgressLine& progress) {
    Solver solver(comm, config.solver, progress.listener());
    std::vector<Report> reports;
    for (int i = 0; i < config.warmup + config.repeat && stop_signal(comm) == 0; ++i) {
        progress.say("solve {} of {}", i + 1, config.warmup + config.repeat);
        solve(solver, problem, solution);
        agree(comm, [&] {
            if (i >= config.warmup) reports.push_back(solver.report());
        });
    }
    return reports;
}

RunResult summary_of(const RunConfig& config, const Problem& problem, const std::vector<Report>& reports) {
    RunResult result;
    result.made_by = config.made_by;
    result.problem = problem.kind;
    result.input = problem.origin;
    result.options = resolved(config.solver, config.derivatives() > 0);
    result.reference = config.compare.reference;
    result.timed = static_cast<int>(reports.size());
    result.asked = config.repeat;
    if (reports.empty()) return result;
    result.report = reports.back();
    result.median_seconds = median_of(reports, [](const Report& report) { return report.seconds; });
    result.stages = median_stages(reports);
    return result;
}

Problem read_or_make(MPI_Comm comm, const ProblemSpec& spec) {
    const LastWords words("problem.path", file_of(spec));
    return make_problem(comm, spec);
}

}  // namespace

RunResult run(MPI_Comm comm, const RunConfig& config, const std::function<void(const RunResult&)>& tell) {
    ProgressLine progress(comm);
    progress.say("making the problem");
    const Problem problem = read_or_make(comm, config.problem);
    RunConfig chosen;
    std::optional<Solution> solution;
    alike(comm, [&] {
        chosen = config;
        chosen.solver = solver_options(config, problem);
        require_reference(config.compare.reference, problem, chosen.solver.boundary);
        solution.emplace(problem, config.derivatives());
    });
    check_room(comm, config, problem);
    const std::vector<Report> reports = timed_solves(comm, chosen, problem, *solution, progress);

    RunResult result;
    agree(comm, [&] {
        if (!reports.empty()) chosen.solver = as_taken(chosen.solver, reports.back());
        result = summary_of(chosen, problem, reports);
    });
    result.stopped_by = stop_signal(comm);
    if (result.stopped_by == 0 && config.compare.reference != Reference::none) {
        progress.say("comparing with the reference");
        result.comparison = compare(comm, chosen, problem, *solution, result.report.threads, progress.listener());
    }
    progress.clear();
    Attempts attempts(comm);
    if (tell) attempts.make([&] { tell(result); });
    if (result.timed > 0) {
        progress.say("writing");
        const LastWords words("problem.path", file_of(config.problem));  // whose geometry goes to outputs
        write_outputs(comm, chosen, problem, *solution, result.comparison, attempts);
    }
    attempts.finish();
    return result;
}

}  // namespace gravlet
