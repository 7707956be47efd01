// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_memory.hpp"

#include "benchmarks/workload/cuda_check.hpp"

#include <algorithm>
#include <utility>

namespace gravlet::bench {

Array::Array(Memory memory, std::size_t count) : memory_(memory), count_(count) {
    if (count == 0) return;
    const std::size_t bytes = count * sizeof(double);
    if (memory == Memory::host) {
        data_ = {new double[count](), [](double* data) { delete[] data; }};
        return;
    }
    void* data = nullptr;
    if (memory == Memory::device) {
        cuda_check(cudaMalloc(&data, bytes), "cudaMalloc");
        data_ = {static_cast<double*>(data), [](double* old) { static_cast<void>(cudaFree(old)); }};
        cuda_check(cudaMemset(data, 0, bytes), "cudaMemset");
        cuda_check(cudaDeviceSynchronize(), "cudaMemset");
    } else {
        cuda_check(cudaMallocHost(&data, bytes), "cudaMallocHost");
        data_ = {static_cast<double*>(data), [](double* old) { static_cast<void>(cudaFreeHost(old)); }};
        std::fill_n(data_.get(), count, 0.0);
    }
}

Array::Array(Memory memory, std::span<const double> values) : Array(memory, values.size()) { copy_from(values.data(), false); }

void Array::copy_from(const double* values, bool on_device) {
    if (count_ == 0) return;
    if (memory_ == Memory::device || on_device) {
        cuda_check(cudaMemcpy(data_.get(), values, count_ * sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
    } else {
        std::copy_n(values, count_, data_.get());
    }
}

std::vector<double> Array::to_host() const {
    std::vector<double> values(count_);
    if (count_ == 0) return values;
    if (memory_ == Memory::device) {
        cuda_check(cudaMemcpy(values.data(), data_.get(), count_ * sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
    } else {
        std::copy_n(data_.get(), count_, values.data());
    }
    return values;
}

Array Array::moved_to(Memory memory) && {
    if (memory == memory_) return std::move(*this);
    Array other(memory, count_);
    other.copy_from(data_.get(), memory_ == Memory::device);
    *this = {};
    return other;
}

}  // namespace gravlet::bench
