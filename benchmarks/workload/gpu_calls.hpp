// SPDX-License-Identifier: Apache-2.0
// What the benchmark itself asks of CUDA; in a build without it there are no GPUs (gpu_absent.cpp).
#pragma once

#include "benchmarks/workload/bench_memory.hpp"

#include <cstddef>
#include <string>

namespace gravlet::bench {

/// GPUs of this machine that can be used.
[[nodiscard]] int gpu_count();
/// The name of GPU number `index`. `use`: makes it the current one.
[[nodiscard]] std::string choose_gpu(int index, bool use);
/// An array of zeros, in device or page-locked memory.
[[nodiscard]] Array::Owner gpu_zeros(Memory memory, std::size_t count);
/// Copies from and to any memory.
void gpu_copy(double* to, const double* from, std::size_t count);

}  // namespace gravlet::bench
