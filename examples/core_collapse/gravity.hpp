// SPDX-License-Identifier: Apache-2.0
// Gravity by gravlet: one solve finds the pull of gas and sinks on gas and sinks.
#pragma once

#include "mesh.hpp"
#include "sinks.hpp"

#include <gravlet/solver.hpp>

#include <vector>

namespace core_collapse {

class Gravity {
public:
    Gravity(MPI_Comm comm, const gravlet::Options& options) : solver_(comm, options) {}

    /// Collective. Sets the accelerations of all cells and sinks.
    void solve(const Mesh& mesh, std::vector<Sink>& sinks);
    /// Potentials of this rank's leaves, of the last solve.
    [[nodiscard]] const std::vector<Field>& potentials() const { return potentials_; }
    /// The shortest sqrt(h/|a|) of the last solve.
    [[nodiscard]] double time_step() const;
    [[nodiscard]] gravlet::Solver& solver() { return solver_; }
    [[nodiscard]] const gravlet::Report& report() const { return solver_.report(); }

private:
    gravlet::Solver solver_;
    std::vector<Field> potentials_;
};

}  // namespace core_collapse
