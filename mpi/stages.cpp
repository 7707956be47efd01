// SPDX-License-Identifier: Apache-2.0
#include "mpi/stages.hpp"

#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>

namespace gravlet {
namespace {

constexpr const char* no_memory = "out of host memory";
constexpr int unknown = -1;

}  // namespace

/// Words of an error, put together without memory, which a rank may have run out of.
struct AgreedError::Words {
    char text[Error::room + 1] = "";
    std::size_t prefix = 0;

    explicit Words(const Outcome& outcome) {
        const int named = outcome.owner != no_rank ? outcome.owner : outcome.rank;
        if (named != no_rank) prefix = static_cast<std::size_t>(std::snprintf(text, sizeof text, "rank %d: ", named));
        std::string_view(outcome.message).copy(text + prefix, Error::room - prefix);  // zeros behind it
    }
};

AgreedError::AgreedError(const Outcome& outcome) : AgreedError(outcome, Words(outcome)) {}

AgreedError::AgreedError(const Outcome& outcome, const Words& words)
    : Error(static_cast<ErrorCode>(outcome.code), words.text),
      rank_(outcome.rank),
      owner_(outcome.owner),
      text_begin_(words.prefix) {}

Error as_error(const std::exception_ptr& caught) {
    const Outcome outcome(caught);
    return {static_cast<ErrorCode>(outcome.code), outcome.message};
}

Outcome::Outcome(const std::exception_ptr& caught) noexcept {
    try {
        std::rethrow_exception(caught);
    } catch (const OwnedError& error) {
        *this = Outcome(error.code(), error.what());
        owner = error.owner();
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
    std::string_view(text).copy(message, sizeof message - 1);  // zeros behind it
}

Stages::Stages(MPI_Comm comm) noexcept
    : comm_(comm), rank_(rank_in(comm)), size_(size_of(comm)), narrator_(Narrator::to_nobody()) {}

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
    Outcome outcome(ErrorCode::communication, "another rank failed, and MPI lost its message");
    if (rank_ == failing) {
        outcome = Outcome(failure_);
        if (size_ > 1) outcome.rank = rank_;
    }
    check(MPI_Bcast(&outcome, static_cast<int>(sizeof outcome), MPI_BYTE, failing, comm_), "MPI_Bcast");
    failure_ = nullptr;
    throw AgreedError(outcome);
}

void Stages::finish() {
    if (failed()) throw last_failure();
}

Error Stages::last_failure() { return as_error(std::exchange(failure_, nullptr)); }

}  // namespace gravlet
