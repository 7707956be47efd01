// SPDX-License-Identifier: Apache-2.0
// The errors of a solve: some of its results against direct sums, in double precision. The targets travel, and the bodies stay:
// every rank gets all of them, in batches, and sums what its own bodies do there. So no rank needs memory for the bodies of
// others, and a few hundred targets cost less than a walk (but for periodic boundaries, where each pair has an Ewald correction).
#pragma once

#include "physics/partition_point.hpp"
#include "physics/path_size.hpp"
#include "solver/data/results.hpp"
#include "solver/direct/direct.hpp"
#include "solver/errors/error_sample.hpp"
#include "solver/errors/error_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gravlet {

/// Local. Host copies of some bodies.
template <class Exec>
std::vector<Body> bodies_at(const Exec& exec, const GivenBodies& input, const std::vector<std::size_t>& numbers) {
    auto places = exec.template buffer<std::size_t>();
    auto found = exec.template buffer<Body>();
    places.resize_discard(numbers.size());
    found.resize_discard(numbers.size());
    copy_in(exec, numbers.data(), places.data(), numbers.size());
    const std::size_t* const from = places.data();
    Body* const to = found.data();
    for_each(exec, numbers.size(), [=] GRAVLET_HD(std::size_t k) { to[k] = input.body(from[k]); });
    std::vector<Body> bodies(numbers.size());
    copy_out(exec, found.data(), bodies.data(), numbers.size());
    return bodies;
}

/// Local. Bodies from `begin` on as sources of a direct sum.
template <class Exec>
void make_sources(const Exec& exec, const GivenBodies& input, std::size_t begin, std::size_t count, std::int64_t first_id,
                  DirectSource* to) {
    for_each(exec, count, [=] GRAVLET_HD(std::size_t i) {
        const Body b = input.body(begin + i);
        to[i] = {b.x, b.y, b.z, b.mass, b.softening, first_id + static_cast<std::int64_t>(begin + i)};
    });
}

template <class Exec>
class SampledErrors {
public:
    /// Errors of a solve. `given`: its input as the caller gave it; `here`: in the backend's memory.
    SampledErrors(const Exec& exec, const DirectLaw& law, const Options& options, const Input& given, const Input& here,
                  int derivatives)
        : exec_(exec), law_(law), options_(options), given_(given), here_(here), derivatives_(derivatives) {}

    /// Collective, once. Makes the direct sums at a sample of so many targets.
    void sum(Stages& stages, std::int64_t samples) {
        choose(stages, samples);
        add_references(stages);
        stages.collective([&](const Agreed& all) { scale_ = error_scale(all, options_, references_); });
    }

    /// Collective. Fills, after sum() and for each walk of a solve, the report's errors. `results_at(targets)`: the walk's
    /// results, local.
    template <class ResultsAt>
    void compare(Stages& stages, ResultsAt results_at, Report& report) const {
        std::array<ErrorList, field_names.size()> errors;
        stages.local([&] {
            const std::vector<Result> results = results_at(targets_);
            for (std::size_t k = 0; k < targets_.size(); ++k) {
                const std::array<double, 3> position{bodies_[k].x, bodies_[k].y, bodies_[k].z};
                for (int d = 0; d <= derivatives_; ++d)
                    errors[static_cast<std::size_t>(d)].add(field_error(d, results[k], references_[k], scale_), position);
            }
        });
        const auto reported = errors_of(report);
        for (std::size_t d = 0; d <= static_cast<std::size_t>(derivatives_); ++d)
            *reported[d] = statistics(stages, std::move(errors[d]));
    }

    /// The sampled targets as bodies.
    [[nodiscard]] const std::vector<Body>& bodies() const { return bodies_; }
    [[nodiscard]] const std::vector<Result>& references() const { return references_; }

private:
    /// Targets and bodies that are dealt with at once.
    static constexpr std::size_t batch = path_size(1 << 16, 50), chunk = path_size(1 << 20, 300);
    static constexpr std::size_t columns = 5;  ///< numbers of a target in a batch: x, y, z, softening, id

    /// Chooses this rank's targets, in ascending order, and their bodies.
    void choose(Stages& stages, std::int64_t samples) {
        std::vector<std::size_t> active;
        bool all_active = true;
        stages.local([&] {
            all_active = !given_.any_inactive();
            if (!all_active) active = given_.active_bodies();
        });
        targets_ = sample_targets(stages, all_active ? given_.size() : active.size(), samples, options_.error_seed);
        stages.local([&] {
            if (!all_active)
                for (std::size_t& target : targets_) target = active[target];
            std::ranges::sort(targets_);
            bodies_ = bodies_at(exec_, here_, targets_);
        });
    }

