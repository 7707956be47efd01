// SPDX-License-Identifier: Apache-2.0
// What can go wrong, in one vocabulary for every language and every rank.
#pragma once

#include <gravlet/export.h>

#include <stdexcept>
#include <string>

namespace gravlet {

enum class ErrorCode {
    invalid_option = 1,  ///< an Options value is out of range, or differs between ranks
    invalid_input = 2,   ///< cells, blocks, points or fields that no solver could accept
    out_of_memory = 3,   ///< host or device memory
    not_available = 4,   ///< a backend or feature that this build or machine does not have
    communication = 5,   ///< MPI reported an error
    file = 6,            ///< a file is missing, truncated, foreign, or lacks a variable
    internal = 7,        ///< a bug in gravlet
};

/// Thrown by every gravlet call that fails. Collective calls throw the same code and the same message on every rank of the
/// communicator, and leave the solver usable; the message names the rank and the cell (caller's index) where that applies.
class GRAVLET_API Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace gravlet
