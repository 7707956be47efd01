// SPDX-License-Identifier: Apache-2.0
// The solver's calls that faults are tried on: small problems of every kind.
#pragma once

#include "tests/fault/trial.hpp"

#include <vector>

namespace gravlet::test {

/// Every kind of solve and of constructor, through C++ and C. On the CPU, or with GRAVLET_TEST_GPU on the GPU.
[[nodiscard]] std::vector<Case> solver_cases();

/// Those whose calls of MPI or CUDA differ.
[[nodiscard]] std::vector<Case> few_solver_cases();

}  // namespace gravlet::test
