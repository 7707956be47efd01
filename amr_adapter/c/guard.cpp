// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"
#include "mpi/stages.hpp"

namespace gravlet {
namespace {

thread_local Outcome last;
thread_local bool printer = true;

}  // namespace

int code_of_current_exception(int rank) noexcept {
    printer = rank == 0;
    last = Outcome(std::current_exception());
    return last.code;
}

void require(const void* argument, const char* name) {
    if (argument == nullptr) throw Error(ErrorCode::invalid_input, std::string(name) + " is NULL");
}

void require_solver(const gravlet_solver* solver) {
    if (solver == nullptr) throw Error(ErrorCode::invalid_input, "the solver was not created, or is destroyed: create it first");
}

}  // namespace gravlet

const char* gravlet_error_message() { return gravlet::last.message; }

int gravlet_prints_error() { return gravlet::printer ? 1 : 0; }
