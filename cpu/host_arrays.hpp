// SPDX-License-Identifier: Apache-2.0
// On the CPU the caller's arrays and the messages' are the backend's own: nothing is moved.
#pragma once

#include "cpu/execution.hpp"
#include "mpi/exchange.hpp"
#include "solver/data/input.hpp"

namespace gravlet {

class CpuTransfer {
public:
    explicit CpuTransfer(const Cpu&) {}
    const Input& bring_in(const Input& input) { return input; }
    void bring_out(const Input&) {}
};

class CpuMessages {
public:
    explicit CpuMessages(const Cpu&) {}
    PrunedTreeArrays outgoing(const PrunedTreeArrays& trees) { return trees; }
    PrunedTreeArrays incoming(const PrunedTreeArrays& trees) { return trees; }
    void arrived(const PrunedTreeArrays&) {}
};

}  // namespace gravlet
