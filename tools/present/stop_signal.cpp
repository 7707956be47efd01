// SPDX-License-Identifier: Apache-2.0
#include "tools/present/stop_signal.hpp"

#include "mpi/agreement.hpp"

namespace gravlet {
namespace {

volatile std::sig_atomic_t kept = 0;

// What is raised within its handler comes when that is over.
extern "C" void keep(int signal) {
    if (kept != 0) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    kept = signal;
}

}  // namespace

StopSignals::StopSignals() noexcept {
    kept = 0;
    struct sigaction action {};
    action.sa_handler = keep;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        sigaction(signals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    kept = 0;
}

int stop_signal(MPI_Comm comm) { return all_reduce(comm, static_cast<int>(kept), MPI_MAX); }

const char* signal_name(int signal) {
    switch (signal) {
        case SIGINT: return "SIGINT";
        case SIGTERM: return "SIGTERM";
        case SIGUSR1: return "SIGUSR1";
        default: return "a signal";
    }
}

}  // namespace gravlet
