// SPDX-License-Identifier: Apache-2.0
// The kernel around the walk, and the choice of its variant.
#pragma once

#include "gpu/execution/check.hpp"
#include "gpu/walk/walk_kernel.cuh"
#include "physics/order.hpp"

#include <type_traits>

namespace gravlet {

/// Shared: all warps of a block walk for one group.
template <bool Shared>
inline constexpr int warps_of_block = Shared ? warps_that_share : warps_per_block;

template <int P, int D, bool Shared>
inline constexpr int blocks_at_once = Shared ? 2 : (P < 3 ? 5 : 4) - (D > 1 ? 1 : 0);

template <int P, int D, Softened S, int T, bool Shared>
__global__ void __launch_bounds__(warps_of_block<Shared>* warp_size, blocks_at_once<P, D, Shared>)
    walk_kernel(const __grid_constant__ WalkArguments a) {
    extern __shared__ float4 shared[];
    const unsigned warp = threadIdx.x / warp_size;
    std::size_t place = Shared ? blockIdx.x : std::size_t{blockIdx.x} * warps_per_block + warp;
    if (place >= a.walked_count) return;
    // From the middle of the curve on: groups that take long are at the ends of a rank's part, and none starts last.
    place += place < a.walked_count / 2 ? a.walked_count - a.walked_count / 2 : -(a.walked_count / 2);
    const WalkedGroup walked = a.walked != nullptr ? a.walked[place] : WalkedGroup{static_cast<std::uint32_t>(place), 0.0f};
    if (a.targets.groups[walked.group].count == 0) return;
    char* const memory = reinterpret_cast<char*>(shared) + warp * warp_bytes<P, S>(a.tree);
    WarpWalk<P, D, S, T, Shared>(a, *reinterpret_cast<WarpMemory<P, S>*>(memory), walked).run();
}

template <int P, int D, Softened S, int T, bool Shared>
void launch_kernel(const WalkArguments& a, cudaStream_t stream) {
    constexpr int warps = warps_of_block<Shared>;
    const int bytes = warps * static_cast<int>(warp_bytes<P, S>(a.tree));
    const auto kernel = walk_kernel<P, D, S, T, Shared>;
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
    const std::size_t blocks = Shared ? a.walked_count : (a.walked_count + warps_per_block - 1) / warps_per_block;
    kernel<<<static_cast<unsigned>(blocks), warps * warp_size, bytes, stream>>>(a);
    cuda_check(cudaGetLastError(), "the walk");
}

/// Few groups leave most of a device idle: then a block's warps share one, if the device has so much shared memory.
template <int P, Softened S>
bool warps_share(const WalkArguments& a) {
    constexpr std::size_t few = 768;
    if (a.walked_count > few) return false;
    int device = 0, room = 0;
    cuda_check(cudaGetDevice(&device), "cudaGetDevice");
    cuda_check(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "cudaDeviceGetAttribute");
    return warps_that_share * warp_bytes<P, S>(a.tree) <= static_cast<unsigned>(room);
}

template <int P, int D, Softened S, int T>
void launch_kernel(const WalkArguments& a, cudaStream_t stream) {
    if constexpr (D < 2)  // to compile less
        if (warps_share<P, S>(a)) return launch_kernel<P, D, S, T, true>(a, stream);
    launch_kernel<P, D, S, T, false>(a, stream);
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
