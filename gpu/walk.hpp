// SPDX-License-Identifier: Apache-2.0
// Walks a tree for all targets of this rank, a warp a target group.
#pragma once

#include "gpu/execution.hpp"
#include "solver/walk_types.hpp"

#include <functional>

namespace gravlet {

/// What the warps count, in device memory.
struct WalkCounters {
    unsigned long long node, cell, far, coincident;
    std::uint32_t coincident_target;
};

/// A kernel's arguments.
struct WalkArguments {
    TreeView tree;
    WalkTargets targets;
    WalkCounters* counters;
};

/// Launches the kernel of one order (0, 2, 3 or 4); each has a source file of its own, because it takes long to compile.
template <int P>
void launch_walk(const WalkArguments& arguments, cudaStream_t stream);

class GpuWalk {
public:
    explicit GpuWalk(const Gpu& gpu);
    ~GpuWalk();
    GpuWalk(const GpuWalk&) = delete;
    GpuWalk& operator=(const GpuWalk&) = delete;

    /// Local. Adds to targets' sums; calls `poll` while the device works, so that messages make progress.
    InteractionCounts run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll);

private:
    Gpu gpu_;
    DeviceBuffer<WalkCounters> counters_;
    cudaEvent_t done_ = nullptr;
};

}  // namespace gravlet
