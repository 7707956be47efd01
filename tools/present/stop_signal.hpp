// SPDX-License-Identifier: Apache-2.0
// Signals that ask a command to end: Ctrl-C, what batch systems send when the time is up, and the one that launchers pass on
// without killing. The first is kept, for the command to end at the next safe place; another one ends it at once.
#pragma once

#include <mpi.h>

#include <csignal>

#include <array>

namespace gravlet {

/// Local. Signals are kept while it lives, of which one may live at a time; then they act as before. What was ignored (by
/// nohup, by shells for what runs in the background) stays so. It allocates nothing.
class [[nodiscard]] StopSignals {
public:
    StopSignals() noexcept;
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1};
    std::array<struct sigaction, signals.size()> before_{};
};

/// Collective. The signal that some rank has kept, the same on all, which may not all have got one; 0: none.
[[nodiscard]] int stop_signal(MPI_Comm comm);

/// Local. The name of one of them, as "SIGTERM".
[[nodiscard]] const char* signal_name(int signal);

}  // namespace gravlet
