// SPDX-License-Identifier: Apache-2.0
// The kernel around the walk, and the choice of its variant.
#pragma once

#include "gpu/execution/check.hpp"
#include "gpu/walk/walk_kernel.cuh"
#include "physics/order.hpp"

#include <type_traits>

namespace gravlet {

template <int P, int D, Softened S, int T, bool Shared>
__global__ void __launch_bounds__(warps_per_block* warp_size, (P < 3 ? 5 : 4) - (D > 1 ? 1 : 0))
    walk_kernel(const __grid_constant__ WalkArguments a) {
    std::size_t place = Shared ? blockIdx.x : std::size_t{blockIdx.x} * warps_per_block + this_warp();
    if (place >= a.walked_count) return;
    // From the middle of the curve on: groups that take long are at the ends of a rank's part, and none starts last.
    place += place < a.walked_count / 2 ? a.walked_count - a.walked_count / 2 : -(a.walked_count / 2);
    const WalkedGroup walked = a.walked != nullptr ? a.walked[place] : WalkedGroup{static_cast<std::uint32_t>(place), 0.0f};
    if (a.targets.groups[walked.group].count == 0) return;
    WarpWalk<P, D, S, T, Shared>(a, warp_memory<P, S>(a.tree, this_warp()), walked).run();
}

template <int P, int D, Softened S, int T>
void launch_kernel(const WalkArguments& a, cudaStream_t stream) {
    const int bytes = warps_per_block * static_cast<int>(warp_bytes<P, S>(a.tree));
    constexpr bool can_share = D < 2;  // not for tidal tensors: less to compile
    const bool shared = can_share && a.shared;
    const auto kernel = shared ? walk_kernel<P, D, S, T, can_share> : walk_kernel<P, D, S, T, false>;
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
    const std::size_t per_block = shared ? 1 : warps_per_block, blocks = (a.walked_count + per_block - 1) / per_block;
    kernel<<<static_cast<unsigned>(blocks), warps_per_block * warp_size, bytes, stream>>>(a);
    cuda_check(cudaGetLastError(), "the walk");
}

template <Softened S>
using Variant = std::integral_constant<Softened, S>;

template <int P>
void launch_walk(const WalkArguments& a, cudaStream_t stream) {
    const auto with_size = [&](auto derivatives, auto softened) {
        constexpr int d = decltype(derivatives)::value;
        constexpr Softened s = decltype(softened)::value;
        a.targets.group_size == warp_size ? launch_kernel<P, d, s, 1>(a, stream) : launch_kernel<P, d, s, 2>(a, stream);
    };
    with_derivatives(a.targets.derivatives, [&](auto derivatives) {
        if (!a.targets.softened) return with_size(derivatives, Variant<Softened::no>());
        a.targets.softening_kernel == SofteningKernel::plummer ? with_size(derivatives, Variant<Softened::plummer>())
                                                               : with_size(derivatives, Variant<Softened::spline>());
    });
}

}  // namespace gravlet
