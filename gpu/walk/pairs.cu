// SPDX-License-Identifier: Apache-2.0
// Few bodies act one by one, in double: a walk would leave most of a device waiting. A block has a group's targets, one or two a
// lane, and a part of the sources, of which each warp takes its share, whose records are written to shared memory by a lane each.
// Sums of warps and of parts are added in their order.
#include "gpu/execution/buffer.hpp"
#include "gpu/walk/walk_variants.hpp"
#include "physics/close_pair.hpp"
#include "physics/order.hpp"
#include "physics/path_size.hpp"

#include <algorithm>

namespace gravlet {
namespace {

constexpr unsigned warps = 4;
/// Blocks that fill any device, in several waves: the last of them is short.
constexpr std::size_t many_blocks = 2048;
/// Least sources of a block, so that a wave more for some of its warps takes little longer.
constexpr std::size_t least_sources = path_size(8u, 1u) * warps * warp_size;

/// A source's record in shared memory.
struct alignas(16) SourceRecord {
    double x, y, z, mass;
    float softening;
    std::uint32_t target;  ///< index as a target: see target_of()
};

__device__ __forceinline__ SourceRecord record_of(const TreeView& tree, std::uint32_t source) {
    const Source& s = tree.sources[source];
    return {s.x, s.y, s.z, exact_mass(s), s.softening, target_of(tree, source, 0)};
}

/// Whether nobody wants a group's sums.
__device__ __forceinline__ bool is_left_out(const WalkTargets& targets, unsigned group) {
    return targets.active != nullptr && targets.active[group] == 0;
}

/// Where the sums of a part go: those of target i from here on, all targets of a component after each other.
__device__ __forceinline__ double* sums_of_part(const WalkTargets& targets, int components, unsigned part, double* sums) {
    return sums + std::size_t{part} * components * targets.count;
}

/// T: targets a lane.
template <int D, SofteningKernel kernel, int T>
__global__ void __launch_bounds__(warps* warp_size)
    pairs_kernel(const __grid_constant__ TreeView tree, const __grid_constant__ WalkTargets targets, double* sums,
                 WalkCounters* counters) {
    constexpr int components = component_count(D);
    __shared__ SourceRecord records[warps][warp_size];
    __shared__ double of_warp[warps][T * warp_size];
    if (is_left_out(targets, blockIdx.x)) return;
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const Group& group = targets.groups[blockIdx.x];
    const std::uint32_t begin = group.begin, target_count = group.count, count = static_cast<std::uint32_t>(tree.source_count);
    const auto is_target = [=](int k) { return lane + k * warp_size < target_count; };
    const auto target = [=](int k) { return begin + (is_target(k) ? lane + k * warp_size : 0u); };
    Source at[T];
    for (int k = 0; k < T; ++k) at[k] = targets.bodies[target(k)];
    Jet<double, D> total[T] = {};
    unsigned coincident = 0;
    const std::uint32_t step = gridDim.y * warps * warp_size;
    for (std::uint32_t first = (blockIdx.y * warps + warp) * warp_size; first < count; first += step) {
        const std::uint32_t here = count - first < warp_size ? count - first : warp_size;
        if (lane < here) records[warp][lane] = record_of(tree, first + lane);
        __syncwarp();
        for (std::uint32_t i = 0; i < here; ++i) {
            const SourceRecord source = records[warp][i];
#pragma unroll
            for (int k = 0; k < T; ++k)
                if (source.target != target(k) && !add_pair(total[k], at[k], source, {0.0, 0.0, 0.0}, kernel) && is_target(k))
                    ++coincident;
        }
        __syncwarp();
    }
    if (coincident != 0) atomicAdd(&counters->coincident, static_cast<unsigned long long>(coincident));
    if (threadIdx.x == 0 && blockIdx.y == 0) atomicAdd(&counters->cell, static_cast<unsigned long long>(target_count) * count);
    double* const to = sums_of_part(targets, components, blockIdx.y, sums);
    unrolled<components>([&](auto c) {
        for (int k = 0; k < T; ++k) of_warp[warp][lane + k * warp_size] = total[k].term[c];
        __syncthreads();
        for (unsigned i = threadIdx.x; i < target_count; i += warps * warp_size) {
            double sum = 0.0;
            for (unsigned w = 0; w < warps; ++w) sum += of_warp[w][i];
            to[c * targets.count + begin + i] = sum;
        }
        __syncthreads();
    });
}

template <int D>
__global__ void add_parts(const __grid_constant__ WalkTargets targets, double* sums, unsigned parts) {
    constexpr int components = component_count(D);
    if (is_left_out(targets, blockIdx.x)) return;
    const Group& group = targets.groups[blockIdx.x];
    if (threadIdx.x >= group.count) return;
    const std::size_t i = group.begin + threadIdx.x;
    unrolled<components>([&](auto c) {
        double sum = 0.0;
        for (unsigned part = 0; part < parts; ++part) sum += sums_of_part(targets, components, part, sums)[c * targets.count + i];
        targets.sums.of[c][i] += sum;
    });
}

/// Number of parts that sources are dealt into: the same whoever is active, so that sums have the same bits.
unsigned parts_of(const TreeView& tree, const WalkTargets& targets) {
    return static_cast<unsigned>(std::clamp(std::min(many_blocks / targets.all_groups, tree.source_count / least_sources),
                                            std::size_t{1}, std::size_t{64}));
}

}  // namespace

void launch_pairs(const TreeView& tree, const WalkTargets& targets, DeviceBuffer<double>& sums, WalkCounters* counters,
                  cudaStream_t stream) {
    const unsigned parts = parts_of(tree, targets), groups = static_cast<unsigned>(targets.group_count);
    with_derivatives(targets.derivatives, [&](auto derivatives) {
        constexpr int d = decltype(derivatives)::value;
        sums.resize_discard(parts * component_count(d) * targets.count);
        constexpr SofteningKernel plummer = SofteningKernel::plummer, spline = SofteningKernel::spline;
        const bool one = targets.group_size == warp_size, by_spline = targets.softening_kernel == spline;
        const auto kernel = by_spline ? (one ? pairs_kernel<d, spline, 1> : pairs_kernel<d, spline, 2>)
                                      : (one ? pairs_kernel<d, plummer, 1> : pairs_kernel<d, plummer, 2>);
        kernel<<<dim3(groups, parts), warps * warp_size, 0, stream>>>(tree, targets, sums.data(), counters);
        cuda_check(cudaGetLastError(), "bodies one by one");
        add_parts<d><<<groups, targets.group_size, 0, stream>>>(targets, sums.data(), parts);
        cuda_check(cudaGetLastError(), "bodies one by one");
    });
}

}  // namespace gravlet
