// SPDX-License-Identifier: Apache-2.0
// What a gravlet_solver is, and the fence that no exception crosses.
#pragma once

#include "api/one_call.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/solver.hpp>

#include <optional>
#include <string>
#include <utility>

struct gravlet_solver {
    std::optional<gravlet::Solver> solver;  ///< always there but while it is made
    std::string report_text;                ///< what gravlet_report_text() returned
    int rank = 0;                           ///< this one, of the solver's
    gravlet::OneCall calls;                 ///< calls under way: while there is one, the handle stays
};

namespace gravlet {

/// The code of what is being handled; its message is for gravlet_error_message(), which rank 0 is to print.
int code_of_current_exception(int rank) noexcept;

/// Runs `call`; what it throws becomes a code. `rank`: of a collective call, whose message all ranks get; 0 of a local one.
template <class F>
int guarded(F&& call, const int& rank = 0) noexcept {
    try {
        std::forward<F>(call)();
        return GRAVLET_SUCCESS;
    } catch (...) {
        return code_of_current_exception(rank);
    }
}

Options to_options(const gravlet_options& options);
/// Writes options to as much as the host's struct has. Its paths stay as they are.
void to_c(const Options& options, gravlet_options& host);

/// Throws Error(invalid_input) if an argument is missing.
void require(const void* argument, const char* name);
/// Throws Error(invalid_input) if there is no solver: none was created, or it is destroyed.
void require_solver(const gravlet_solver* solver);

}  // namespace gravlet
