// SPDX-License-Identifier: Apache-2.0
// A solver of one backend, behind the one interface that solver.cpp knows.
#pragma once

#include "mpi/stages.hpp"
#include "solver/input/input.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>
#include <gravlet/steering.hpp>

#include <cstddef>
#include <memory>

namespace gravlet {

class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Collective: `stages` are of the engine's communicator. Shapes are checked and blocks laid out already. Fills `report`,
    /// but for its warnings. Throws the same Error on every rank; results are untouched then.
    virtual void solve(Stages& stages, const Input& input, Report& report) = 0;
    /// Local. Options of the solves that follow, the same on every rank: G, softening and domain may be other ones.
    virtual void set_options(const Options& options) = 0;
    /// Local. What this rank's part of the engine has learned (Solver::get_steering()); all 0 where it has none.
    [[nodiscard]] virtual SteeringState get_steering() const = 0;
    /// Local. Takes the place of that, the same on every rank.
    virtual void set_steering(const SteeringState& state) = 0;
    /// Local. OpenMP threads of this rank that a solve works with.
    [[nodiscard]] virtual int threads() const = 0;
    /// Local. Whether this rank kept its tree in the last solve.
    [[nodiscard]] virtual bool kept_tree() const = 0;

    /// Local. Whether the next solve, of `input`, may be given the densities of its cells before: if its blocks are those of the
    /// last one.
    [[nodiscard]] virtual bool begin_ahead(const Input&) { return false; }
    /// Local, after begin_ahead(): densities of cells [first, first + count) are in `input`'s arrays, and stay.
    virtual void bring_ahead(std::size_t /*first*/, std::size_t /*count*/) {}
    /// Local. Ends what is ahead when the solve is over or there is none: the arrays are the caller's again.
    virtual void end_ahead() noexcept {}
};

/// Collective. An engine that `make` (local) makes and that prepares itself with those of the other ranks: all have one, or none.
template <class Make, class... Arguments>
auto prepared_engine(Stages& stages, Make make, Arguments... arguments) {
    decltype(make()) engine;
    stages.local([&] { engine = make(); });
    stages.agree();
    engine->prepare(stages, arguments...);
    stages.agree();
    return engine;
}

}  // namespace gravlet
