// SPDX-License-Identifier: Apache-2.0
// A solver of one backend, behind the one interface that solver.cpp knows.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/input.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <memory>

namespace gravlet {

class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Collective. Shapes are validated and blocks laid out already. Throws the same Error on every rank.
    virtual Report solve(const Input& input) = 0;
    /// Local. Whether this rank kept its tree in the last solve.
    [[nodiscard]] virtual bool kept_tree() const = 0;
};

std::unique_ptr<Engine> make_cpu_engine(const Communicator& comm, const Options& options, int threads);

}  // namespace gravlet
