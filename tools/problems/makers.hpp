// SPDX-License-Identifier: Apache-2.0
// One maker a kind of problem; make_problem() chooses. All are collective.
#pragma once

#include "tools/problems/problem.hpp"

namespace gravlet {

[[nodiscard]] Problem make(MPI_Comm comm, const MaclaurinProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const CubeProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const TophatProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const CornerProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const SineWaveProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const Sech2LayerProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const OstrikerCylinderProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const UniformPointsProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const PlummerProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const HernquistProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const LatticeProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const PointsFileProblem& spec);
[[nodiscard]] Problem make(MPI_Comm comm, const FlashFileProblem& spec);

/// Throws Error(invalid_option) "problem.<key> is <value>: <expected>" unless ok.
void require_range(bool ok, const char* key, double value, const char* expected);

}  // namespace gravlet
