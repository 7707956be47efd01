// SPDX-License-Identifier: Apache-2.0
// The primitives of solver/ on the GPU: CUB's, in the solver's stream and with its scratch memory.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/team.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <cstdint>

namespace gravlet {

/// Runs a CUB algorithm: once for the size of its scratch memory, and once for good.
template <class F>
void with_scratch(const Gpu& gpu, F algorithm) {
    std::size_t bytes = 0;
    cuda_check(algorithm(nullptr, bytes), "CUB");
    void* const scratch = gpu.context->scratch(bytes);
    cuda_check(algorithm(scratch, bytes), "CUB");
}

template <class F>
__global__ void __launch_bounds__(256) for_each_kernel(std::size_t n, F f) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F>
void for_each(const Gpu& gpu, std::size_t n, F f) {
    if (n == 0) return;
    for_each_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, gpu.context->stream()>>>(n, f);
    cuda_check(cudaGetLastError(), "a kernel");
}

template <std::uint32_t Size, class F>
__global__ void __launch_bounds__(256) for_each_team_kernel(std::size_t n, F f) {
    const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / Size;
    if (i < n) f(i, GpuTeam<Size>());
}

/// Calls f(i, team) for each i, by all lanes of a team.
template <std::uint32_t Size, class F>
void for_each_team(const Gpu& gpu, std::size_t n, F f) {
    if (n == 0) return;
    constexpr std::size_t together = 256 / Size;
    for_each_team_kernel<Size><<<static_cast<unsigned>((n + together - 1) / together), 256, 0, gpu.context->stream()>>>(n, f);
    cuda_check(cudaGetLastError(), "a kernel");
}

template <class Condition>
__global__ void __launch_bounds__(256) any_kernel(std::size_t n, Condition condition, int* found) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (__syncthreads_or(i < n && condition(i)) && threadIdx.x == 0) *found = 1;
}

/// Whether condition(i) holds for any i in [0, n); it is asked of all.
template <class Condition>
bool any_of(const Gpu& gpu, std::size_t n, Condition condition) {
    if (n == 0) return false;
    int* const found = static_cast<int*>(gpu.context->pinned_slot());
    *found = 0;
    any_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, gpu.context->stream()>>>(n, condition, found);
    cuda_check(cudaGetLastError(), "a kernel");
    gpu.context->synchronize();
    return *found != 0;
}

/// So few are sorted by merging: a radix sort takes a launch for every 8 bits, however few there are.
constexpr std::size_t few_to_sort = std::size_t{1} << 15;

struct InOrder {
    __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};

/// Sorts 64-bit keys whose first bit and lowest `unused_bits` are 0, equal ones by value (which ascend to begin with).
inline void sort_by_key(const Gpu& gpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int unused_bits) {
    if (n == 0 || unused_bits >= 63) return;
    if (n <= few_to_sort)
        return with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceMergeSort::StableSortPairs(scratch, bytes, keys, values, static_cast<std::int64_t>(n), InOrder(),
                                                         gpu.context->stream());
        });
    const auto sort = [&](void* scratch, std::size_t& bytes, cub::DoubleBuffer<std::uint64_t>& k,
                          cub::DoubleBuffer<std::uint32_t>& v) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, static_cast<std::int64_t>(n), unused_bits, 63,
                                               gpu.context->stream());
    };
    cub::DoubleBuffer<std::uint64_t> k(keys, keys);
    cub::DoubleBuffer<std::uint32_t> v(values, values);
    std::size_t bytes = 0;
    cuda_check(sort(nullptr, bytes, k, v), "CUB");
    const std::size_t line = 256, space = (bytes + line - 1) / line * line,
                      key_bytes = (n * sizeof(*keys) + line - 1) / line * line;
    char* const scratch = static_cast<char*>(gpu.context->scratch(space + key_bytes + n * sizeof(*values)));
    k = {keys, reinterpret_cast<std::uint64_t*>(scratch + space)};
    v = {values, reinterpret_cast<std::uint32_t*>(scratch + space + key_bytes)};
    cuda_check(sort(scratch, bytes, k, v), "CUB");
    const auto settle = [&](const auto* sorted, auto* to) {
        if (sorted != to)
            cuda_check(cudaMemcpyAsync(to, sorted, n * sizeof(*to), cudaMemcpyDeviceToDevice, gpu.context->stream()),
                       "cudaMemcpyAsync");
    };
    settle(k.Current(), keys);
    settle(v.Current(), values);
}

constexpr std::size_t scan_block = 512, scan_items = 16;

/// A scan by one block, for short arrays: one launch in place of CUB's two, and no copies.
template <class T>
__global__ void __launch_bounds__(scan_block) scan_kernel(const T* in, T* out, std::size_t n, T* total) {
    using Scan = cub::BlockScan<T, scan_block>;
    __shared__ typename Scan::TempStorage storage;
    const std::size_t begin = threadIdx.x * scan_items;
    T items[scan_items];
    for (std::size_t k = 0; k < scan_items; ++k) items[k] = begin + k < n ? in[begin + k] : T{};
    T sum{};
    Scan(storage).ExclusiveSum(items, items, sum);
    for (std::size_t k = 0; k < scan_items; ++k)
        if (begin + k < n) out[begin + k] = items[k];
    if (threadIdx.x == 0) *total = sum;
}

/// out[i] = sum of in[0..i); returns the sum of all. `in` and `out` may be the same.
template <class T>
T exclusive_scan(const Gpu& gpu, const T* in, T* out, std::size_t n) {
    if (n == 0) return T{};
    T* const ends = static_cast<T*>(gpu.context->pinned_slot());  // the last element, and the sum of those before it
    const cudaStream_t stream = gpu.context->stream();
    if (n <= scan_block * scan_items) {
        scan_kernel<<<1, scan_block, 0, stream>>>(in, out, n, ends);
        cuda_check(cudaGetLastError(), "a kernel");
        gpu.context->synchronize();
        return ends[0];
    }
    cuda_check(cudaMemcpyAsync(ends, in + n - 1, sizeof(T), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, static_cast<std::int64_t>(n), stream);
    });
    cuda_check(cudaMemcpyAsync(ends + 1, out + n - 1, sizeof(T), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    gpu.context->synchronize();
    return ends[0] + ends[1];
}

/// op over transform(0), ..., transform(n - 1). `op` must not depend on the order (minimum, maximum, integer sums).
template <class T, class Transform, class Op>
T transform_reduce(const Gpu& gpu, std::size_t n, Transform transform, T init, Op op) {
    static_assert(sizeof(T) <= GpuContext::slot_bytes);
    if (n == 0) return init;
    T* const out = static_cast<T*>(gpu.context->pinned_slot());
    with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<std::size_t>(0), out,
                                                  static_cast<std::int64_t>(n), op, transform, init, gpu.context->stream());
    });
    gpu.context->synchronize();
    return *out;
}

/// Writes the indices i in [0, n) with keep(i) to `out`, in order; returns their number.
template <class I, class Keep>
std::size_t select_indices(const Gpu& gpu, std::size_t n, I* out, Keep keep) {
    if (n == 0) return 0;
    std::int64_t* const count = static_cast<std::int64_t*>(gpu.context->pinned_slot());
    with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, thrust::counting_iterator<I>(0), out, count, static_cast<std::int64_t>(n),
                                     keep, gpu.context->stream());
    });
    gpu.context->synchronize();
    return static_cast<std::size_t>(*count);
}

}  // namespace gravlet
