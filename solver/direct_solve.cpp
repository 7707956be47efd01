// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solve.hpp"

#include "solver/data/validate_input.hpp"
#include "solver/direct/direct.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace gravlet {
namespace {

/// Bodies as arrays in the caller's units. Ids start at `first_id`.
struct Arrays {
    std::vector<double> x, y, z, mass, softening;
    std::vector<std::int64_t> id;

    Arrays() = default;
    Arrays(const std::vector<Body>& bodies, const std::vector<std::size_t>& indices, long first_id) {
        for (auto* v : {&x, &y, &z, &mass, &softening}) v->reserve(indices.size());
        for (const std::size_t i : indices) {
            const Body& body = bodies[i];
            x.push_back(body.x);
            y.push_back(body.y);
            z.push_back(body.z);
            mass.push_back(body.mass);
            softening.push_back(body.softening);
            id.push_back(first_id + static_cast<std::int64_t>(i));
        }
    }
    [[nodiscard]] DirectArrays view() const { return {x, y, z, mass, softening, id}; }
};

std::vector<std::size_t> all_of(std::size_t n) {
    std::vector<std::size_t> indices(n);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

}  // namespace

std::int64_t DirectSums::run(Stages& stages, const DirectKernel& kernel, const Input& input, const std::vector<Body>& bodies,
                             const std::vector<std::size_t>& targets, const Options& options, bool acceleration) {
    long first_id = 0;
    const long count = static_cast<long>(bodies.size());
    stages.collective([&](const Agreed& all) { first_id = all.sum_before(count); });
    Arrays sources, targets_at;
    std::vector<double> potential, field[3];
    std::array<std::span<double>, 3> fields;
    stages.local([&] {
        sources = Arrays(bodies, all_of(bodies.size()), first_id);
        targets_at = Arrays(bodies, targets, first_id);
        potential.resize(targets.size());
        for (std::size_t axis = 0; axis < 3; ++axis) {
            field[axis].resize(acceleration ? targets.size() : 0);
            fields[axis] = field[axis];
        }
    });
    const std::int64_t left_out = direct_sum(stages, targets_at.view(), sources.view(), potential, fields, kernel);
    stages.local([&] {
        results_.clear();
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const std::size_t i = targets[k];
            const bool own = options.self_potential && !input.is_point(i);
            Result result{options.G * potential[k] + (own ? self_potential(bodies[i], options.G) : 0.0), {}};
            if (acceleration) result.acceleration = {options.G * field[0][k], options.G * field[1][k], options.G * field[2][k]};
            results_.push_back(result);
        }
    });
    return left_out;
}

}  // namespace gravlet
