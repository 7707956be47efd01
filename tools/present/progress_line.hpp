// SPDX-License-Identifier: Apache-2.0
// One line on the terminal, written by rank 0, that says what is going on, also within a solve that takes long; nothing where
// standard error is no terminal.
#pragma once

#include <gravlet/listener.hpp>

#include <mpi.h>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace gravlet {

class ProgressLine final : public Listener {
public:
    /// Local. Rank 0 writes the line, if standard error or its launcher's is a terminal.
    explicit ProgressLine(MPI_Comm comm);
    ~ProgressLine() override;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Writes the line anew. Allocates nothing: it is called between collective operations.
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
    void progress(const char* what, double done) override { say("{}: {:.0f}%", what, 100.0 * done); }
    /// This line as the listener of a solver that does not outlive it.
    [[nodiscard]] std::shared_ptr<Listener> listener() { return {std::shared_ptr<void>(), this}; }

private:
    bool on_;
};

}  // namespace gravlet
