// SPDX-License-Identifier: Apache-2.0
// One line on the terminal, written by rank 0, that says what is going on; nothing where standard error is no terminal.
#pragma once

#include <mpi.h>

#include <fmt/format.h>

#include <cstdio>

namespace gravlet {

class Progress {
public:
    /// Local.
    explicit Progress(MPI_Comm comm);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Allocates nothing: it is called between collective operations.
    template <class... T>
    void say(fmt::format_string<const T&...> what, const T&... values) {
        if (!on_) return;
        fmt::print(stderr, "\r\033[K");
        fmt::print(stderr, what, values...);
        fmt::print(stderr, " ...");
        std::fflush(stderr);
    }
    /// Wipes the line, before other output.
    void clear();

private:
    bool on_;
};

}  // namespace gravlet
