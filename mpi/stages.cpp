// SPDX-License-Identifier: Apache-2.0
#include "mpi/stages.hpp"

#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

namespace gravlet {
namespace {

constexpr const char* no_memory = "out of host memory";
constexpr int unknown = -1;

}  // namespace

Error as_error(const std::exception_ptr& caught) { return Outcome(caught).error(); }

Outcome::Outcome(const std::exception_ptr& caught) noexcept {
    try {
        std::rethrow_exception(caught);
    } catch (const Error& error) {
        *this = Outcome(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        *this = Outcome(ErrorCode::out_of_memory, no_memory);
    } catch (const std::length_error&) {  // more elements than any memory holds
        *this = Outcome(ErrorCode::out_of_memory, no_memory);
    } catch (const std::exception& error) {
        *this = Outcome(ErrorCode::internal, error.what());
    } catch (...) {
        *this = Outcome(ErrorCode::internal, "unknown exception");
    }
}

Outcome::Outcome(ErrorCode error, const char* text) noexcept : code(static_cast<int>(error)) {
    std::snprintf(message, sizeof message, "%s", text);
}

void Outcome::prepend_rank(int rank) noexcept {
    char prefix[32];
    const int length = std::snprintf(prefix, sizeof prefix, "rank %d: ", rank);
    const std::size_t n = static_cast<std::size_t>(length);
    std::memmove(message + n, message, sizeof message - n);
    std::memcpy(message, prefix, n);
    message[sizeof message - 1] = '\0';
}

Error Outcome::error() const {
    if (code == 0) return {ErrorCode::communication, "another rank failed, and MPI lost its message"};
    return {static_cast<ErrorCode>(code), message};
}

Stages::Stages(MPI_Comm comm) noexcept : comm_(comm), rank_(rank_in(comm)), size_(size_of(comm)) {}

void Stages::check(int code, const char* what) noexcept {
    if (code == MPI_SUCCESS) return;
    try {
        mpi_check(code, what);
    } catch (...) {
        keep(std::current_exception());
    }
}

void Stages::agree() {
    const int mine = failed() ? rank_ : size_;
    int failing = unknown;
    const int code = MPI_Allreduce(&mine, &failing, 1, MPI_INT, MPI_MIN, comm_);
    if (failing == unknown) {  // else all know, whatever MPI reports
        check(code, "MPI_Allreduce");
        failing = mine;
    }
    if (failing == size_) return;
    Outcome outcome;
    if (rank_ == failing) {
        outcome = Outcome(failure_);
        if (size_ > 1) outcome.prepend_rank(rank_);
    }
    check(MPI_Bcast(&outcome, static_cast<int>(sizeof outcome), MPI_BYTE, failing, comm_), "MPI_Bcast");
    failure_ = nullptr;
    throw outcome.error();
}

void Stages::finish() {
    if (failed()) throw last_failure();
}

Error Stages::last_failure() { return as_error(std::exchange(failure_, nullptr)); }

}  // namespace gravlet
