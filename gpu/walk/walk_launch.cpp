// SPDX-License-Identifier: Apache-2.0
// The choice of a walk's kernel.
#include "gpu/execution/check.hpp"
#include "gpu/walk/walk_variants.hpp"
#include "physics/order.hpp"
#include "physics/walk_rules.hpp"

namespace gravlet {

namespace {

/// `count` times, `per_block` a block.
void launch(const WalkKernel& kernel, WalkArguments a, std::size_t count, std::size_t per_block, cudaStream_t stream) {
    const std::size_t stack = static_cast<std::size_t>(walk_stack_entries(a.tree)) * sizeof(std::uint32_t),
                      bytes = warps_per_block * (kernel.warp_bytes + stack);
    cuda_check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
               "cudaFuncSetAttribute");
    void* arguments[] = {&a};
    const unsigned blocks = static_cast<unsigned>((count + per_block - 1) / per_block);
    cuda_check(cudaLaunchKernel(kernel.function, dim3(blocks), dim3(warps_per_block * warp_size), arguments, bytes, stream),
               "the walk");
}

/// f(order, softening) with both as types.
template <class F>
void with_variant(int order, const WalkTargets& targets, F f) {
    with_order(order, [&](auto p) { with_softening(targets, [&](auto softened) { f(p, softened); }); });
}

}  // namespace

void launch_walk(int order, const WalkArguments& a, cudaStream_t stream) {
    const bool shared = a.shared && warps_can_share(a.targets.derivatives);
    with_variant(order, a.targets, [&](auto p, auto softened) {
        with_derivatives(a.targets.derivatives, [&](auto derivatives) {
            constexpr int P = decltype(p)::value, D = decltype(derivatives)::value;
            const int lane_targets = a.targets.group_size == warp_size ? 1 : 2;
            const WalkKernel kernel = group_kernel<D, P, decltype(softened)::value>(lane_targets, shared);
            launch(kernel, a, a.walked_count, shared ? 1 : warps_per_block, stream);
        });
    });
}

void launch_sets(int order, const WalkArguments& a, cudaStream_t stream) {
    with_variant(order, a.targets, [&](auto p, auto softened) {
        const std::size_t sets = (a.walked_count + gpu_set_groups - 1) / gpu_set_groups;
        launch(set_kernel<decltype(p)::value, decltype(softened)::value>(), a, sets, warps_per_block, stream);
    });
}

}  // namespace gravlet
