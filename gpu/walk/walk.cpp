// SPDX-License-Identifier: Apache-2.0
#include "gpu/walk/walk.hpp"

#include "gpu/walk/walk_variants.hpp"
#include "physics/path_size.hpp"
#include "physics/walk_rules.hpp"

#include <algorithm>

namespace gravlet {

namespace {

/// A group in thin air whose box touches a dense region opens all of it; done by one warp, a single such group would take longer
/// than all others together. Its lists are several times longer than the average, which goes with theta like this.
std::uint32_t list_limit(const WalkTargets& targets) {
    const double theta = typical_theta(targets), limit = gpu_longest_lists / (theta * theta * theta);
    return limit < 4e9 ? static_cast<std::uint32_t>(limit) : ~0u;
}

/// Whether long lists are no exception: so many groups fill the device as they are, and are walked again with a longer limit; in
/// subgroups each would meet nearly as much.
bool are_the_rule(std::uint32_t given_up, std::size_t groups, bool whole) {
    constexpr std::uint32_t filling = path_size(8192, 8);
    return given_up > filling || (whole && given_up > groups / 16);
}

/// Few groups leave most of a device idle: then the warps of a block share one. So they do subgroups, which are few or are waited
/// for. An active target's bits would change with it: so it hangs neither on how many groups are active nor on how many of these
/// were given up.
bool warps_share(const WalkTargets& targets, bool whole) {
    constexpr std::size_t few = path_size(2048, 8);
    return !whole || targets.all_groups <= few;
}

}  // namespace

GpuWalk::GpuWalk(const Gpu& gpu)
    : gpu_(gpu),
      counters_(*gpu.context),
      sums_of_parts_(*gpu.context),
      given_up_{DeviceBuffer<WalkedGroup>(*gpu.context), DeviceBuffer<WalkedGroup>(*gpu.context)},
      again_{DeviceBuffer<WalkedGroup>(*gpu.context), DeviceBuffer<WalkedGroup>(*gpu.context)},
      subgroups_{DeviceBuffer<Group>(*gpu.context), DeviceBuffer<Group>(*gpu.context)},
      sets_(*gpu.context),
      set_local_(*gpu.context),
      set_nodes_(*gpu.context),
      set_images_(*gpu.context) {
    cuda_check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "cudaEventCreate");
}

GpuWalk::~GpuWalk() { cudaEventDestroy(done_); }

InteractionCounts GpuWalk::run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll) {
    InteractionCounts total;
    if ((targets.one_by_one ? tree.source_count : tree.node_count) == 0 || targets.group_count == 0) return total;
    counters_.resize_discard(1);
    if (targets.one_by_one) {
        const auto launch = [&] { launch_pairs(tree, targets, sums_of_parts_, counters_.data(), gpu_.context->stream()); };
        const WalkCounters counters = pass(0, launch, poll);
        total.cell = counters.cell, total.coincident = counters.coincident;
        return total;
    }
    if (tree.node_count > max_walk_nodes)
        throw Error(ErrorCode::out_of_memory, "the tree has more nodes than the GPU's walk can number");
    WalkArguments arguments{};
    arguments.tree = tree;
    arguments.targets = targets;
    arguments.list_limit = list_limit(targets);
    arguments.counters = counters_.data();
    arguments.set_entries = gpu_set_entries(targets.all_groups, typical_theta(targets));
    if (arguments.set_entries > 0) make_room_for_sets(arguments);
    int group_size = targets.group_size;
    for (int turn = 0;; ++turn) {
        const std::size_t groups = arguments.targets.group_count;
        for (DeviceBuffer<WalkedGroup>& list : given_up_) list.resize_discard(groups);
        arguments.walked = nullptr;
        arguments.walked_count = groups;
        arguments.shared = warps_share(targets, turn == 0);
        std::uint32_t given_up = 0;
        for (int from = 0;; from = 1 - from) {
            arguments.given_up = given_up_[from].data();
            given_up = walk(arguments, order, poll, total);
            arguments.sets = nullptr;
            if (given_up == 0) return total;
            if (!are_the_rule(given_up, groups, turn == 0)) break;
            arguments.walked = given_up_[from].data();
            arguments.walked_count = given_up;
            arguments.list_limit = arguments.list_limit < ~0u / 4 ? 4 * arguments.list_limit : ~0u;
        }
        const int size = static_cast<int>(gpu_subgroup(given_up, static_cast<std::uint32_t>(group_size))),
                  per_group = group_size / size;
        split_groups(gpu_, arguments.targets, arguments.given_up, given_up, size, per_group, subgroups_[turn]);
        arguments.targets.groups = subgroups_[turn].data();
        arguments.targets.group_count = subgroups_[turn].size();
        arguments.targets.group_size = warp_size;
        arguments.targets.active = nullptr;  // those that were given up are
        if (size == 1) arguments.list_limit = ~0u;
        group_size = size;
    }
}

