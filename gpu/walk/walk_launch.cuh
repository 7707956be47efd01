// SPDX-License-Identifier: Apache-2.0
// The kernel around the walk, and the choice of its variant.
#pragma once

#include "gpu/execution/check.hpp"
#include "gpu/walk/walk_kernel.cuh"
#include "physics/order.hpp"

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
__global__ void __launch_bounds__(warps_per_block* warp_size) set_kernel(const __grid_constant__ WalkArguments a) {
    const std::size_t set = std::size_t{blockIdx.x} * warps_per_block + this_warp();
    if (set * gpu_set_groups < a.walked_count)
        WarpWalk<WarpSet<P, S>, false>(a, warp_memory<P, S>(a.tree, this_warp()), set).run_set();
}

template <int P, Softened S>
int block_bytes(const WalkArguments& a) {
    return warps_per_block * static_cast<int>(warp_bytes<P, S>(a.tree));
}

/// `count` times, `per_block` a block.
template <class Kernel>
void launch_kernel(Kernel kernel, const WalkArguments& a, std::size_t count, std::size_t per_block, int bytes,
                   cudaStream_t stream) {
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
    kernel<<<static_cast<unsigned>((count + per_block - 1) / per_block), warps_per_block * warp_size, bytes, stream>>>(a);
    cuda_check(cudaGetLastError(), "the walk");
}

template <int P, int D, Softened S, int T>
void launch_groups(const WalkArguments& a, cudaStream_t stream) {
    constexpr bool can_share = D < 2;  // not for tidal tensors: less to compile
    const bool shared = can_share && a.shared;
    const auto kernel = shared ? walk_kernel<P, D, S, T, can_share> : walk_kernel<P, D, S, T, false>;
    launch_kernel(kernel, a, a.walked_count, shared ? 1 : warps_per_block, block_bytes<P, S>(a), stream);
}

template <int P>
void launch_walk(const WalkArguments& a, cudaStream_t stream) {
    const auto with_size = [&](auto derivatives, auto softened) {
        constexpr int d = decltype(derivatives)::value;
        constexpr Softened s = decltype(softened)::value;
        a.targets.group_size == warp_size ? launch_groups<P, d, s, 1>(a, stream) : launch_groups<P, d, s, 2>(a, stream);
    };
    with_derivatives(a.targets.derivatives, [&](auto derivatives) {
        with_softening(a.targets, [&](auto softened) { with_size(derivatives, softened); });
    });
}

template <int P>
void launch_sets(const WalkArguments& a, cudaStream_t stream) {
    with_softening(a.targets, [&](auto softened) {
        constexpr Softened s = decltype(softened)::value;
        const std::size_t sets = (a.walked_count + gpu_set_groups - 1) / gpu_set_groups;
        launch_kernel(set_kernel<P, s>, a, sets, warps_per_block, block_bytes<P, s>(a), stream);
    });
}

}  // namespace gravlet
