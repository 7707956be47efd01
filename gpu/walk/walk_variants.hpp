// SPDX-License-Identifier: Apache-2.0
// The kernels of a walk, one for whatever it is better not to ask while walking. Those of each order and softening have a source
// file of their own (gpu/CMakeLists.txt), because they take long to compile; who launches them compiles none.
#pragma once

#include "gpu/walk/softened.hpp"
#include "gpu/walk/walk_arguments.hpp"

#include <cuda_runtime_api.h>

namespace gravlet {

template <class T>
class DeviceBuffer;

/// A kernel with WalkArguments as its argument.
struct WalkKernel {
    const void* function;
    unsigned warp_bytes;  ///< bytes of shared memory that a warp needs, but for its stack
};

/// The kernel for groups of `lane_targets` (1 or 2) targets a lane; `shared`: WalkArguments::shared.
template <int D, int P, Softened S>
WalkKernel group_kernel(int lane_targets, bool shared);
/// The kernel for the groups' sets, which comes before.
template <int P, Softened S>
WalkKernel set_kernel();

/// Whether there are kernels by which warps share groups: not for tidal tensors, less to compile.
constexpr bool warps_can_share(int derivatives) { return derivatives < 2; }

void launch_walk(int order, const WalkArguments& arguments, cudaStream_t stream);
void launch_sets(int order, const WalkArguments& arguments, cudaStream_t stream);
/// Lets all sources act on all targets one by one (WalkTargets::one_by_one). `sums`: room for those of parts.
void launch_pairs(const TreeView& tree, const WalkTargets& targets, DeviceBuffer<double>& sums, WalkCounters* counters,
                  cudaStream_t stream);

}  // namespace gravlet
