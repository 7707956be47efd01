// SPDX-License-Identifier: Apache-2.0
// Walks a tree for all targets of this rank, batches shared among the threads.
#pragma once

#include "cpu/execution.hpp"
#include "cpu/simd/batch.hpp"

#include <functional>
#include <vector>

namespace gravlet {

class CpuWalk {
public:
    explicit CpuWalk(const Cpu& cpu) : cpu_(cpu) {}
    ~CpuWalk() { cpu_.tally->remove(counted_); }
    CpuWalk(const CpuWalk&) = delete;
    CpuWalk& operator=(const CpuWalk&) = delete;

    /// Local. Adds to targets' sums; calls `poll` from the calling thread every few batches, so that messages make progress.
    InteractionCounts run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll);

private:
    Cpu cpu_;
    std::vector<BatchWorkspace> workspaces_;  ///< one a thread
    std::size_t counted_ = 0;
};

}  // namespace gravlet
