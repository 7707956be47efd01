// SPDX-License-Identifier: Apache-2.0
// Walks a tree for all targets of this rank, a warp a target group, or a block's warps where groups are few.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/walk/walk_limits.hpp"
#include "solver/data/walk_types.hpp"

#include <functional>

namespace gravlet {

/// What the warps count, in device memory.
struct WalkCounters {
    unsigned long long node, cell, far, coincident;
    std::uint32_t given_up, again;
};

/// A group, and the least far radius that it is walked with.
struct WalkedGroup {
    std::uint32_t group;
    float far_radius;
};

/// Where the groups of a set begin.
struct SetStart {
    SeriesError<double> error;  ///< of their SetLocal
    std::uint32_t entries;      ///< nodes that are left to them, or no_set
};

/// What is far from all of a group's set, as the group's local expansion: the terms with c <= 1.
struct SetLocal {
    float terms[local_terms];
};

/// A kernel's arguments.
struct WalkArguments {
    TreeView tree;
    WalkTargets targets;
    const WalkedGroup* walked;  ///< the groups to walk for; null: all
    std::size_t walked_count;
    bool shared;               ///< the warps of a block walk for one group
    std::uint32_t list_limit;  ///< a group whose lists get longer is given up, and noted in given_up[]
    WalkedGroup* given_up;
    WalkedGroup* again;  ///< here groups are noted whose local expansion was not good enough
    WalkCounters* counters;
    std::size_t first_group;  ///< of this launch, where all groups are walked for
    /// Of this launch's groups, gpu_set_groups each, or null: then they begin at the root.
    SetStart* sets;
    SetLocal* set_local;  ///< of each group
    std::uint32_t set_entries;
    std::uint32_t* set_nodes;  ///< set_entries each
    std::uint8_t* set_images;  ///< of those; null: image 0
};

/// Subgroups of `size` targets of the groups that were given up, `per_group` of each (some may be empty).
void split_groups(const Gpu& gpu, const WalkTargets& targets, const WalkedGroup* given_up, std::size_t count, int size,
                  int per_group, DeviceBuffer<Group>& subgroups);

/// Launches the kernel of one order; each has a source file of its own (gpu/CMakeLists.txt), because it takes long to compile.
template <int P>
void launch_walk(const WalkArguments& arguments, cudaStream_t stream);
/// The same of the groups' sets, before.
template <int P>
void launch_sets(const WalkArguments& arguments, cudaStream_t stream);

/// Lets all sources act on all targets one by one (WalkTargets::one_by_one). `sums`: room for those of parts.
void launch_pairs(const TreeView& tree, const WalkTargets& targets, DeviceBuffer<double>& sums, WalkCounters* counters,
                  cudaStream_t stream);

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
