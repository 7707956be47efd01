// SPDX-License-Identifier: Apache-2.0
// What a gravlet_solver is, and the fence that no exception crosses.
#pragma once

#include <gravlet/gravlet.h>
#include <gravlet/solver.hpp>

#include <functional>
#include <string>

struct gravlet_solver {
    gravlet_solver(MPI_Comm comm, const gravlet::Options& options) : solver(comm, options) {}

    gravlet::Solver solver;
    std::string report_text;  ///< what gravlet_report_text() returned
};

namespace gravlet {

/// Runs `call`; what it throws becomes a code, and a message for gravlet_error_message().
int guarded(const std::function<void()>& call) noexcept;

Options to_options(const gravlet_options& options);

}  // namespace gravlet
