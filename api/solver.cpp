// SPDX-License-Identifier: Apache-2.0
// The public Solver: turns each overload into one Input, chooses the backend, and keeps the report.
#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include "api/float_environment.hpp"
#include "api/one_call.hpp"
#include "api/options.hpp"
#include "api/threads.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "mpi/agreement.hpp"
#include "solver/arrays/apart.hpp"
#include "solver/arrays/known_blocks.hpp"
#include "solver/criterion/steering.hpp"
#include "solver/data/engine.hpp"
#include "solver/input/host_memory.hpp"
#include "solver/input/input_checks.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

class Solver::Impl {
public:
    /// Collective. Throws the same Error on every rank.
    void start(Stages& stages, Communicator comm, const Options& options, std::shared_ptr<Listener> listener) {
        const OneCall::Inside inside(calls_);
        comm_ = std::move(comm);
        listener_ = std::move(listener);
        threads_ = available_threads(options, comm_);
        std::optional<FloatEnvironment> ours;
        stages.local([&] {
            options_ = options;
            ours.emplace(threads_);
        });
        agree_on_options(stages, options);
        if (options_.backend != Backend::cpu) choose_gpu(stages);
        if (!gpu_) cpu_ = make_cpu_engine(stages, comm_, options_, threads_);
        stages.finish();
    }

    void solve(Input input) {
        const OneCall::Inside inside(calls_);
        Narrator narrator(listener_.get());
        Stages stages(comm_, narrator);
        Report report;
        std::optional<FloatEnvironment> ours;
        stages.local([&] {
            ours.emplace(threads());
            input.number = ++solves_, input.told = std::exchange(told_, false);
            if (std::exchange(drift_told_, false)) input.drift = checked_drift(input, drift_);
            blocks_.describe(input, threads(), gpu_ == nullptr);
            check_shapes(input);
            if (input.told) input.changed = flags_of_changed(input, changed_);
            require_apart(input);
            if (input.block_count > 0) blocks_.require_others_apart(input);
            require_flags_in_host_memory(input);
            check_classes(input);
            if (!gpu_) require_host_memory(input);
            report.warnings = warnings_;
        });
        solve_somewhere(stages, input, report, ours);
        report_ = std::move(report);
        // All results are there. What MPI reports of the numbers above is no reason to doubt them, nor is a lack of memory for
        // saying so.
        if (!stages.failed()) return;
        const Error failure = stages.last_failure();
        stages.local([&] { warn(stages, report_.warnings, std::string("this report is not complete: ") + failure.what()); });
    }

    /// Collective. Options of the solves that follow: `change(options)` makes them of those now, G, softening or domain other.
    template <class Change>
    void set_options(const Change& change) {
        between_solves([&](Stages& stages) {
            Options wanted;
            stages.local([&] {
                wanted = options_;
                change(wanted);
            });
            agree_on_options(stages, wanted);
            options_ = wanted;
            for (Engine* const engine : {gpu_.get(), cpu_.get()})
                if (engine != nullptr) engine->set_options(wanted);
        });
    }

    void only_changed(std::span<const std::uint8_t> flags) {
        const OneCall::Inside inside(calls_);
        changed_.assign(flags.begin(), flags.end());
        told_ = true;
    }

    void drifted(const std::array<InputSpan, 3>& velocity, double time) {
        const OneCall::Inside inside(calls_);
        drift_ = {{velocity[0], velocity[1], velocity[2]}, time};
        drift_told_ = true;
    }

    SteeringState get_steering() {
        SteeringState state{};
        between_solves([&](Stages& stages) {
            // Where ranks gather some have none: all 0, and no value is less.
            stages.local([&] { state = (gpu_ != nullptr ? gpu_ : cpu_)->get_steering(); });
            stages.collective([&](const Agreed& all) { all.all_reduce(state.data(), static_cast<int>(state.size()), MPI_MAX); });
            stages.finish();
        });
        return state;
    }

    void set_steering(const SteeringState& state) {
        between_solves([&](Stages& stages) {
            SteeringState first = state;
            stages.collective([&](const Agreed& all) {
                all.check(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_DOUBLE, 0, all.get()), "MPI_Bcast");
            });
            stages.local([&] {
                if (std::memcmp(first.data(), state.data(), sizeof first) != 0)
                    throw Error(ErrorCode::invalid_input, "steering: it is not that of rank 0");
                Steering::check(state);
            });
            stages.agree();
            for (Engine* const engine : {gpu_.get(), cpu_.get()})
                if (engine != nullptr) engine->set_steering(state);
        });
    }

    /// Meets the other ranks at the first agreement of their solve(). `fail` throws. It counts as a solve: what was said to have
    /// changed has gone by with it.
    template <class F>
    [[noreturn]] void abandon(const F& fail) {
        const OneCall::Inside inside(calls_);
        ++solves_, told_ = drift_told_ = false;
        agree(comm_, fail);
        throw Error(ErrorCode::internal, "an error of this rank was not agreed upon");
    }

    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] const Options& options() const { return options_; }

