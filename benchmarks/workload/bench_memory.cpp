// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_memory.hpp"

#include "benchmarks/workload/gpu_calls.hpp"

#include <algorithm>

namespace gravlet::bench {

Array::Array(Memory memory, std::size_t count) : memory_(memory), count_(count) {
    if (count == 0) return;
    if (memory == Memory::host) {
        data_ = {new double[count](), [](double* data) { delete[] data; }};
    } else {
        data_ = gpu_zeros(memory, count);
    }
}

Array::Array(Memory memory, std::span<const double> values) : Array(memory, values.size()) {
    if (count_ > 0) copy(data_.get(), values.data());
}

std::vector<double> Array::to_host() const {
    std::vector<double> values(count_);
    if (count_ > 0) copy(values.data(), data_.get());
    return values;
}

void Array::copy(double* to, const double* from) const {
    if (memory_ == Memory::device) {
        gpu_copy(to, from, count_);
    } else {
        std::copy_n(from, count_, to);
    }
}

}  // namespace gravlet::bench
