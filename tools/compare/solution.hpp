// SPDX-License-Identifier: Apache-2.0
// Room for a problem's answer, and the solve that fills it.
#pragma once

#include "solver/input/input.hpp"
#include "tools/problems/problem.hpp"

#include <gravlet/solver.hpp>

#include <array>
#include <vector>

namespace gravlet {

/// This rank's answer, in the order of the problem's targets.
struct Solution {
    /// `with_derivatives`: of the potential, up to so many.
    Solution(const Problem& problem, int with_derivatives);
    Solution(const Solution&) = delete;
    Solution& operator=(const Solution&) = delete;
    [[nodiscard]] Fields fields();
    [[nodiscard]] Result at(std::size_t target) const;

    std::vector<double> potential;
    std::array<std::vector<double>, 3> acceleration;  ///< empty unless asked for
    std::array<std::vector<double>, 6> tidal;         ///< empty unless asked for
    int derivatives;                                  ///< how many of the potential are asked for; the same on every rank
    std::vector<Block> views;                         ///< the problem's blocks, with these results
};

/// Collective. One solve of the problem that the solution was made for.
void solve(Solver& solver, const Problem& problem, Solution& solution);

}  // namespace gravlet
