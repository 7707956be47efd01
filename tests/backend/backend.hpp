// SPDX-License-Identifier: Apache-2.0
// The backend that a test is compiled for: its source is compiled once for the CPU, and once for the GPU. Tests look at copies in
// host memory. On the GPU they launch the library's own kernels; those that have kernels of theirs are compiled by nvcc.
//
// CUDA's extended lambdas may not be in private member functions, which GoogleTest's test bodies are: whatever calls a primitive
// with a lambda is a function of its own.
#pragma once

#if defined(__CUDACC__)
#include "gpu/gpu.cuh"
#elif defined(GRAVLET_TEST_OF_GPU)
#include "gpu/gpu.hpp"
#else
#include "cpu/cpu.hpp"
#endif

#include <type_traits>
#include <vector>

namespace gravlet::test {

#if defined(GRAVLET_TEST_OF_GPU)
using Backend = Gpu;

struct Machine : Gpu::Machine {
    explicit Machine(int threads = 1) : Gpu::Machine(0, threads) {}
};
#else
using Backend = Cpu;

struct Machine : Cpu::Machine {
    explicit Machine(int threads = 1) : Cpu::Machine(threads) {}
};
#endif

template <class T>
std::vector<T> on_host(const Backend& exec, const T* data, std::size_t n) {
    std::vector<T> out(n);
    copy_out(exec, data, out.data(), n);
    return out;
}

template <class T>
std::vector<T> on_host(const Backend& exec, const Backend::Buffer<T>& buffer) {
    return on_host(exec, buffer.data(), buffer.size());
}

template <class T>
Backend::Buffer<T> on_backend(const Backend& exec, const std::vector<T>& values) {
    auto out = exec.buffer<T>();
    out.resize_discard(values.size());
    copy_in(exec, values.data(), out.data(), values.size());
    return out;
}

}  // namespace gravlet::test
