// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solve.hpp"

#include "ewald/domain.hpp"
#include "solver/direct/cell_twins.hpp"
#include "solver/direct/direct.hpp"
#include "solver/input/input_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <vector>

namespace gravlet {
namespace {

/// Numbers of this rank's bodies among those of all ranks.
struct Ids {
    std::int64_t first;
    std::size_t cells;  ///< cells of this rank: they come before points

    [[nodiscard]] std::int64_t of(std::size_t i) const {
        const std::int64_t number = first + static_cast<std::int64_t>(i);
        return i < cells ? number : -1 - number;
    }
};

/// Bodies with mass, in the caller's units.
std::vector<DirectSource> sources_of(const std::vector<Body>& bodies, const Ids& ids, const NearDirect& near) {
    std::vector<DirectSource> sources;
    sources.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& b = bodies[i];
        if (b.mass != 0.0) sources.push_back({b.x, b.y, b.z, b.mass, b.softening, ids.of(i), near.size_of(b, i >= ids.cells)});
    }
    return sources;
}

/// Moves places that are `within` so much of a cell's centre onto it, as packets of sources come by.
class OntoCentres {
public:
    OntoCentres(DirectTargetArrays& places, double within) : places_(places), within_(within) {}

    void look(std::span<const DirectSource> sources) {
        cells_.clear();
        std::ranges::copy_if(sources, std::back_inserter(cells_), [](const DirectSource& s) { return !is_point(s); });
        std::ranges::sort(cells_, {}, &DirectSource::x);
        for (std::size_t t = 0; t < places_.x.size(); ++t) {
            double &x = places_.x[t], &y = places_.y[t], &z = places_.z[t];
            for (auto s = std::ranges::lower_bound(cells_, x - within_, {}, &DirectSource::x);
                 s != cells_.end() && s->x <= x + within_; ++s) {
                if (std::abs(s->y - y) > within_ || std::abs(s->z - z) > within_) continue;
                x = s->x, y = s->y, z = s->z;
                break;
            }
        }
    }

private:
    DirectTargetArrays& places_;
    double within_;
    std::vector<DirectSource> cells_;
};

/// The cells among a rank's bodies.
CellTwins cells_of(const std::vector<Body>& bodies, const Ids& ids) {
    CellTwins twins;
    for (std::size_t i = 0; i < ids.cells; ++i) twins.add(bodies[i].x, bodies[i].y, bodies[i].z, ids.of(i));
    twins.sort();
    return twins;
}

}  // namespace

std::int64_t DirectSums::run(Stages& stages, const DirectKernel& kernel, const Input& input, const std::vector<Body>& bodies,
                             const std::vector<std::size_t>& targets, const Options& options, int derivatives) {
    long first_id = 0;
    const long count = static_cast<long>(bodies.size());
    stages.collective([&](const Agreed& all) { first_id = all.sum_before(count); });
    const Ids ids{first_id, input.cell_count};
    near_.agree(stages, options, bodies, ids.cells);
    const Mirror mirror = Domain(options).mirror();
    DirectTargetArrays at;
    CellTwins twins;
    stages.local([&] {
        sources_ = sources_of(bodies, ids, near_);
        for (const std::size_t i : targets) at.add(bodies[i], bodies[i].softening, ids.of(i));
        at.add_images(mirror);
        at.make_sums(derivatives);
        twins = cells_of(bodies, ids);
    });
    const auto act = [&](const DirectTargets& to, std::span<const DirectSource> from, const DirectKernel::Poll& poll) {
        twins.look(from);
        near_.add(to, from);
        return kernel(to, from, poll);
    };
    const std::int64_t left_out = direct_sum(stages, at.view(), sources_, {std::cref(act)});  // which allocates nothing
    stages.local([&] {
        if (twins.found()) {
            const std::size_t i = static_cast<std::size_t>(*twins.found() - ids.first);
            reject_twin_elsewhere(input, i, bodies[i]);
        }
        const ResultUnits units(Frame{}, options);  // sums are in the caller's
        results_.clear();
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const std::size_t i = targets[k];
            const auto sum = [&](std::size_t component) { return at.sum_with_images(mirror, component, k, targets.size()); };
            results_.push_back(to_results(bodies[i], input.is_point(i), derivatives, sum, units));
        }
    });
    return left_out;
}

void DirectSums::run_elsewhere(Stages& stages, const DirectKernel& kernel, const std::vector<Vector3>& places, double within,
                               const Options& options, int derivatives) {
    const Mirror mirror = Domain(options).mirror();
    DirectTargetArrays at;
    stages.local([&] {
        for (const Vector3& place : places) at.add(place, 0.0, no_body);
        at.add_images(mirror);
        at.make_sums(derivatives);
    });
    OntoCentres onto(at, within);
    const auto look = [&](const DirectTargets&, std::span<const DirectSource> from, const DirectKernel::Poll&) {
        onto.look(from);
        return std::int64_t{0};
    };
    const auto act = [&](const DirectTargets& to, std::span<const DirectSource> from, const DirectKernel::Poll& poll) {
        near_.add(to, from, true);
        return kernel(to, from, poll);
    };
    if (within > 0.0) direct_sum(stages, at.view(), sources_, {std::cref(look)});
    direct_sum(stages, at.view(), sources_, {std::cref(act)});
    stages.local([&] {
        const ResultUnits units(Frame{}, options);
        results_elsewhere_.clear();
        for (std::size_t k = 0; k < places.size(); ++k) {
            const Body place{places[k].x, places[k].y, places[k].z, 0.0, 0.0, 0.0, 0.0};
            const auto sum = [&](std::size_t component) { return at.sum_with_images(mirror, component, k, places.size()); };
            results_elsewhere_.push_back(to_results(place, true, derivatives, sum, units));
        }
    });
}

}  // namespace gravlet
