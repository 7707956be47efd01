// SPDX-License-Identifier: Apache-2.0
// On the CPU the caller's arrays and the messages' are the backend's own: nothing is moved.
#pragma once

#include "cpu/execution.hpp"
#include "mpi/exchange.hpp"
#include "solver/input/input.hpp"

namespace gravlet {

class CpuTransfer {
public:
    explicit CpuTransfer(const Cpu&) {}
    const Input& bring_in(const Input& input, bool = false) { return input; }
    void bring_out(const Input&) {}
    static bool begin_ahead(const Input&) { return false; }
    void bring_ahead(std::size_t, std::size_t) {}
    void end_ahead() noexcept {}
};

class CpuMessages {
public:
    explicit CpuMessages(const Cpu&) {}
    void prepare(Stages&) {}
    void offer(const PrunedTreeArrays&, const std::vector<int>&) {}
    void share(const Agreed&) {}
    const PrunedTreeArrays& outgoing(const PrunedTreeArrays& trees, const std::vector<int>&) { return trees; }
    const PrunedTreeArrays& incoming(const PrunedTreeArrays& trees, const std::vector<int>&) { return trees; }
    [[nodiscard]] bool reads(int) const { return false; }
    void ready(std::size_t) {}
    void read(const PrunedTreeArrays&, const std::vector<int>&, const std::vector<Announcement>&) {}
    void arrived(const PrunedTreeArrays&, const std::vector<int>&) {}
};

}  // namespace gravlet
