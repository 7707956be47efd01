// SPDX-License-Identifier: Apache-2.0
// Few bodies act one by one: a walk would leave most of a device waiting. A block has a group's targets, one or two a lane, and a
// part of the sources, of which each warp takes its share, staged in shared memory by a lane each. Sums of warps and of parts are
// added in their order.
//
// Positions are relative to the first source, as two floats: their differences keep single precision down to `nearest`, wherever
// in the box a pair is. Nearer pairs, a target with itself among them, are done in double.
#include "gpu/execution/buffer.hpp"
#include "gpu/walk/source_pair.cuh"
#include "gpu/walk/walk_variants.hpp"
#include "physics/close_pair.hpp"
#include "physics/order.hpp"

#include <algorithm>

namespace gravlet {
namespace {

constexpr unsigned warps = 4;
constexpr float nearest = 0x1p-22f;
/// That fill any device, in several rounds: the last of them is short.
constexpr std::size_t many_blocks = 2048;
/// Of a block, so that a round more for some of its warps takes little longer.
constexpr std::size_t least_sources = 8 * warps * warp_size;

struct Place {
    float x, y, z, x_low, y_low, z_low;
};

__device__ __forceinline__ Place place_of(const Source& body, const Vector3& origin) {
    const double x = body.x - origin.x, y = body.y - origin.y, z = body.z - origin.z;
    const float fx = static_cast<float>(x), fy = static_cast<float>(y), fz = static_cast<float>(z);
    return {fx, fy, fz, static_cast<float>(x - fx), static_cast<float>(y - fy), static_cast<float>(z - fz)};
}

/// A source as it is staged.
struct alignas(16) Staged {
    float4 upper;  ///< position and mass
    float4 lower;  ///< and softening_factor()
};

template <Softened S>
__device__ __forceinline__ Staged staged_of(const Source& source, const Vector3& origin) {
    const Place p = place_of(source, origin);
    return {{p.x, p.y, p.z, source.mass}, {p.x_low, p.y_low, p.z_low, softening_factor<S>(source.softening)}};
}

/// Adds what sources do to target i that are too close for single precision: bit k of `close` is of source first + k. Returns how
/// many of them are left out.
template <SofteningKernel kernel, int D>
__device__ __forceinline__ unsigned add_close_pairs(const TreeView& tree, const WalkTargets& targets, std::uint32_t i,
                                                    std::uint32_t first, unsigned close, Jet<double, D>& total) {
    unsigned left_out = 0;
    for (; close != 0; close &= close - 1) {
        const std::uint32_t source = first + static_cast<std::uint32_t>(__ffs(static_cast<int>(close)) - 1);
        if (target_of(tree, source, 0) == i) continue;
        Jet<double, D> pair{};
        if (!add_pair(pair, targets.bodies[i], tree.sources[source], {0.0, 0.0, 0.0}, kernel)) ++left_out;
        unrolled<component_count(D)>([&](auto c) { total.term[c] += pair.term[c]; });
    }
    return left_out;
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
template <int D, Softened S, int T>
__global__ void __launch_bounds__(warps* warp_size)
    pairs_kernel(const __grid_constant__ TreeView tree, const __grid_constant__ WalkTargets targets, double* sums,
                 WalkCounters* counters) {
    constexpr SofteningKernel kernel = S == Softened::spline ? SofteningKernel::spline : SofteningKernel::plummer;
    constexpr int components = component_count(D);
    __shared__ Staged staged[warps][warp_size];
    __shared__ double of_warp[warps][T * warp_size];
    if (is_left_out(targets, blockIdx.x)) return;
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const Group& group = targets.groups[blockIdx.x];
    const std::uint32_t begin = group.begin, target_count = group.count, count = static_cast<std::uint32_t>(tree.source_count);
    const auto is_target = [=](int k) { return lane + k * warp_size < target_count; };
    const auto target = [=](int k) { return begin + (is_target(k) ? lane + k * warp_size : 0u); };
    const Vector3 origin{tree.sources[0].x, tree.sources[0].y, tree.sources[0].z};
    Place at[T];
    float own[T];
    for (int k = 0; k < T; ++k) {
        const Source& body = targets.bodies[target(k)];
        at[k] = place_of(body, origin);
        own[k] = softening_factor<S>(body.softening);
    }
    Jet<double, D> total[T] = {};
    unsigned coincident = 0;
    const std::uint32_t step = gridDim.y * warps * warp_size;
    for (std::uint32_t first = (blockIdx.y * warps + warp) * warp_size; first < count; first += step) {
        const std::uint32_t here = count - first < warp_size ? count - first : warp_size;
        if (lane < here) staged[warp][lane] = staged_of<S>(tree.sources[first + lane], origin);
        __syncwarp();
        Jet<float, D> of_list[T] = {};
        unsigned close[T] = {};  // bit i: source i is close to target k
#pragma unroll 4
        for (std::uint32_t i = 0; i < here; ++i) {
            const float4 upper = staged[warp][i].upper, lower = staged[warp][i].lower;
#pragma unroll
            for (int k = 0; k < T; ++k) {
                const float x = (at[k].x - upper.x) + (at[k].x_low - lower.x), y = (at[k].y - upper.y) + (at[k].y_low - lower.y),
                            z = (at[k].z - upper.z) + (at[k].z_low - lower.z), d2 = x * x + y * y + z * z;
                const bool apart = d2 > nearest * nearest;
                if (!apart) close[k] |= 1u << i;
                if (apart && add_within_spline<S>(of_list[k], x, y, z, d2, upper.w, own[k], lower.w)) continue;
                const float r_inverse = apart ? rsqrtf(softened_square<S>(d2, own[k], lower.w)) : 0.0f;
                add_source(of_list[k], x, y, z, r_inverse, upper.w);
            }
        }
        __syncwarp();
        for (int k = 0; k < T; ++k) {
            unrolled<components>([&](auto c) { total[k].term[c] += of_list[k].term[c]; });
            if (is_target(k)) coincident += add_close_pairs<kernel>(tree, targets, target(k), first, close[k], total[k]);
        }
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

/// Into how many parts sources are dealt: the same whoever is active, so that sums have the same bits.
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
        with_softening(targets, [&](auto softened) {
            constexpr Softened s = decltype(softened)::value;
            const auto kernel = targets.group_size == warp_size ? pairs_kernel<d, s, 1> : pairs_kernel<d, s, 2>;
            kernel<<<dim3(groups, parts), warps * warp_size, 0, stream>>>(tree, targets, sums.data(), counters);
            cuda_check(cudaGetLastError(), "bodies one by one");
        });
        add_parts<d><<<groups, targets.group_size, 0, stream>>>(targets, sums.data(), parts);
        cuda_check(cudaGetLastError(), "bodies one by one");
    });
}

}  // namespace gravlet
