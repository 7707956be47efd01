// SPDX-License-Identifier: Apache-2.0
#include "solver/errors/error_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace gravlet {
namespace {

double relative(double difference, double reference) { return difference == 0.0 ? 0.0 : difference / reference; }

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
    if (!is_periodic(options)) return {};
    double sums[3] = {static_cast<double>(references.size()), 0.0, 0.0};
    for (const Result& r : references) {
        sums[1] += r.potential * r.potential;
        sums[2] +=
            r.acceleration.x * r.acceleration.x + r.acceleration.y * r.acceleration.y + r.acceleration.z * r.acceleration.z;
    }
    all.all_reduce(sums, 3, MPI_SUM);
    return {std::sqrt(sums[1] / std::max(1.0, sums[0])), std::sqrt(sums[2] / std::max(1.0, sums[0]))};
}

double potential_error(const Result& result, const Result& reference, const ErrorScale& scale) {
    return relative(std::abs(result.potential - reference.potential),
                    scale.potential > 0.0 ? scale.potential : std::abs(reference.potential));
}

double acceleration_error(const Result& result, const Result& reference, const ErrorScale& scale) {
    const Vector3 &a = result.acceleration, &b = reference.acceleration;
    return relative(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z),
                    scale.acceleration > 0.0 ? scale.acceleration : std::hypot(b.x, b.y, b.z));
}

}  // namespace gravlet
