// SPDX-License-Identifier: Apache-2.0
#include "tools/present/progress_line.hpp"

#include "mpi/communicator.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <new>
#include <string>

namespace gravlet {
namespace {

// mpirun gives its ranks a pipe and passes on what comes: then its own standard error counts, as Linux shows it in /proc.
bool launcher_on_terminal() {
    const std::string process = "/proc/" + std::to_string(getppid());
    std::string name;
    std::ifstream(process + "/comm") >> name;
    if (name != "mpirun" && name != "mpiexec" && name != "orterun" && name != "prterun") return false;
    const int file = open((process + "/fd/2").c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return false;
    const bool terminal = isatty(file) == 1;
    close(file);
    return terminal;
}

}  // namespace

ProgressLine::ProgressLine(MPI_Comm comm) : on_(false) {
    try {
        on_ = rank_in(comm) == 0 && (isatty(STDERR_FILENO) == 1 || launcher_on_terminal());
    } catch (const std::bad_alloc&) {  // no reason to leave the other ranks alone
    }
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
    if (!on_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

}  // namespace gravlet
