// SPDX-License-Identifier: Apache-2.0
// The public Solver: turns each overload into one Input, chooses the backend, and keeps the report.
#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include "cpu/cpu.hpp"
#include "solver/agree_options.hpp"
#include "solver/direct_solve.hpp"
#include "solver/error_sample.hpp"
#include "solver/threads.hpp"
#include "solver/tree_solve.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

namespace gravlet {
namespace {

Input make_input(const Cells& cells, const Fields& fields, const Points& points, const Fields& point_fields) {
    Input input;
    input.cells = cells;
    input.cell_fields = fields;
    input.points = points;
    input.point_fields = point_fields;
    input.cell_count = cells.x.size();
    input.point_count = points.x.size();
    input.acceleration = !fields.acceleration[0].empty() || !point_fields.acceleration[0].empty();
    return input;
}

}  // namespace

class Solver::Impl {
public:
    Impl(MPI_Comm comm, const Options& options)
        : comm_(comm), options_(options), threads_(available_threads(options, comm_)), cpu_{&memory_, threads_} {
        agree_on_options(comm_, options_);
        if (options_.theta > 0.0) tree_ = std::make_unique<TreeSolve<Cpu>>(comm_, cpu_, options_);
    }

    void solve(Input input) {
        const ThreadScope threads(threads_);
        agree(comm_.get(), [&] {
            validate_shapes(input);
            lay_out_blocks(input);
        });
        memory_.reset();
        const Box* const domain = options_.domain ? &*options_.domain : nullptr;
        if (!tree_) agree(comm_.get(), [&] { scan_input(cpu_, input, domain); });
        LocalReport local = tree_ ? tree_->run(input) : direct_solve(comm_, input, options_, threads_);
        local.peak_bytes = memory_.peak();
        Report report = reduce_report(comm_.get(), local);
        report.threads = threads_;
        report.backend = backends().front();
        if (options_.error_samples > 0) sample_errors(input, report);
        report_ = std::move(report);
    }

    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] const Options& options() const { return options_; }

private:
    /// Numbers the blocks' cells through.
    void lay_out_blocks(Input& input) {
        if (input.blocks == nullptr) return;
        block_begin_.assign(1, 0);
        for (std::size_t b = 0; b < input.block_count; ++b) {
            const auto& n = input.blocks[b].n;
            block_begin_.push_back(block_begin_.back() + static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
                                                             static_cast<std::size_t>(n[2]));
            if (input.blocks[b].acceleration[0] != nullptr) input.acceleration = true;
        }
        input.block_begin = block_begin_.data();
        input.cell_count = block_begin_.back();
        const std::size_t first = input.block_count > 0 ? block_begin_[1] : 0;
        const auto alike = [&](const Block& block) { return block.n == input.blocks[0].n; };
        if (std::all_of(input.blocks, input.blocks + input.block_count, alike))
            input.cells_per_block = static_cast<std::uint32_t>(first);
    }

    void sample_errors(const Input& input, Report& report) const {
        const std::vector<std::size_t> targets = sample_targets(comm_, input.size(), options_.error_samples, options_.error_seed);
        const bool acceleration = all_reduce(comm_.get(), input.acceleration ? 1 : 0, MPI_MAX) != 0;
        DirectSums reference;
        reference.run(comm_, input, targets, options_, acceleration, threads_);
        std::vector<double> potential, field;
        const std::vector<Result> results = results_of(input, targets, reference);
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const Result exact = reference.result(input, options_, k);
            potential.push_back(potential_error(results[k], exact));
            if (acceleration) field.push_back(acceleration_error(results[k], exact));
        }
        report.potential_error = statistics(comm_, potential);
        if (acceleration) report.acceleration_error = statistics(comm_, field);
    }

    /// The solve's own results at sampled targets, whether or not the caller wanted them; a direct solve is its own reference.
    [[nodiscard]] std::vector<Result> results_of(const Input& input, const std::vector<std::size_t>& targets,
                                                 const DirectSums& reference) const {
        std::vector<Result> results(targets.size());
        if (!tree_) {
            for (std::size_t k = 0; k < targets.size(); ++k) results[k] = reference.result(input, options_, k);
            return results;
        }
        const Bodies<Cpu>& b = tree_->bodies();
        std::vector<std::size_t> sorted(input.size());
        for (std::size_t s = 0; s < b.count; ++s) sorted[b.order[s]] = s;
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const std::size_t s = sorted[targets[k]];
            const Point3 field = tree_->frame().acceleration ? Point3{b.field[0][s], b.field[1][s], b.field[2][s]} : Point3{};
            results[k] = to_result(input, targets[k], b.potential[s], field, tree_->frame(), options_);
        }
        return results;
    }

    Communicator comm_;
    Options options_;
    int threads_;
    MemoryTally memory_;
    Cpu cpu_;
    std::unique_ptr<TreeSolve<Cpu>> tree_;  ///< none for the direct sum
    std::vector<std::size_t> block_begin_;
    Report report_;
};

Solver::Solver(MPI_Comm comm, const Options& options) : impl_(std::make_unique<Impl>(comm, options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::solve(const Cells& cells, const Fields& fields) { impl_->solve(make_input(cells, fields, {}, {})); }

void Solver::solve(const Points& points, const Fields& fields) { impl_->solve(make_input({}, {}, points, fields)); }

void Solver::solve(const Cells& cells, const Fields& cell_fields, const Points& points, const Fields& point_fields) {
    impl_->solve(make_input(cells, cell_fields, points, point_fields));
}

void Solver::solve(std::span<const Block> blocks) { solve(blocks, {}, {}); }

void Solver::solve(std::span<const Block> blocks, const Points& points, const Fields& point_fields) {
    Input input = make_input({}, {}, points, point_fields);
    input.blocks = blocks.data();
    input.block_count = blocks.size();
    impl_->solve(input);
}

const Report& Solver::report() const noexcept { return impl_->report(); }

const Options& Solver::options() const noexcept { return impl_->options(); }

}  // namespace gravlet
