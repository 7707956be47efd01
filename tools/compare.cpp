// SPDX-License-Identifier: Apache-2.0
#include "tools/compare.hpp"

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "solver/cuboid_sum.hpp"
#include "tools/problems/random.hpp"
#include "tools/statistics.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace gravlet {
namespace {

constexpr std::int64_t default_direct_samples = 1000;
constexpr std::int64_t default_cuboid_samples = 100;  // a logarithm or an arctangent for most pairs
constexpr std::uint64_t sample_seed = 1;

using Targets = std::vector<std::size_t>;

// This rank's part of a random sample (with repetition) of all ranks' targets; all of them if `samples` is 0 or not less.
Targets choose_targets(MPI_Comm comm, const Problem& problem, std::int64_t samples) {
    const auto count = static_cast<std::int64_t>(problem.targets());
    std::int64_t end = 0;
    mpi_check(MPI_Scan(&count, &end, 1, MPI_INT64_T, MPI_SUM, comm), "MPI_Scan");
    const std::int64_t total = all_reduce<long>(comm, count, MPI_SUM);
    Targets targets;
    agree(comm, [&] {
        if (samples == 0 || samples >= total) {
            targets.resize(problem.targets());
            std::iota(targets.begin(), targets.end(), std::size_t{0});
            return;
        }
        for (std::int64_t s = 0; s < samples; ++s) {
            const double at = random_unit(sample_seed, static_cast<std::uint64_t>(s), 0) * static_cast<double>(total);
            const std::int64_t index = static_cast<std::int64_t>(at) - (end - count);
            if (index >= 0 && index < count) targets.push_back(static_cast<std::size_t>(index));
        }
    });
    return targets;
}

// What a reference gives at some targets.
struct ReferenceValues {
    std::vector<double> potential;
    std::array<std::vector<double>, 3> acceleration;
    bool has_acceleration = false;
};

ReferenceValues analytic_values(const Problem& problem, const Targets& targets, double G, bool with_acceleration) {
    ReferenceValues values;
    values.has_acceleration = with_acceleration && problem.acceleration;
    for (const std::size_t target : targets) {
        const Position position = problem.target(target);
        values.potential.push_back(G * problem.potential(position));
        if (!values.has_acceleration) continue;
        const Position acceleration = problem.acceleration(position);
        for (std::size_t d = 0; d < 3; ++d) values.acceleration[d].push_back(G * acceleration[d]);
    }
    return values;
}

ReferenceValues cuboid_values(MPI_Comm comm, const Problem& problem, const Targets& targets, double G, int threads) {
    std::array<std::vector<double>, 3> at;
    ReferenceValues values;
    CellArrays cells;
    agree(comm, [&] {
        for (const std::size_t target : targets) {
            const Position position = problem.target(target);
            for (std::size_t d = 0; d < 3; ++d) at[d].push_back(position[d]);
        }
        values.potential.resize(targets.size());
        cells = to_cells(problem.blocks);
    });
    cuboid_sum(comm, {at[0], at[1], at[2]}, cells.view(), values.potential, threads);
    for (double& potential : values.potential) potential *= G;
    return values;
}

ReferenceValues file_values(const Problem& problem, const Targets& targets) {
    ReferenceValues values;
    for (const std::size_t target : targets) values.potential.push_back(problem.stored_potential[target]);
    return values;
}

// The direct sum at every target: theta 0.
ReferenceValues direct_values(MPI_Comm comm, const Problem& problem, const Options& given, bool with_acceleration) {
    Options options;
    std::optional<Solution> exact;
    agree(comm, [&] {
        options = given;
        options.theta = 0.0;
        exact.emplace(problem, with_acceleration);
    });
    Solver solver(comm, options);
    solve(solver, problem, *exact);
    return {std::move(exact->potential), std::move(exact->acceleration), with_acceleration};
}

// What each target's difference is divided by, made of |reference| there.
std::vector<double> error_scales(MPI_Comm comm, std::vector<double> references, bool to_rms) {
    if (to_rms) std::fill(references.begin(), references.end(), root_mean_square(comm, references));
    return references;
}

double quotient(double difference, double scale) { return difference == 0.0 ? 0.0 : difference / scale; }

Comparison against(MPI_Comm comm, const ReferenceValues& reference, const Targets& targets, const Problem& problem,
                   const Solution& solution, bool all, bool to_rms) {
    std::vector<double> scales, errors, sorted;
    agree(comm, [&] {
        for (auto* array : {&scales, &errors, &sorted}) array->resize(targets.size());
    });
    for (std::size_t i = 0; i < targets.size(); ++i) scales[i] = std::abs(reference.potential[i]);
    scales = error_scales(comm, std::move(scales), to_rms);
    for (std::size_t i = 0; i < targets.size(); ++i)
        errors[i] = quotient(std::abs(solution.potential[targets[i]] - reference.potential[i]), scales[i]);
    Comparison comparison;
    std::copy(errors.begin(), errors.end(), sorted.begin());
    comparison.potential = summarize(comm, std::move(sorted));
    if (all && targets.size() == problem.targets()) comparison.error = std::move(errors);
    if (!reference.has_acceleration) return comparison;

    const auto& exact = reference.acceleration;
    for (std::size_t i = 0; i < targets.size(); ++i) scales[i] = std::hypot(exact[0][i], exact[1][i], exact[2][i]);
    scales = error_scales(comm, std::move(scales), to_rms);
    std::vector<double> vector_errors;
    agree(comm, [&] { vector_errors.resize(targets.size()); });
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto difference = [&](std::size_t d) { return solution.acceleration[d][targets[i]] - exact[d][i]; };
        vector_errors[i] = quotient(std::hypot(difference(0), difference(1), difference(2)), scales[i]);
    }
    comparison.acceleration = summarize(comm, std::move(vector_errors));
    return comparison;
}

