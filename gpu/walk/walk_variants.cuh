// SPDX-License-Identifier: Apache-2.0
// The kernels around the walk.
#pragma once

#include "gpu/walk/walk_kernel.cuh"
#include "gpu/walk/walk_variants.hpp"

namespace gravlet {

template <int P, int D, Softened S, int T, bool Shared>
__global__ void __launch_bounds__(warps_per_block* warp_size, (P < 3 ? 5 : 4) - (D > 1 ? 1 : 0))
    walk_kernel(const __grid_constant__ WalkArguments a) {
    std::size_t place = Shared ? blockIdx.x : std::size_t{blockIdx.x} * warps_per_block + this_warp();
    if (place >= a.walked_count) return;
    // From the middle of the curve on: groups that take long are at the ends of a rank's part, and none starts last.
    place += place < a.walked_count / 2 ? a.walked_count - a.walked_count / 2 : -(a.walked_count / 2);
    const WalkedGroup walked =
        a.walked != nullptr ? a.walked[place] : WalkedGroup{static_cast<std::uint32_t>(a.first_group + place), 0.0f};
    if (a.targets.groups[walked.group].count == 0) return;
    if (a.targets.active != nullptr && a.walked == nullptr && a.targets.active[walked.group] == 0) return;
    WarpWalk<WarpGroup<P, D, S, T>, Shared>(a, warp_memory<P, S>(a.tree, this_warp()), walked).run();
}

template <int P, Softened S>
__global__ void __launch_bounds__(warps_per_block* warp_size) walk_sets_kernel(const __grid_constant__ WalkArguments a) {
    const std::size_t set = std::size_t{blockIdx.x} * warps_per_block + this_warp();
    if (set * gpu_set_groups < a.walked_count)
        WarpWalk<WarpSet<P, S>, false>(a, warp_memory<P, S>(a.tree, this_warp()), set).run_set();
}

template <int P, Softened S, class Kernel>
WalkKernel with_memory(Kernel* kernel) {
    return {reinterpret_cast<const void*>(kernel), static_cast<unsigned>(sizeof(WarpMemory<P, S>))};
}

template <int P, int D, Softened S, int T>
WalkKernel lane_kernel(bool shared) {
    constexpr bool can_share = warps_can_share(D);
    return with_memory<P, S>(shared ? walk_kernel<P, D, S, T, can_share> : walk_kernel<P, D, S, T, false>);
}

template <int D, int P, Softened S>
WalkKernel group_kernel(int lane_targets, bool shared) {
    return lane_targets == 1 ? lane_kernel<P, D, S, 1>(shared) : lane_kernel<P, D, S, 2>(shared);
}

template <int P, Softened S>
WalkKernel set_kernel() {
    return with_memory<P, S>(walk_sets_kernel<P, S>);
}

}  // namespace gravlet
