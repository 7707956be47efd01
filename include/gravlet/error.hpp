// SPDX-License-Identifier: Apache-2.0
// What can go wrong, in one vocabulary for every language and every rank.
#pragma once

#include <gravlet/export.h>
#include <gravlet/standard.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gravlet {

enum class ErrorCode {
    // [generated: codes] scripts/generate, api/schema
    invalid_option = 1,  ///< an option is out of range, or differs between ranks
    invalid_input = 2,   ///< cells, blocks, points or fields that no solver could accept
    out_of_memory = 3,   ///< too little host or device memory
    not_available = 4,   ///< a backend or feature that this build or machine does not have
    communication = 5,   ///< MPI reported an error
    file = 6,            ///< a file is missing, truncated, foreign, or lacks a variable
    internal = 7,        ///< a bug in gravlet, or a device that fails
    cancelled = 8,       ///< a listener wanted the solve to end
    // [/generated]
};

/// "invalid_option" and so on.
[[nodiscard]] constexpr const char* name_of(ErrorCode code) {
    // [generated: names] scripts/generate, api/schema
    if (code == ErrorCode::invalid_option) return "invalid_option";
    if (code == ErrorCode::invalid_input) return "invalid_input";
    if (code == ErrorCode::out_of_memory) return "out_of_memory";
    if (code == ErrorCode::not_available) return "not_available";
    if (code == ErrorCode::communication) return "communication";
    if (code == ErrorCode::file) return "file";
    if (code == ErrorCode::internal) return "internal";
    if (code == ErrorCode::cancelled) return "cancelled";
    return "";
    // [/generated]
}

/// Thrown by every gravlet call that fails. Collective calls throw the same code and the same message on every rank of the
/// communicator, and leave the solver usable; the message names the rank and the cell (caller's index) where that applies.
/// Holds its message itself, and so can be thrown, and says the same, where there is no memory left.
class GRAVLET_API Error : public std::runtime_error {
public:
    /// The message is cut to `room` bytes.
    Error(ErrorCode code, std::string_view message) : std::runtime_error(""), code_(code) {
        message.copy(text_, room);  // all zeros before
    }
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }
    [[nodiscard]] const char* what() const noexcept override { return text_; }

    static constexpr std::size_t room = 2100;

private:
    ErrorCode code_;
    char text_[room + 1] = "";
};

}  // namespace gravlet