private:
    /// Collective. f(stages), of a call that is no solve: by this thread alone.
    template <class F>
    void between_solves(const F& f) {
        const OneCall::Inside inside(calls_);
        const OwnEnvironment ours;
        Narrator narrator(listener_.get());
        Stages stages(comm_, narrator);
        f(stages);
    }

    void choose_gpu(Stages& stages) {
        if (options_.backend == Backend::automatic && !on_any_rank(stages, sees_gpus())) return;
        try {
            gpu_ = make_gpu_engine(stages, comm_, options_, threads_);
        } catch (const Error& error) {
            if (options_.backend == Backend::gpu || error.code() == ErrorCode::invalid_option) throw;
            stages.local([&] { warn(stages, warnings_, std::string("solved on the CPU: ") + error.what()); });
        }
    }

    static void warn(Stages& stages, std::vector<std::string>& warnings, std::string text) {
        warnings.push_back(std::move(text));
        stages.narrator().warn(warnings.back().c_str());
    }

    /// A solve that is too large for the GPU goes to the CPU, if the caller left the choice to us.
    void solve_somewhere(Stages& stages, const Input& input, Report& report, std::optional<FloatEnvironment>& ours) {
        if (gpu_) {
            try {
                return gpu_->solve(stages, input, report);
            } catch (const Error& error) {
                if (options_.backend == Backend::gpu || error.code() != ErrorCode::out_of_memory) throw;
                if (!all_in_host_memory(stages, input)) throw;
                stages.local([&] {
                    ours.emplace(threads_);
                    warn(stages, report.warnings, std::string("solved on the CPU: ") + error.what());
                });
            }
        }
        if (!cpu_) cpu_ = make_cpu_engine(stages, comm_, options_, threads_);
        cpu_->solve(stages, input, report);
    }

    /// Threads of a solve, unless it goes from a GPU to the CPU.
    [[nodiscard]] int threads() const { return gpu_ ? gpu_->threads() : threads_; }

    /// Collective. Whether all ranks' arrays are in host memory.
    static bool all_in_host_memory(Stages& stages, const Input& input) {
        bool elsewhere = false;
        try {
            require_host_memory(input);
        } catch (...) {
            elsewhere = true;
        }
        return !on_any_rank(stages, elsewhere);
    }

    /// Collective. Whether it is so on some rank.
    static bool on_any_rank(Stages& stages, bool here) {
        int any = here ? 1 : 0;
        stages.collective([&](const Agreed& all) { all.all_reduce(&any, 1, MPI_MAX); });
        stages.agree();
        return any == 1;
    }

    OneCall calls_;
    Communicator comm_;
    std::shared_ptr<Listener> listener_;  ///< listener, or null
    Options options_;
    int threads_ = 1;
    std::unique_ptr<Engine> gpu_, cpu_;
    std::vector<std::string> warnings_;  ///< warnings of every solve
    KnownBlocks blocks_;
    std::vector<std::uint8_t> changed_;
    std::uint64_t solves_ = 0;
    bool told_ = false;  ///< whether only_changed() was called for the next solve
    Drift drift_;
    bool drift_told_ = false;  ///< whether drifted() was
    Report report_;
};

namespace {

/// What a collective call works with, which may outlive its solver.
template <class Impl>
std::shared_ptr<Impl> usable(const std::shared_ptr<Impl>& impl) {
    if (impl == nullptr) throw Error(ErrorCode::invalid_input, "this solver has been moved from: make another");
    if (!mpi_is_running()) throw Error(ErrorCode::communication, "MPI_Finalize has been called: there is nobody to solve with");
    return impl;
}

}  // namespace

Solver::Solver(MPI_Comm comm, const Options& options, std::shared_ptr<Listener> listener) {
    Communicator ranks(comm);
    Narrator narrator(listener.get());
    Stages stages(ranks, narrator);
    stages.local([&] { impl_ = std::make_shared<Impl>(); });
    stages.agree();
    impl_->start(stages, std::move(ranks), options, std::move(listener));
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::solve(const Cells& cells, const Fields& fields, const Probes& probes) { solve(cells, fields, {}, {}, probes); }

void Solver::solve(const Points& points, const Fields& fields, const Probes& probes) { solve({}, {}, points, fields, probes); }

void Solver::solve(const Cells& cells, const Fields& cell_fields, const Points& points, const Fields& point_fields,
                   const Probes& probes) {
    usable(impl_)->solve(make_input(cells, cell_fields, points, point_fields, probes));
}

void Solver::solve(std::span<const Block> blocks, const Probes& probes) { solve(blocks, {}, {}, probes); }

void Solver::solve(std::span<const Block> blocks, const Points& points, const Fields& point_fields, const Probes& probes) {
    Input input = make_input({}, {}, points, point_fields, probes);
    input.blocks = blocks.data();
    input.block_count = blocks.size();
    usable(impl_)->solve(input);
}

void Solver::set_G(double G) {
    usable(impl_)->set_options([G](Options& options) { options.G = G; });
}
void Solver::set_softening(double length) {
    usable(impl_)->set_options([length](Options& options) { options.softening = length; });
}
void Solver::set_domain(const Box& domain) {
    usable(impl_)->set_options([&domain](Options& options) { options.domain = domain; });
}
void Solver::set_shear(double length) {
    usable(impl_)->set_options([length](Options& options) { options.shear = length; });
}

void Solver::drifted(const std::array<InputSpan, 3>& velocity, double time) { usable(impl_)->drifted(velocity, time); }
void Solver::only_changed(std::span<const std::uint8_t> flags) { usable(impl_)->only_changed(flags); }

SteeringState Solver::get_steering() { return usable(impl_)->get_steering(); }

void Solver::set_steering(const SteeringState& state) { usable(impl_)->set_steering(state); }

void Solver::abandon(const std::string& message) {
    usable(impl_)->abandon([&] { throw Error(ErrorCode::invalid_input, message); });
}

void Solver::abandon(const std::exception_ptr& caught) {
    usable(impl_)->abandon([&] { std::rethrow_exception(caught); });
}

const Report& Solver::report() const noexcept {
    static const Report none;
    return impl_ != nullptr ? impl_->report() : none;
}

const Options& Solver::options() const noexcept {
    static const Options defaults;
    return impl_ != nullptr ? impl_->options() : defaults;
}

}  // namespace gravlet