// The solver's own sampling, in a solve apart from the timed ones.
Comparison against_direct_sample(MPI_Comm comm, const RunConfig& config, const Problem& problem, Solution& solution,
                                 std::int64_t samples) {
    Options options;
    agree(comm, [&] { options = config.solver; });
    options.error_samples = samples;
    Solver solver(comm, options);
    solve(solver, problem, solution);
    const Report& report = solver.report();
    return {report.potential_error.value_or(ErrorStatistics{}), report.acceleration_error, {}};
}

std::int64_t default_samples(Reference reference) {
    switch (reference) {
        case Reference::direct: return default_direct_samples;
        case Reference::cuboid: return default_cuboid_samples;
        default: return 0;
    }
}

}  // namespace

Solution::Solution(const Problem& problem, bool with_acceleration)
    : potential(problem.targets()), has_acceleration(with_acceleration) {
    if (with_acceleration)
        for (auto& component : acceleration) component.resize(problem.targets());
    if (problem.has_blocks) views = block_views(problem.blocks, potential, acceleration_spans());
}

std::array<std::span<double>, 3> Solution::acceleration_spans() { return {acceleration[0], acceleration[1], acceleration[2]}; }

void solve(Solver& solver, const Problem& problem, Solution& solution) {
    if (problem.has_blocks)
        solver.solve(solution.views);
    else
        solver.solve(problem.points.view(), {solution.potential, solution.acceleration_spans()});
}

void require_reference(Reference reference, const Problem& problem, const std::array<Boundary, 3>& boundary) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::invalid_option,
                    "compare.reference is " + to_string(reference) + ": problem.kind " + problem.kind + " " + why);
    };
    if (reference == Reference::analytic && !problem.potential) refuse("has no closed form here; use direct");
    if (reference == Reference::analytic && boundary != problem.boundary)
        refuse("has a closed form for solver.boundary " + to_string(problem.boundary) + ", not " + to_string(boundary) +
               "; use direct");
    if (reference == Reference::cuboid && !problem.has_blocks) refuse("has no cells");
    if (reference == Reference::cuboid && boundary != std::array<Boundary, 3>{})
        refuse("is solved with solver.boundary " + to_string(boundary) + ", the cuboid sum is for isolated; use direct");
}

Comparison compare(MPI_Comm comm, const RunConfig& config, const Problem& problem, Solution& solution, int threads) {
    const Reference reference = config.compare.reference;
    const std::int64_t samples = config.compare.samples.value_or(default_samples(reference));
    const std::int64_t total = all_reduce<long>(comm, static_cast<long>(problem.targets()), MPI_SUM);
    const bool all = samples == 0 || samples >= total;
    if (reference == Reference::direct && !all) return against_direct_sample(comm, config, problem, solution, samples);

    const Targets targets = choose_targets(comm, problem, samples);
    ReferenceValues values;
    switch (reference) {
        case Reference::analytic:
            agree(comm, [&] { values = analytic_values(problem, targets, config.solver.G, solution.has_acceleration); });
            break;
        case Reference::cuboid: values = cuboid_values(comm, problem, targets, config.solver.G, threads); break;
        case Reference::direct: values = direct_values(comm, problem, config.solver, solution.has_acceleration); break;
        case Reference::file: agree(comm, [&] { values = file_values(problem, targets); }); break;
        case Reference::none: return {};
    }
    return against(comm, values, targets, problem, solution, all, is_periodic(config.solver));
}

}  // namespace gravlet
