// SPDX-License-Identifier: Apache-2.0
// What needs nothing of the caller but its types: no other file compiles CUB's sorts and scans.
#include "gpu/execution/scan.cuh"
#include "physics/parts.hpp"
#include "physics/path_size.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace gravlet {
namespace {

/// Number of entries that are sorted by merging: a radix sort takes a launch for every 8 bits, however few there are.
constexpr std::size_t few_to_sort = path_size(1 << 15, 200);

struct InOrder {
    __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
};

}  // namespace

void sort_by_key(const Gpu& gpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int unused_bits) {
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

template std::uint32_t exclusive_scan(const Gpu&, const std::uint32_t*, std::uint32_t*, std::size_t);
template MergeCounts exclusive_scan(const Gpu&, const MergeCounts*, MergeCounts*, std::size_t);

}  // namespace gravlet
