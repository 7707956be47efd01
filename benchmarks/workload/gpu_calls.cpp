// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/gpu_calls.hpp"

#include "benchmarks/workload/cuda_check.hpp"

#include <algorithm>

namespace gravlet::bench {

int gpu_count() {
    int count = 0;
    // Fails where there is no GPU or no driver; that is an answer too.
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    static_cast<void>(cudaGetLastError());
    return 0;
}

std::string choose_gpu(int index, bool use) {
    if (use) cuda_check(cudaSetDevice(index), "cudaSetDevice");
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
    return properties.name;
}

Array::Owner gpu_zeros(Memory memory, std::size_t count) {
    void* data = nullptr;
    const std::size_t bytes = count * sizeof(double);
    if (memory == Memory::device) {
        cuda_check(cudaMalloc(&data, bytes), "cudaMalloc");
        Array::Owner owner{static_cast<double*>(data), [](double* old) { static_cast<void>(cudaFree(old)); }};
        cuda_check(cudaMemset(data, 0, bytes), "cudaMemset");
        cuda_check(cudaDeviceSynchronize(), "cudaMemset");
        return owner;
    }
    cuda_check(cudaMallocHost(&data, bytes), "cudaMallocHost");
    Array::Owner owner{static_cast<double*>(data), [](double* old) { static_cast<void>(cudaFreeHost(old)); }};
    std::fill_n(owner.get(), count, 0.0);
    return owner;
}

void gpu_copy(double* to, const double* from, std::size_t count) {
    cuda_check(cudaMemcpy(to, from, count * sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
}

}  // namespace gravlet::bench
