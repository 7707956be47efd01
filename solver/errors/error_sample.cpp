// SPDX-License-Identifier: Apache-2.0
#include "solver/errors/error_sample.hpp"

#include "ewald/domain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace gravlet {
namespace {

/// Norm of the difference of two fields; squared only where it must be, so that no unit is too small.
double distance(int derivatives, const Result& a, const Result& b) {
    double norm = 0.0;
    for (std::size_t k = first_component(derivatives); k < component_count(derivatives); ++k)
        norm = std::hypot(norm, std::sqrt(result_components[k].times) * (a.component[k] - b.component[k]));
    return norm;
}

}  // namespace

std::vector<std::size_t> sample_targets(Stages& stages, std::size_t count, std::int64_t samples, std::uint64_t seed) {
    const long mine = static_cast<long>(count);
    long first = 0, all = 0;
    stages.collective([&](const Agreed& ranks) {
        first = ranks.sum_before(mine);
        all = ranks.all_reduce(mine, MPI_SUM);
    });
    std::vector<std::size_t> targets;
    stages.local([&] {
        if (all <= samples) {
            targets.resize(count);
            std::iota(targets.begin(), targets.end(), std::size_t{0});
            return;
        }
        std::mt19937_64 random(seed);
        std::uniform_int_distribution<long> any(0, all - 1);
        for (std::int64_t k = 0; k < samples; ++k) {
            const long target = any(random) - first;
            if (target >= 0 && target < mine) targets.push_back(static_cast<std::size_t>(target));
        }
    });
    return targets;
}

ErrorScale error_scale(const Agreed& all, const Options& options, std::span<const Result> references) {
    if (!Domain(options).measures_by_rms()) return {};
    double sums[1 + field_names.size()] = {static_cast<double>(references.size())};
    for (const Result& r : references)
        for (int d = 0; d <= max_derivatives; ++d) sums[1 + d] += std::pow(distance(d, r, {}), 2);
    all.all_reduce(sums, static_cast<int>(std::size(sums)), MPI_SUM);
    ErrorScale scale;
    for (std::size_t d = 0; d < field_names.size(); ++d) scale.of[d] = std::sqrt(sums[1 + d] / std::max(1.0, sums[0]));
    return scale;
}

double field_error(int derivatives, const Result& result, const Result& reference, const ErrorScale& scale) {
    const double difference = distance(derivatives, result, reference), rms = scale.of[static_cast<std::size_t>(derivatives)];
    return difference == 0.0 ? 0.0 : difference / (rms > 0.0 ? rms : distance(derivatives, reference, {}));
}

}  // namespace gravlet
