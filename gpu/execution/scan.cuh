// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/execution/loops.cuh"
#include "physics/path_size.hpp"

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

namespace gravlet {

constexpr std::size_t scan_block = 512, scan_items = 16, one_block_scans = path_size(scan_block * scan_items, std::size_t{100});

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

template <class T>
T exclusive_scan(const Gpu& gpu, const T* in, T* out, std::size_t n) {
    if (n == 0) return T{};
    T* const ends = static_cast<T*>(gpu.context->pinned_slot());  // the last element, and the sum of those before it
    const cudaStream_t stream = gpu.context->stream();
    if (n <= one_block_scans) {
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

}  // namespace gravlet
