// SPDX-License-Identifier: Apache-2.0
// What every backend does around a tree solve: the direct sum where theta is 0, the sampled error, the report. Results are
// written when nothing else is left that can fail.
#pragma once

#include "ewald/domain.hpp"
#include "ewald/table.hpp"
#include "solver/data/engine.hpp"
#include "solver/direct_solve.hpp"
#include "solver/errors/sampled_errors.hpp"
#include "solver/tree_solve.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace gravlet {

template <class Exec>
class BackendEngine final : public Engine {
public:
    /// Local. `place`: what the backend's Machine is made of.
    template <class... Place>
    BackendEngine(const Communicator& comm, const Options& options, Place... place)
        : options_(options),
          machine_(place...),
          exec_(machine_.exec()),
          polynomials_(exec_.template buffer<double>()),
          law_{options.softening_kernel} {
        if (options_.theta != 0.0) {
            tree_.emplace(comm, exec_, options_);
        } else {
            direct_.emplace(exec_, options_);
        }
    }

    /// Collective, once. Prepares messages, and makes the Ewald table.
    void prepare(Stages& stages) {
        std::optional<Scope> scope;
        stages.local([&] { scope.emplace(exec_); });
        if (tree_) tree_->prepare(stages);
        make_table(stages);
    }

    void solve(Stages& stages, const Input& input, Report& report) override {
        std::optional<Scope> scope;
        stages.local([&] { scope.emplace(exec_); });
        if (!has_table_) make_table(stages);
        exec_.tally->reset();
        if (tree_) {
            tree_->take_in(stages, input);
            tree_->sum(stages, law_.correction);
        } else {
            direct_->sum(stages, input, law_);
        }
        LocalReport& local = tree_ ? tree_->report() : direct_->report();
        local.peak_bytes = exec_.tally->peak();
        measure(stages, input, local, report);
        if (tree_) tree_->steering().report(tree_->taken(), report);
        stages.local([&] {
            report.backend = exec_.name();
            prepare_report(local, tree_ ? TreeSolve<Exec>::last_stage : DirectSolve<Exec>::last_stage, report);
            warn_of_tolerance(stages.narrator(), report);
        });
        stages.agree();
        if (tree_) tree_->steering().end();
        local.clock.skip();
        stages.narrator().begin_stage(tree_ ? TreeSolve<Exec>::last_stage : DirectSolve<Exec>::last_stage);
        stages.local([&] { tree_ ? tree_->write() : direct_->write(); });
        stages.collective([&](const Agreed& all) { complete_report(all, local, report); });
        report.threads = exec_.threads;
        kept_tree_ = local.unchanged_ranks > 0;
    }

    void set_options(const Options& options) override {
        has_table_ = has_table_ && same_lengths(options, options_);
        options_ = options;
        tree_ ? tree_->set_options(options) : direct_->set_options(options);
    }
    [[nodiscard]] SteeringState get_steering() const override { return tree_ ? tree_->steering().get() : SteeringState{}; }
    void set_steering(const SteeringState& state) override {
        if (tree_) tree_->steering().set(state);
    }
    [[nodiscard]] int threads() const override { return exec_.threads; }
    [[nodiscard]] bool kept_tree() const override { return kept_tree_; }
    [[nodiscard]] bool begin_ahead(const Input& input) override { return tree_ && tree_->transfer().begin_ahead(input); }
    void bring_ahead(std::size_t first, std::size_t count) override { tree_->transfer().bring_ahead(first, count); }
    void end_ahead() noexcept override {
        if (tree_) tree_->transfer().end_ahead();
    }

private:
    using Scope = typename Exec::Scope;

    /// Collective. Makes the Ewald table, where it is needed.
    void make_table(Stages& stages) {
        const Domain domain(options_);
        const bool direct = options_.theta == 0.0 || options_.error_samples > 0 || options_.tolerance > 0.0;
        if (domain.by_table() || (domain.has_images() && direct)) {
            const std::optional<EwaldTable> table = make_ewald_table(stages, options_, exec_.threads);
            stages.local([&] {
                polynomials_.resize_discard(table->polynomials().size());
                copy_in(exec_, table->polynomials().data(), polynomials_.data(), polynomials_.size());
                law_ = {options_.softening_kernel, table->view(polynomials_.data()), domain.box().shortest_period()};
            });
            stages.agree();
        }
        has_table_ = true;
    }

    /// Collective. The errors of the solve, where they are asked for, and further walks, where a tolerance needs them.
    void measure(Stages& stages, const Input& input, LocalReport& local, Report& report) {
        const std::int64_t due = tree_ ? tree_->steering().samples(tree_->frame()) : 0,
                           samples = std::max(options_.error_samples, due);
        stages.narrator().end_stage();
        if (due > 0) stages.narrator().begin_stage("tolerance");
        if (samples == 0) return;
        SampledErrors<Exec> errors(exec_, law_, options_, input, tree_ ? tree_->input() : direct_->input(),
                                   tree_ ? tree_->frame().derivatives : direct_->derivatives());
        errors.sum(stages, samples);
        compare(stages, errors, input, report);
        while (due > 0 && falls_short(stages, local, samples, report)) {
            tree_->sum_again(stages, law_.correction);
            local.peak_bytes = exec_.tally->peak();
            stages.narrator().begin_stage("tolerance");
            compare(stages, errors, input, report);
        }
        if (due > 0) stages.narrator().end_stage();
    }

    void compare(Stages& stages, const SampledErrors<Exec>& errors, const Input& input, Report& report) {
        errors.compare(
            stages,
            [&](const std::vector<std::size_t>& targets) {
                return tree_ ? results_at(exec_, targets, errors.bodies(), input, tree_->frame(), options_, tree_->targets())
                             : errors.references();
            },
            report);
    }

    /// Collective. Ends the stage "tolerance" of a walk. Whether another one must follow, alike on all ranks.
    bool falls_short(Stages& stages, LocalReport& local, std::int64_t samples, const Report& report) {
        double sums[] = {static_cast<double>(local.counts.node + local.counts.cell), static_cast<double>(local.sources),
                         static_cast<double>(local.targets)};
        stages.collective([&](const Agreed& all) { all.all_reduce(sums, 3, MPI_SUM); });
        stages.agree();
        local.clock.lap("tolerance");
        const Steering::Pairs pairs{sums[0], sums[1] * std::min(static_cast<double>(samples), sums[2]), std::max(1.0, sums[2])};
        return tree_->steering().walk_again(tree_->frame(), pairs, report);
    }

    /// Local. A host hears of it when it is measured.
    static void warn_of_tolerance(Narrator& narrator, Report& report) {
        if (!report.tolerance || report.tolerance->kept) return;
        report.warnings.push_back(warning_of(*report.tolerance));
        if (report.tolerance->solves_ago == 0) narrator.warn(report.warnings.back().c_str());
    }

    Options options_;
    typename Exec::Machine machine_;
    Exec exec_;
    typename Exec::template Buffer<double> polynomials_;  ///< polynomials of the Ewald table
    DirectLaw law_;
    bool has_table_ = false;               ///< whether law_ is that of the options
    std::optional<TreeSolve<Exec>> tree_;  ///< the solve by a tree; without one direct_, by theta
    std::optional<DirectSolve<Exec>> direct_;
    bool kept_tree_ = false;
};

}  // namespace gravlet
