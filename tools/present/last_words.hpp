// SPDX-License-Identifier: Apache-2.0
// What a crash says. HDF5 checks little of what a file holds, and some damaged files crash it in ways that nobody can foresee
// (hdf5/soundness.hpp has those that can be): the process then names the file, and ends by an exit code rather than by a signal.
#pragma once

#include <csignal>

#include <array>
#include <string>

namespace gravlet {

/// Local. A crash while it lives is told with this key and path. One lives at a time. An empty path is no file. It allocates
/// nothing: it lives around collective operations.
class [[nodiscard]] LastWords {
public:
    LastWords(const char* key, const std::string& path) noexcept;
    ~LastWords();
    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;

private:
    static constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    bool listens_ = false;
    std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace gravlet
