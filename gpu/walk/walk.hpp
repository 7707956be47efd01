// SPDX-License-Identifier: Apache-2.0
// Walks a tree for all targets of this rank, a warp a target group, or a block's warps where groups are few.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/walk/walk_arguments.hpp"

#include <functional>

namespace gravlet {

/// Subgroups of `size` targets of the groups that were given up, `per_group` of each (some may be empty).
void split_groups(const Gpu& gpu, const WalkTargets& targets, const WalkedGroup* given_up, std::size_t count, int size,
                  int per_group, DeviceBuffer<Group>& subgroups);

class GpuWalk {
public:
    explicit GpuWalk(const Gpu& gpu);
    ~GpuWalk();
    GpuWalk(const GpuWalk&) = delete;
    GpuWalk& operator=(const GpuWalk&) = delete;

    /// Local. Adds to targets' sums; calls `poll` while the device works, so that messages make progress.
    InteractionCounts run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll);

private:
    void make_room_for_sets(WalkArguments& arguments);
    void launch(WalkArguments arguments, int order);
    /// Walks for all groups, or those of a list, until their local expansions are good. Returns the number of those given up.
    std::uint32_t walk(WalkArguments arguments, int order, const std::function<void()>& poll, InteractionCounts& total);
    /// Launches, and waits.
    template <class Launch>
    WalkCounters pass(std::uint32_t given_up, const Launch& launch, const std::function<void()>& poll);

    Gpu gpu_;
    DeviceBuffer<WalkCounters> counters_;
    DeviceBuffer<double> sums_of_parts_;
    DeviceBuffer<WalkedGroup> given_up_[2], again_[2];
    DeviceBuffer<Group> subgroups_[2];
    DeviceBuffer<SetStart> sets_;
    DeviceBuffer<SetLocal> set_local_;
    DeviceBuffer<std::uint32_t> set_nodes_;
    DeviceBuffer<std::uint8_t> set_images_;
    cudaEvent_t done_ = nullptr;
};

}  // namespace gravlet
