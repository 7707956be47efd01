// SPDX-License-Identifier: Apache-2.0
// A solution against a reference.
//
// The error of a target is |difference| / |reference|. With a periodic direction the potential passes through zero, so there it
// is |difference| divided by the rms of |reference| over the compared targets, for potential and acceleration alike.
#pragma once

#include "tools/config/config.hpp"

#include <gravlet/report.hpp>
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace gravlet {

/// This rank's answer, in the order of the problem's targets.
struct Solution {
    Solution(const Problem& problem, bool with_acceleration);
    Solution(const Solution&) = delete;
    Solution& operator=(const Solution&) = delete;
    [[nodiscard]] std::array<std::span<double>, 3> acceleration_spans();

    std::vector<double> potential;
    std::array<std::vector<double>, 3> acceleration;  ///< empty unless asked for
    bool has_acceleration;                            ///< the same on every rank
    std::vector<Block> views;                         ///< of the problem's blocks, with these results
};

/// Collective. One solve of the problem that the solution was made for.
void solve(Solver& solver, const Problem& problem, Solution& solution);

struct Comparison {
    ErrorStatistics potential;
    std::optional<ErrorStatistics> acceleration;  ///< if computed, and the reference gives it
    std::vector<double> error;                    ///< of the potential at each target; empty unless all were compared
};

/// Local, and the same on every rank: throws Error(invalid_option) if the problem has no such reference with these boundaries.
void require_reference(Reference reference, const Problem& problem, const std::array<Boundary, 3>& boundary);

/// Collective. `solution` is what the solver of `config` gave; the direct sum at a sample solves into it once more. `threads` are
/// for this rank's share of the cuboid sum. Throws what the solver throws.
[[nodiscard]] Comparison compare(MPI_Comm comm, const RunConfig& config, const Problem& problem, Solution& solution, int threads);

}  // namespace gravlet
