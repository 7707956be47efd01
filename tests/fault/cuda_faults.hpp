// SPDX-License-Identifier: Apache-2.0
// CUDA calls that fail, by -Wl,--wrap of the functions in cuda_faults.cpp.
#pragma once

#include "tests/fault/countdown.hpp"

namespace gravlet::test {

/// Device memory, page-locked memory: the k-th call gets none (cudaErrorMemoryAllocation).
Countdown& device_allocations();

/// Copies, kernels, events, streams: the k-th call reports cudaErrorUnknown, as if the device had gone wrong.
Countdown& device_calls();

}  // namespace gravlet::test
