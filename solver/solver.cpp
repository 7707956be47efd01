// SPDX-License-Identifier: Apache-2.0
// The public Solver: turns each overload into one Input, chooses the backend, and keeps the report.
#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include "gpu/engine.hpp"
#include "mpi/agreement.hpp"
#include "solver/agree_options.hpp"
#include "solver/engine.hpp"
#include "solver/host_memory.hpp"
#include "solver/quiet_arithmetic.hpp"
#include "solver/threads.hpp"
#include "solver/validate_input.hpp"

#include <string>
#include <vector>

namespace gravlet {

class Solver::Impl {
public:
    Impl(MPI_Comm comm, const Options& options) : comm_(comm), options_(options), threads_(available_threads(options, comm_)) {
        const QuietArithmetic quiet(threads_);
        agree_on_options(comm_, options_);
        if (options_.backend != Backend::cpu) choose_gpu();
        if (!gpu_) cpu_ = make_cpu_engine(comm_, options_, threads_);
    }

    void solve(Input input) {
        const QuietArithmetic quiet(threads_);
        agree(comm_, [&] {
            validate_shapes(input);
            lay_out_blocks(input, block_begin_);
            require_flags_in_host_memory(input);
            if (!gpu_) require_host_memory(input);
        });
        Report report = solve_somewhere(input);
        report.warnings.insert(report.warnings.begin(), warnings_.begin(), warnings_.end());
        report_ = std::move(report);
    }

    /// Meets the other ranks at the first agreement of their solve().
    [[noreturn]] void abandon(const std::string& message) {
        agree(comm_, [&] { throw Error(ErrorCode::invalid_input, message); });
        throw Error(ErrorCode::internal, "an error of this rank was not agreed upon");
    }

    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] const Options& options() const { return options_; }

private:
    void choose_gpu() {
        if (options_.backend == Backend::automatic && !built_for_gpus()) return;
        try {
            gpu_ = make_gpu_engine(comm_, options_, threads_);
        } catch (const Error& error) {
            if (options_.backend == Backend::gpu || error.code() == ErrorCode::invalid_option) throw;
            warnings_.push_back(std::string("solved on the CPU: ") + error.what());
        }
    }

    /// A solve that is too large for the GPU goes to the CPU, if the caller left the choice to us.
    Report solve_somewhere(const Input& input) {
        std::string warning;
        if (gpu_) {
            try {
                return gpu_->solve(input);
            } catch (const Error& error) {
                if (options_.backend == Backend::gpu || error.code() != ErrorCode::out_of_memory) throw;
                if (!all_in_host_memory(input)) throw;
                warning = std::string("solved on the CPU: ") + error.what();
            }
        }
        if (!cpu_) cpu_ = make_cpu_engine(comm_, options_, threads_);
        Report report = cpu_->solve(input);
        if (!warning.empty()) report.warnings.push_back(warning);
        return report;
    }

    /// Collective: of all ranks' arrays.
    [[nodiscard]] bool all_in_host_memory(const Input& input) const {
        int elsewhere = 0;
        try {
            require_host_memory(input);
        } catch (const Error&) {
            elsewhere = 1;
        }
        return all_reduce(comm_.get(), elsewhere, MPI_MAX) == 0;
    }

    Communicator comm_;
    Options options_;
    int threads_;
    std::unique_ptr<Engine> gpu_, cpu_;
    std::vector<std::string> warnings_;  ///< of every solve
    std::vector<std::size_t> block_begin_;
    Report report_;
};

namespace {

MPI_Comm while_mpi_runs(MPI_Comm comm) {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0) throw Error(ErrorCode::communication, "MPI_Finalize has been called: there is nobody to solve with");
    return comm;
}

/// What a collective call works with.
template <class Impl>
Impl& usable(const std::unique_ptr<Impl>& impl) {
    if (impl == nullptr) throw Error(ErrorCode::invalid_input, "this solver has been moved from: make another");
    while_mpi_runs(MPI_COMM_NULL);
    return *impl;
}

}  // namespace

Solver::Solver(MPI_Comm comm, const Options& options) : impl_(std::make_unique<Impl>(while_mpi_runs(comm), options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::solve(const Cells& cells, const Fields& fields) { usable(impl_).solve(make_input(cells, fields, {}, {})); }

void Solver::solve(const Points& points, const Fields& fields) { usable(impl_).solve(make_input({}, {}, points, fields)); }

void Solver::solve(const Cells& cells, const Fields& cell_fields, const Points& points, const Fields& point_fields) {
    usable(impl_).solve(make_input(cells, cell_fields, points, point_fields));
}

void Solver::solve(std::span<const Block> blocks) { solve(blocks, {}, {}); }

void Solver::solve(std::span<const Block> blocks, const Points& points, const Fields& point_fields) {
    Input input = make_input({}, {}, points, point_fields);
    input.blocks = blocks.data();
    input.block_count = blocks.size();
    usable(impl_).solve(input);
}

void Solver::abandon(const std::string& message) { usable(impl_).abandon(message); }

const Report& Solver::report() const noexcept {
    static const Report none;
    return impl_ != nullptr ? impl_->report() : none;
}

const Options& Solver::options() const noexcept {
    static const Options defaults;
    return impl_ != nullptr ? impl_->options() : defaults;
}

}  // namespace gravlet
