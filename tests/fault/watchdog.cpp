// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/watchdog.hpp"

#include <mpi.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include <dlfcn.h>
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

const char* excused_library = nullptr;

using Frames = std::array<void*, 64>;

/// Whether the first of these frames, from one on, that is not in the C library is in the excused one.
bool comes_from_library(const Frames& frames, int first, int depth) {
    for (int i = first; i < depth; ++i) {
        Dl_info place{};
        if (dladdr(frames[static_cast<std::size_t>(i)], &place) == 0) return false;
        const auto is_in = [&](const char* name) { return std::strstr(place.dli_fname, name) != nullptr; };
        if (!is_in("libc.so") && !is_in("libasan")) return is_in(excused_library);
    }
    return false;
}

/// Whether what the address sanitizer reports, if it does, is about memory of the library's own, or a length that it made up.
/// What it does to memory that it was given may be the fault of whoever gave it.
bool is_its_own_memory() {
#if defined(__SANITIZE_ADDRESS__)
    void* const reported = __asan_report_present() != 0 ? __asan_get_report_address() : nullptr;
    if (reported == nullptr) return true;
    Frames trace;
    int thread = 0;
    return comes_from_library(trace, 0, static_cast<int>(__asan_get_alloc_stack(reported, trace.data(), trace.size(), &thread)));
#else
    return true;
#endif
}

bool is_excused(const Frames& frames, int depth) {
    constexpr int interrupted = 2;  // after the handler and what called it
    return excused_library != nullptr && comes_from_library(frames, interrupted, depth) && is_its_own_memory();
}

extern "C" void bark(int signal) {
    Frames frames;
    const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    if (signal != SIGALRM && is_excused(frames, depth)) {
        if (std::getenv("GRAVLET_FAULT_TRACE") != nullptr) backtrace_symbols_fd(frames.data(), depth, STDERR_FILENO);
        _exit(Watchdog::excused);
    }
    constexpr useconds_t patience = 1'000'000;  // the other ranks have their say before mpirun ends them
    if (signal == SIGALRM) usleep(turn);
    const char* const end = signal == SIGALRM ? "HANGS: " : "CRASHES: ";
    std::array<char, said.size() + 16> text{};
    std::strcat(text.data(), end);
    std::strcat(text.data(), said.data());
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), std::strlen(text.data()));
    backtrace_symbols_fd(frames.data(), depth, STDERR_FILENO);
    if (signal == SIGALRM) usleep(patience);
    _exit(3);
}

unsigned seconds() {
    const char* const given = std::getenv("GRAVLET_FAULT_SECONDS");
    return given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 20;
}

/// With a stack of its own, for one that has overflowed.
void listen() {
    alignas(16) static char stack[1 << 16];
    stack_t own{};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
    struct sigaction action {};
    action.sa_handler = bark;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
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

void Watchdog::excuse(const char* library) { excused_library = library; }

}  // namespace gravlet::test
