// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solve.hpp"

#include "solver/data/validate_input.hpp"
#include "solver/direct/direct.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gravlet {
namespace {

/// Bodies with mass, in the caller's units. Ids start at `first_id`.
std::vector<DirectSource> sources_of(const std::vector<Body>& bodies, long first_id) {
    std::vector<DirectSource> sources;
    sources.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& b = bodies[i];
        if (b.mass != 0.0) sources.push_back({b.x, b.y, b.z, b.mass, b.softening, first_id + static_cast<std::int64_t>(i)});
    }
    return sources;
}

/// Some of the bodies, likewise, and their sums.
struct Targets {
    std::vector<double> x, y, z, softening;
    std::array<std::vector<double>, result_count> sums;
    std::vector<std::int64_t> id;

    void take(const std::vector<Body>& bodies, const std::vector<std::size_t>& indices, long first_id, int derivatives) {
        for (auto* v : {&x, &y, &z, &softening}) v->reserve(indices.size());
        id.reserve(indices.size());
        for (const std::size_t i : indices) {
            const Body& body = bodies[i];
            x.push_back(body.x);
            y.push_back(body.y);
            z.push_back(body.z);
            softening.push_back(body.softening);
            id.push_back(first_id + static_cast<std::int64_t>(i));
        }
        for (std::size_t k = 0; k < component_count(derivatives); ++k) sums[k].resize(indices.size());
    }
    [[nodiscard]] DirectTargets view() {
        DirectTargets view{x, y, z, softening, id, {}};
        std::ranges::copy(sums, view.sums.begin());
        return view;
    }
};

}  // namespace

std::int64_t DirectSums::run(Stages& stages, const DirectKernel& kernel, const Input& input, const std::vector<Body>& bodies,
                             const std::vector<std::size_t>& targets, const Options& options, int derivatives) {
    long first_id = 0;
    const long count = static_cast<long>(bodies.size());
    stages.collective([&](const Agreed& all) { first_id = all.sum_before(count); });
    std::vector<DirectSource> sources;
    Targets at;
    stages.local([&] {
        sources = sources_of(bodies, first_id);
        at.take(bodies, targets, first_id, derivatives);
    });
    const std::int64_t left_out = direct_sum(stages, at.view(), sources, kernel);
    stages.local([&] {
        const ResultUnits units(Frame{}, options);  // sums are in the caller's
        results_.clear();
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const std::size_t i = targets[k];
            const auto sum = [&](std::size_t component) { return at.sums[component][k]; };
            results_.push_back(to_results(bodies[i], input.is_point(i), derivatives, sum, units));
        }
    });
    return left_out;
}

}  // namespace gravlet
