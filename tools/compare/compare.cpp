// SPDX-License-Identifier: Apache-2.0
#include "tools/compare/compare.hpp"

#include "mpi/stages.hpp"
#include "solver/errors/error_sample.hpp"
#include "solver/errors/error_statistics.hpp"
#include "tools/compare/hunt.hpp"
#include "tools/compare/reference.hpp"
#include "tools/problems/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace gravlet {
namespace {

constexpr std::uint64_t sample_seed = 1;

Targets all_targets(const Problem& problem) {
    Targets targets(problem.targets());
    std::iota(targets.begin(), targets.end(), std::size_t{0});
    return targets;
}

// This rank's part of a random sample (with repetition) of all ranks' targets, of which `before` are those of lower ranks.
Targets random_targets(const Problem& problem, std::int64_t before, std::int64_t total, std::int64_t samples) {
    const auto count = static_cast<std::int64_t>(problem.targets());
    Targets targets;
    for (std::int64_t s = 0; s < samples; ++s) {
        const double at = random_unit(sample_seed, static_cast<std::uint64_t>(s), 0) * static_cast<double>(total);
        const std::int64_t index = static_cast<std::int64_t>(at) - before;
        if (index >= 0 && index < count) targets.push_back(static_cast<std::size_t>(index));
    }
    return targets;
}

std::vector<double> shares_of(std::int64_t targets) {
    std::vector<double> shares;
    for (int k = 0;; ++k) {
        const double share = 0.5 * std::pow(10.0, -k / 8.0);
        if (!(share * static_cast<double>(targets) >= 1.0)) break;
        shares.push_back(share);
    }
    if (targets > 0) shares.push_back(0.0);
    return shares;
}

}  // namespace

Comparison compare(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution, int threads,
                   std::shared_ptr<Listener> listener) {
    if (config.compare.reference == Reference::none) return {};
    Stages stages(comm);
    Comparison comparison;
    const long mine = static_cast<long>(problem.targets());
    long before = 0, total = 0;
    stages.collective([&](const Agreed& ranks) {
        before = ranks.sum_before(mine);
        total = ranks.all_reduce(mine, MPI_SUM);
    });
    const std::int64_t samples = sample_size(config.compare);
    comparison.all = samples == 0 || samples >= total;
    Targets targets, hunted;
    stages.local([&] { targets = comparison.all ? all_targets(problem) : random_targets(problem, before, total, samples); });
    const std::size_t sampled = targets.size();
    stages.agree();
    if (config.compare.hunt > 0 && !comparison.all) hunted = hunt(comm, config.solver, problem, solution, config.compare.hunt);
    stages.local([&] { targets.insert(targets.end(), hunted.begin(), hunted.end()); });
    stages.agree();

    const ReferenceValues exact =
        reference_values(comm, config, problem, targets, solution.derivatives, threads, std::move(listener));
    const std::span<const Result> references = exact.results;
    ErrorScale scale;
    stages.collective([&](const Agreed& ranks) {
        scale = error_scale(ranks, config.solver, references.first(sampled));
        comparison.hunted = ranks.all_reduce(static_cast<long>(hunted.size()), MPI_SUM);
    });
    std::array<ErrorList, field_names.size()> errors;
    stages.local([&] {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto add = [&](ErrorList& list, double error) {
                const Array3 position = problem.target(targets[i]);
                i < sampled ? list.add(error, position) : list.add_hunted(error, position);
            };
            const Result result = solution.at(targets[i]);
            for (int d = 0; d <= exact.derivatives; ++d) {
                const double error = field_error(d, result, references[i], scale);
                add(errors[static_cast<std::size_t>(d)], error);
                if (d == 0 && comparison.all) comparison.error.push_back(error);
            }
        }
    });
    stages.local([&] { comparison.curve.share = shares_of(comparison.all ? total : samples); });
    for (std::size_t d = 0; d <= static_cast<std::size_t>(exact.derivatives); ++d) {
        comparison.mean[d] = mean(stages, errors[d]);
        comparison.curve.error[d] = exceeded_by(stages, errors[d], comparison.curve.share);
    }
    comparison.potential = statistics(stages, std::move(errors[0]));
    if (exact.derivatives > 0) comparison.acceleration = statistics(stages, std::move(errors[1]));
    if (exact.derivatives > 1) comparison.tidal = statistics(stages, std::move(errors[2]));
    stages.agree();
    stages.finish();
    return comparison;
}

}  // namespace gravlet