    /// Collective. The direct sums at this rank's targets.
    void add_references(Stages& stages) {
        const long mine = static_cast<long>(targets_.size()), count = static_cast<long>(given_.size());
        long first = 0, first_id = 0, all_targets = 0;
        stages.collective([&](const Agreed& all) {
            first = all.sum_before(mine);
            first_id = all.sum_before(count);
            all_targets = all.all_reduce(mine, MPI_SUM);
        });
        const std::size_t total = static_cast<std::size_t>(all_targets), components = component_count(derivatives_);
        for (std::size_t begin = 0; begin < total; begin += batch) {
            const std::size_t n = std::min(batch, total - begin);
            std::vector<double> at, sums;
            const auto for_own = [&](auto f) {  // f(number of a target of this rank, its place in the batch)
                for (std::size_t k = 0; k < targets_.size(); ++k) {
                    const std::size_t place = static_cast<std::size_t>(first) + k;
                    if (place >= begin && place < begin + n) f(k, place - begin);
                }
            };
            stages.local([&] {
                at.resize(columns * n);
                sums.resize(components * n);
                for_own([&](std::size_t k, std::size_t i) {
                    const Body& body = bodies_[k];
                    const double row[columns] = {body.x, body.y, body.z, body.softening,
                                                 static_cast<double>(first_id) + static_cast<double>(targets_[k])};
                    for (std::size_t c = 0; c < columns; ++c) at[c * n + i] = row[c];
                });
            });
            stages.collective([&](const Agreed& all) { all.all_reduce(at.data(), static_cast<int>(columns * n), MPI_SUM); });
            stages.local([&] { add_own(at, n, static_cast<std::int64_t>(first_id), sums); });
            stages.collective([&](const Agreed& all) { all.all_reduce(sums.data(), static_cast<int>(components * n), MPI_SUM); });
            stages.local([&] {
                const ResultUnits units(Frame{}, options_);  // sums are in the caller's
                for_own([&](std::size_t k, std::size_t i) {
                    const auto sum = [&](std::size_t component) { return sums[component * n + i]; };
                    references_.push_back(to_results(bodies_[k], given_.is_point(targets_[k]), derivatives_, sum, units));
                });
            });
        }
    }

    /// What this rank's bodies do at the n targets of a batch.
    void add_own(const std::vector<double>& at, std::size_t n, std::int64_t first_id, std::vector<double>& sums) const {
        const Mirror mirror = Domain(options_).mirror();
        DirectTargetArrays targets;
        for (std::size_t t = 0; t < n; ++t)
            targets.add(Vector3{at[t], at[n + t], at[2 * n + t]}, at[3 * n + t], static_cast<std::int64_t>(at[4 * n + t]));
        targets.add_images(mirror);
        targets.make_sums(derivatives_);
        const DirectTargets view = targets.view();
        const DirectKernel kernel = exec_.direct(law_);
        auto sources = exec_.template buffer<DirectSource>();
        sources.resize_discard(std::min(chunk, here_.size()));
        for (std::size_t begin = 0; begin < here_.size(); begin += chunk) {
            const std::size_t some = std::min(chunk, here_.size() - begin);
            make_sources(exec_, here_, begin, some, first_id, sources.data());
            kernel(view, {sources.data(), some});
        }
        for (std::size_t k = 0; k < component_count(derivatives_); ++k)
            for (std::size_t t = 0; t < n; ++t) sums[k * n + t] = targets.sum_with_images(mirror, k, t, n);
    }

    const Exec& exec_;
    const DirectLaw& law_;
    const Options& options_;
    const Input &given_, &here_;
    int derivatives_;
    std::vector<std::size_t> targets_;
    std::vector<Body> bodies_;
    std::vector<Result> references_;
    ErrorScale scale_;
};

/// Local. The results of a tree solve, without what near cells have added as cuboids, at some of its bodies, whose numbers
/// ascend; `bodies` are those numbers' own.
template <class Exec>
std::vector<Result> results_at(const Exec& exec, const std::vector<std::size_t>& targets, const std::vector<Body>& bodies,
                               const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& solved) {
    const std::size_t n = targets.size(), components = component_count(frame.derivatives);
    auto numbers = exec.template buffer<std::size_t>();
    auto found = exec.template buffer<double>();
    numbers.resize_discard(n);
    found.resize_discard(components * n);
    copy_in(exec, targets.data(), numbers.data(), n);
    const cell_index* const order = solved.order.data();
    const std::size_t* const from = numbers.data();
    double* const to = found.data();
    const SumArrays sums_of = solved.sum_arrays(), near = arrays_of(solved.near_sums);
    const bool apart = solved.has_near_sums();
    for_each(exec, solved.count, [=] GRAVLET_HD(std::size_t s) {
        const std::size_t body = order[s];
        std::size_t k = partition_point(std::size_t{0}, n, [=](std::size_t i) { return from[i] < body; });
        for (; k < n && from[k] == body; ++k)  // several may be of one body
            for (std::size_t c = 0; c < components; ++c) to[c * n + k] = sums_of.of[c][s] - (apart ? near.of[c][s] : 0.0);
    });
    std::vector<double> sums(components * n);
    copy_out(exec, found.data(), sums.data(), sums.size());
    const ResultUnits units(frame, options);
    std::vector<Result> results;
    for (std::size_t k = 0; k < n; ++k)
        results.push_back(to_results(
            bodies[k], input.is_point(targets[k]), frame.derivatives, [&](std::size_t c) { return sums[c * n + k]; }, units));
    return results;
}

}  // namespace gravlet
