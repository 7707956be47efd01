// SPDX-License-Identifier: Apache-2.0
#include "tools/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>

namespace gravlet {

Progress::Progress(MPI_Comm comm) : on_(isatty(STDERR_FILENO) == 1) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    on_ = on_ && rank == 0;
}

Progress::~Progress() { clear(); }

void Progress::say(std::string_view what) {
    if (!on_) return;
    fmt::print(stderr, "\r\033[K{} ...", what);
    std::fflush(stderr);
}

void Progress::clear() {
    if (!on_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

}  // namespace gravlet
