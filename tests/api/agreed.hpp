// SPDX-License-Identifier: Apache-2.0
// Catches what a collective call throws and checks that every rank caught the same.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace gravlet::test {

struct Caught {
    int code = 0;  ///< of ErrorCode; 0: nothing was thrown
    std::string message;

    /// Whether the message has this text (or there is none), and no digit goes on where it begins or ends.
    [[nodiscard]] bool names(const std::string& text) const {
        if (text.empty()) return true;
        const auto digit = [](char c) { return c >= '0' && c <= '9'; };
        for (std::size_t at = message.find(text); at != std::string::npos; at = message.find(text, at + 1)) {
            const std::size_t end = at + text.size();
            const bool begins = at == 0 || !digit(message[at - 1]) || !digit(text.front());
            const bool ends = end == message.size() || !digit(message[end]) || !digit(text.back());
            if (begins && ends) return true;
        }
        return false;
    }
};

/// Collective over MPI_COMM_WORLD.
template <class F>
Caught agreed(F&& call) {
    Caught caught;
    try {
        call();
    } catch (const Error& error) {
        caught = {static_cast<int>(error.code()), error.what()};
    }
    Caught first = caught;
    int length = static_cast<int>(first.message.size());
    MPI_Bcast(&first.code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first.message.resize(static_cast<std::size_t>(length));
    MPI_Bcast(first.message.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_EQ(caught.code, first.code);
    EXPECT_EQ(caught.message, first.message);
    return caught;
}

}  // namespace gravlet::test
