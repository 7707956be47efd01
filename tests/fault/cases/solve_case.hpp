// SPDX-License-Identifier: Apache-2.0
// Solves of cells, points and probes.
#pragma once

#include "tests/fault/cases/case_arrays.hpp"
#include "tests/fault/trial.hpp"

#include <memory>

namespace gravlet::test {

[[nodiscard]] std::unique_ptr<Trial> make_solve(const Setup& setup);
/// A solve of another problem before.
[[nodiscard]] std::unique_ptr<Trial> make_second_solve(const Setup& first, const Setup& setup);
/// With another softening and domain than in the solves before: what is tried tells them to the solver, and solves.
[[nodiscard]] std::unique_ptr<Trial> make_solve_with_other_lengths(const Setup& setup);

}  // namespace gravlet::test
