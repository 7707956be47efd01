// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/watchdog.hpp"

#include <mpi.h>

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace gravlet::test {
namespace {

// Filled beforehand: a signal's handler may not allocate.
std::array<char, 8192> said;
useconds_t turn = 0;  ///< ranks print one after the other

extern "C" void bark(int signal) {
    constexpr useconds_t patience = 1'000'000;  // the other ranks have their say before mpirun ends them
    if (signal == SIGALRM) usleep(turn);
    const char* const end = signal == SIGALRM ? "HANGS: " : "CRASHES: ";
    std::array<char, said.size() + 16> text{};
    std::strcat(text.data(), end);
    std::strcat(text.data(), said.data());
    std::array<void*, 64> frames;
    const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), std::strlen(text.data()));
    backtrace_symbols_fd(frames.data(), depth, STDERR_FILENO);
    if (signal == SIGALRM) usleep(patience);
    _exit(3);
}

unsigned seconds() {
    const char* const given = std::getenv("GRAVLET_FAULT_SECONDS");
    return given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 20;
}

void listen() {
    struct sigaction action {};
    action.sa_handler = bark;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGALRM, SIGABRT}) sigaction(signal, &action, nullptr);
#if !defined(__SANITIZE_ADDRESS__)           // which tells more, and aborts if it is told to
    alignas(16) static char stack[1 << 16];  // for one that has overflowed
    stack_t own{};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
#endif
    std::array<void*, 1> frame;
    backtrace(frame.data(), 1);  // it loads its library when it is first called
}

}  // namespace

Watchdog::Watchdog(const std::string& what) {
    static const bool listening = (listen(), true);
    static_cast<void>(listening);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    turn = 100'000 * static_cast<useconds_t>(rank);
    const std::string text = "rank " + std::to_string(rank) + ": " + what + '\n';
    const std::size_t length = std::min(text.size(), said.size() - 1);
    text.copy(said.data(), length);
    said[length] = '\0';
    alarm(seconds());
}

Watchdog::~Watchdog() { alarm(0); }

}  // namespace gravlet::test
