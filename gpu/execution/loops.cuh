// SPDX-License-Identifier: Apache-2.0
// Primitives that are a kernel of ours around the caller's function, and those that need nothing compiled for the caller. Most
// stages need no others, and are spared CUB's headers, by far the longest (primitives.cuh has all).
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/team.cuh"

#include <cstddef>
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

/// Sorts 64-bit keys whose first bit and lowest `unused_bits` are 0, equal ones by value (which ascend to begin with).
void sort_by_key(const Gpu& gpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int unused_bits);

/// out[i] = sum of in[0..i); returns the sum of all. `in` and `out` may be the same.
/// (gpu/execution/scan.cuh; gpu/execution/sort_and_scan.cu has it for the types that stages scan.)
template <class T>
T exclusive_scan(const Gpu& gpu, const T* in, T* out, std::size_t n);

}  // namespace gravlet