void GpuWalk::make_room_for_sets(WalkArguments& arguments) {
    const WalkTargets& targets = arguments.targets;
    const std::size_t sets = std::min(sets_at_once, (targets.group_count + gpu_set_groups - 1) / gpu_set_groups);
    sets_.resize_discard(sets);
    set_local_.resize_discard(sets * gpu_set_groups);
    set_nodes_.resize_discard(sets * arguments.set_entries);
    set_images_.resize_discard(targets.images == nullptr ? 0 : sets * arguments.set_entries);
    arguments.sets = sets_.data();
    arguments.set_local = set_local_.data();
    arguments.set_nodes = set_nodes_.data();
    arguments.set_images = targets.images == nullptr ? nullptr : set_images_.data();
}

void GpuWalk::launch(WalkArguments arguments, int order) {
    const cudaStream_t stream = gpu_.context->stream();
    if (arguments.sets == nullptr) return launch_walk(order, arguments, stream);
    const std::size_t groups = arguments.walked_count, at_once = sets_at_once * gpu_set_groups;
    for (; arguments.first_group < groups; arguments.first_group += at_once) {
        arguments.walked_count = std::min(at_once, groups - arguments.first_group);
        launch_sets(order, arguments, stream);
        launch_walk(order, arguments, stream);
    }
}

std::uint32_t GpuWalk::walk(WalkArguments arguments, int order, const std::function<void()>& poll, InteractionCounts& total) {
    std::uint32_t given_up = 0;
    for (int turn = 0; arguments.walked_count > 0; turn = 1 - turn) {
        again_[turn].resize_discard(arguments.walked_count);
        arguments.again = again_[turn].data();
        const WalkCounters counters = pass(
            given_up, [&] { launch(arguments, order); }, poll);
        total.add({counters.node, counters.cell, counters.far, counters.coincident});
        given_up = counters.given_up;
        arguments.sets = nullptr;
        arguments.walked = again_[turn].data();
        arguments.walked_count = counters.again;
    }
    return given_up;
}

template <class Launch>
WalkCounters GpuWalk::pass(std::uint32_t given_up, const Launch& launch, const std::function<void()>& poll) {
    const WalkCounters start{0, 0, 0, 0, given_up, 0};
    copy_in(gpu_, &start, counters_.data(), 1);
    const cudaStream_t stream = gpu_.context->stream();
    launch();
    static_assert(sizeof(WalkCounters) <= GpuContext::slot_bytes);
    WalkCounters* const counted = static_cast<WalkCounters*>(gpu_.context->pinned_slot());
    cuda_check(cudaMemcpyAsync(counted, counters_.data(), sizeof *counted, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    cuda_check(cudaEventRecord(done_, stream), "cudaEventRecord");
    for (;;) {
        poll();
        const cudaError_t state = cudaEventQuery(done_);
        if (state == cudaSuccess) return *counted;
        if (state != cudaErrorNotReady) cuda_check(state, "the walk");
    }
}

}  // namespace gravlet
