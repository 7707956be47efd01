// SPDX-License-Identifier: Apache-2.0
// The direct sum with the solver's interface: what theta = 0 means, and the sampled error of a tree solve.
#pragma once

#include "ewald/domain.hpp"
#include "physics/path_size.hpp"
#include "solver/data/frame.hpp"
#include "solver/data/local_report.hpp"
#include "solver/direct/direct.hpp"
#include "solver/errors/conservation.hpp"
#include "solver/near/near_direct.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/stage_in.hpp"
#include "solver/targets/probes.hpp"
#include "solver/targets/stage_out.hpp"
#include "solver/targets/time_step.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// Results of targets (indices as in Input) by direct summation over the bodies of all ranks, in double precision.
class DirectSums {
public:
    /// Collective. `bodies` are this rank's, in the order of `input`. Returns this rank's number of unsoftened pairs at distance
    /// zero. Throws Error(invalid_input) if a cell is where one of another rank is.
    std::int64_t run(Stages& stages, const DirectKernel& kernel, const Input& input, const std::vector<Body>& bodies,
                     const std::vector<std::size_t>& targets, const Options& options, int derivatives);
    /// Collective, after run(), of whose bodies these are the sums at places that are none; such a place `within` so much of a
    /// cell's centre is there. 0, on all ranks: there are no cells. `kernel`: not run()'s.
    void run_elsewhere(Stages& stages, const DirectKernel& kernel, const std::vector<Vector3>& places, double within,
                       const Options& options, int derivatives);
    [[nodiscard]] const std::vector<Result>& results() const { return results_; }
    [[nodiscard]] const std::vector<Result>& results_elsewhere() const { return results_elsewhere_; }

private:
    NearDirect near_;
    std::vector<DirectSource> sources_;
    std::vector<Result> results_, results_elsewhere_;
};

/// Host copies of all bodies, wherever the caller's arrays are; a chunk at a time, so that the backend needs little memory.
template <class Exec>
std::vector<Body> all_bodies(const Exec& exec, const GivenBodies& input) {
    constexpr std::size_t chunk = path_size(1 << 22, 100);
    std::vector<Body> bodies(input.size());
    auto buffer = exec.template buffer<Body>();
    buffer.resize_discard(std::min(chunk, input.size()));
    for (std::size_t begin = 0; begin < input.size(); begin += chunk) {
        const std::size_t n = std::min(chunk, input.size() - begin);
        Body* const to = buffer.data();
        for_each(exec, n, [=] GRAVLET_HD(std::size_t i) { to[i] = input.body(begin + i); });
        copy_out(exec, to, bodies.data() + begin, n);
    }
    return bodies;
}

/// Host copies of all probes, moved by periods into the box.
template <class Exec>
std::vector<Vector3> all_probes(const Exec& exec, const ProbePlaces& input, const Options& options) {
    std::vector<Vector3> probes(input.probe_count());
    auto buffer = exec.template buffer<Vector3>();
    buffer.resize_discard(probes.size());
    Vector3* const to = buffer.data();
    for_each(exec, probes.size(), [=] GRAVLET_HD(std::size_t p) { to[p] = input.probe(p); });
    copy_out(exec, to, probes.data(), probes.size());
    const Domain domain(options);
    for (Vector3& at : probes) at = domain.moved_in(at);
    return probes;
}

/// Writes results to their places. Not a lambda, as WriteResult.
struct StoreResult {
    GivenBodies bodies;
    ResultArrays results;
    const Result* from;
    const std::size_t* to;

    GRAVLET_HD void operator()(std::size_t k) const {
        results.store(bodies, to[k], [result = from + k](std::size_t component) { return result->component[component]; });
    }
};

/// Writes probes' results to their places. Not a lambda, as WriteResult.
struct StoreProbe {
    ProbePlaces probes;
    const Result* from;

    GRAVLET_HD void operator()(std::size_t p) const {
        probes.store_probe(p, [result = from + p](std::size_t component) { return result->component[component]; });
    }
};

/// What TreeSolve is where theta is 0.
template <class Exec>
class DirectSolve {
public:
    DirectSolve(const Exec& exec, const Options& options)
        : exec_(exec),
          options_(options),
          transfer_(exec),
          results_(exec.template buffer<Result>()),
          probe_results_(exec.template buffer<Result>()),
          places_(exec.template buffer<std::size_t>()) {}

    void set_options(const Options& options) { options_ = options; }

