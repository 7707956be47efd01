// SPDX-License-Identifier: Apache-2.0
#include "tools/compare/hunt.hpp"

#include "mpi/agreement.hpp"
#include "solver/errors/error_sample.hpp"
#include "solver/errors/error_statistics.hpp"
#include "tools/config/config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gravlet {
namespace {

// Adds this rank's among the `count` largest values of all ranks; of equal ones those of lower ranks.
void add_largest(Stages& stages, const std::vector<double>& values, std::int64_t count, Targets& targets) {
    std::vector<double> sorted;
    stages.local([&] {
        sorted = values;
        std::ranges::sort(sorted);
    });
    double least = 0.0;
    long equal = 0, equal_before = 0, room = 0;
    stages.collective([&](const Agreed& all) {
        const long total = all.all_reduce(static_cast<long>(sorted.size()), MPI_SUM);
        least = order_statistic(all, sorted, total - count + 1);
        const auto [first, end] = std::equal_range(sorted.begin(), sorted.end(), least);
        equal = static_cast<long>(end - first);
        equal_before = all.sum_before(equal);
        room = count - all.all_reduce(static_cast<long>(sorted.end() - end), MPI_SUM);
    });
    stages.local([&] {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i] > least || (values[i] == least && equal_before++ < room)) targets.push_back(i);
    });
}

}  // namespace

Targets hunt(MPI_Comm comm, const Options& options, const Problem& problem, const Solution& solution, std::int64_t count) {
    Options tight;
    std::optional<Solution> second;
    agree(comm, [&] {
        tight = tighter(resolved(options, solution.derivatives > 0));
        second.emplace(problem, solution.derivatives);
    });
    Solver solver(comm, tight);
    solve(solver, problem, *second);

    Stages stages(comm);
    std::vector<Result> results;
    stages.local([&] {
        for (std::size_t i = 0; i < problem.targets(); ++i) results.push_back(second->at(i));
    });
    ErrorScale scale;
    stages.collective([&](const Agreed& all) { scale = error_scale(all, options, results); });
    Targets targets;
    for (int d = 0; d <= solution.derivatives; ++d) {
        std::vector<double> differences;
        stages.local([&] {
            for (std::size_t i = 0; i < results.size(); ++i) {
                const double difference = field_error(d, solution.at(i), results[i], scale);
                differences.push_back(std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
            }
        });
        add_largest(stages, differences, count, targets);
    }
    stages.local([&] {
        std::ranges::sort(targets);
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    });
    stages.agree();
    stages.finish();
    return targets;
}

}  // namespace gravlet
