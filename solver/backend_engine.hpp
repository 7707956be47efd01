// SPDX-License-Identifier: Apache-2.0
// What every backend does around a tree solve: the direct sum where theta is 0, the sampled error, the report.
#pragma once

#include "ewald/table.hpp"
#include "solver/direct_solve.hpp"
#include "solver/engine.hpp"
#include "solver/error_sample.hpp"
#include "solver/tree_solve.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace gravlet {

template <class Exec>
class BackendEngine : public Engine {
public:
    BackendEngine(const Communicator& comm, const Options& options, const Exec& exec)
        : comm_(comm), options_(options), exec_(exec), polynomials_(exec.template buffer<double>()) {
        if (is_periodic(options_) &&
            (options_.periodic_method == PeriodicMethod::table || options_.theta == 0.0 || options_.error_samples > 0))
            make_table();
        if (options_.theta > 0.0) tree_.emplace(comm_, exec_, options_, period_.correction);
    }

    Report solve(const Input& input) override {
        exec_.tally->reset();
        LocalReport local = tree_ ? tree_->run(input) : direct_solve(comm_, exec_, input, options_, period_);
        local.peak_bytes = exec_.tally->peak();
        kept_tree_ = local.unchanged;
        Report report = reduce_report(comm_.get(), local);
        report.threads = exec_.threads;
        report.backend = exec_.name();
        if (options_.error_samples > 0) sample_errors(input, report);
        return report;
    }

    [[nodiscard]] bool kept_tree() const override { return kept_tree_; }

private:
    void make_table() {
        const EwaldTable table = make_ewald_table(comm_.get(), options_, exec_.threads);
        agree(comm_, [&] {
            polynomials_.resize_discard(table.polynomials().size());
            copy_in(exec_, table.polynomials().data(), polynomials_.data(), polynomials_.size());
        });
        period_ = {table.view(polynomials_.data()), domain_box(options_).shortest_period()};
    }

    void sample_errors(const Input& input, Report& report) const {
        const std::vector<std::size_t> active = input.active_bodies();
        std::vector<std::size_t> targets = sample_targets(comm_, active.size(), options_.error_samples, options_.error_seed);
        for (std::size_t& target : targets) target = active[target];
        const bool acceleration = all_reduce(comm_.get(), input.acceleration ? 1 : 0, MPI_MAX) != 0;
        typename Exec::Transfer transfer(exec_);
        std::vector<Body> bodies;
        agree(comm_, [&] { bodies = all_bodies(exec_, tree_ ? tree_->input() : transfer.bring_in(input)); });
        DirectSums reference;
        reference.run(comm_, exec_.direct(period_), input, bodies, targets, options_, acceleration);
        const std::vector<Result> results = tree_ ? results_of(input, bodies, targets) : reference.results();
        const ErrorScale scale = is_periodic(options_) ? rms_scale(comm_, reference.results()) : ErrorScale{};
        std::vector<double> potential, field;
        for (std::size_t k = 0; k < targets.size(); ++k) {
            potential.push_back(potential_error(results[k], reference.results()[k], scale));
            if (acceleration) field.push_back(acceleration_error(results[k], reference.results()[k], scale));
        }
        report.potential_error = statistics(comm_, potential);
        if (acceleration) report.acceleration_error = statistics(comm_, field);
    }

    /// The solve's own results at sampled targets, whether or not the caller wanted them.
    [[nodiscard]] std::vector<Result> results_of(const Input& input, const std::vector<Body>& bodies,
                                                 const std::vector<std::size_t>& targets) const {
        const Bodies<Exec>& b = tree_->bodies();
        std::vector<cell_index> order(b.count);
        copy_out(exec_, b.order.data(), order.data(), b.count);
        std::vector<std::size_t> sorted(b.count);
        for (std::size_t s = 0; s < b.count; ++s) sorted[order[s]] = s;
        std::vector<double> sums[4];
        const auto fetch = [&](const auto& buffer, std::vector<double>& to) {
            to.resize(b.count);
            copy_out(exec_, buffer.data(), to.data(), b.count);
        };
        fetch(b.potential, sums[0]);
        for (int axis = 0; axis < 3 && tree_->frame().acceleration; ++axis) fetch(b.field[axis], sums[1 + axis]);
        std::vector<Result> results;
        for (const std::size_t target : targets) {
            const std::size_t s = sorted[target];
            const Point3 field = tree_->frame().acceleration ? Point3{sums[1][s], sums[2][s], sums[3][s]} : Point3{};
            results.push_back(to_result(bodies[target], input.is_point(target), sums[0][s], field, tree_->frame(), options_));
        }
        return results;
    }

    const Communicator& comm_;
    Options options_;
    Exec exec_;
    typename Exec::template Buffer<double> polynomials_;  ///< of the Ewald table
    DirectPeriod period_;
    std::optional<TreeSolve<Exec>> tree_;  ///< none for the direct sum
    bool kept_tree_ = false;
};

}  // namespace gravlet