    /// Collective. Sums for all active targets. `input` as the caller gave it.
    void sum(Stages& stages, const Input& input, const DirectLaw& law) {
        report_ = {};
        report_.clock.start(input.begun);
        stages.narrator().begin_stage(last_stage);
        DirectKernel kernel;
        InputScan scan;
        Frame frame;
        stages.local([&] {
            refuse_guards(input, "with theta 0, the direct sum");
            InputLook<Exec> look(exec_);
            scan = stage_in(exec_, transfer_, input, options_, false, look, input_);
            targets_ = input.active_bodies();
            kernel = exec_.direct(law);
        });
        // The sum needs no units, but what no tree could resolve is refused alike.
        frame = agree_on_units(
            exec_, options_, scan, input_, [&](auto f) { stages.local(f); }, [&](auto f) { stages.collective(f); });
        derivatives_ = frame.derivatives;
        report_.background = frame.background;
        stages.local([&] {
            reject_overlaps_here(frame);
            bodies_ = all_bodies(exec_, input_);
        });
        const std::int64_t coincident = sums_.run(stages, kernel, input, bodies_, targets_, options_, derivatives_);
        stages.local([&] {
            reject_excess_volume(frame);
            results_.resize_discard(targets_.size());
            places_.resize_discard(targets_.size());
            copy_in(exec_, sums_.results().data(), results_.data(), targets_.size());
            copy_in(exec_, targets_.data(), places_.data(), targets_.size());
        });
        if (derivatives_ > 0) stages.local([&] { report_.time_step = shortest_step(); });
        if (derivatives_ > 0 && Domain(options_).conserves())
            find_conservation([&](auto f) { stages.local(f); }, [&](auto f) { stages.collective(f); }, [&] { return masses(); },
                              [&](const Vector3& centre) { return forces(centre); }, report_);
        report_.targets = targets_.size();
        for (const Body& body : bodies_) report_.sources += body.mass > 0.0 ? 1 : 0;
        report_.counts.coincident = static_cast<std::uint64_t>(coincident);
        if (frame.probes) sum_at_probes(stages, law, frame);
        long sources = static_cast<long>(report_.sources);
        stages.collective([&](const Agreed& all) { all.all_reduce(&sources, 1, MPI_SUM); });
        report_.counts.cell = report_.targets * static_cast<std::uint64_t>(sources);
        report_.clock.lap(last_stage);
    }

    /// Local. Writes, after sum(), the results.
    void write();

    static constexpr const char* last_stage = "direct";
    [[nodiscard]] LocalReport& report() { return report_; }
    [[nodiscard]] int derivatives() const { return derivatives_; }
    /// The input of this solve: the caller's arrays in the backend's memory.
    [[nodiscard]] const Input& input() const { return input_; }

private:
    void sum_at_probes(Stages& stages, const DirectLaw& law, const Frame& frame) {
        DirectKernel kernel;
        std::vector<Vector3> places;
        stages.local([&] {
            kernel = exec_.direct(law);
            places = all_probes(exec_, input_, options_);
        });
        sums_.run_elsewhere(stages, kernel, places, at_the_centre(frame), options_, derivatives_);
        stages.local([&] {
            const std::vector<Result>& results = sums_.results_elsewhere();
            probe_results_.resize_discard(results.size());
            copy_in(exec_, results.data(), probe_results_.data(), results.size());
            report_.targets += results.size();
        });
    }

    [[nodiscard]] double shortest_step() const {
        double least = INFINITY;
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            const Body& b = bodies_[targets_[k]];
            const double* const a = sums_.results()[k].component + first_component(1);
            least = std::min(least, step_squared(b.dx > 0.0 ? std::min({b.dx, b.dy, b.dz}) : b.softening, a[0], a[1], a[2]));
        }
        return std::sqrt(least);
    }
    [[nodiscard]] MassSum masses() const {
        MassSum sum;
        for (const Body& body : bodies_) sum = sum + mass_of(body);
        sum.inactive = static_cast<double>(bodies_.size() - targets_.size());
        return sum;
    }
    [[nodiscard]] ForceSum forces(const Vector3& centre) const {
        ForceSum sum;
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            const double* const a = sums_.results()[k].component + first_component(1);
            sum = sum + force_on(bodies_[targets_[k]], {a[0], a[1], a[2]}, centre);
        }
        return sum;
    }

    /// What a tree solve's sort refuses, this refuses alike.
    void reject_overlaps_here(const Frame& frame) const {
        if (input_.cell_count == 0) return;
        Bodies<Exec> sorted(exec_);
        sort_bodies(exec_, input_, frame, static_cast<std::size_t>(options_.leaf_size), sorted);
    }

    Exec exec_;
    Options options_;
    typename Exec::Transfer transfer_;
    typename Exec::template Buffer<Result> results_, probe_results_;
    typename Exec::template Buffer<std::size_t> places_;
    Input input_;
    std::vector<Body> bodies_;
    std::vector<std::size_t> targets_;
    DirectSums sums_;
    int derivatives_ = 0;
    LocalReport report_;
};

template <class Exec>
void DirectSolve<Exec>::write() {
    for_each(exec_, targets_.size(), StoreResult{input_, input_, results_.data(), places_.data()});
    for_each(exec_, input_.probe_count(), StoreProbe{input_, probe_results_.data()});
    transfer_.bring_out(input_.as_given());
    report_.clock.lap(last_stage);
}

}  // namespace gravlet
