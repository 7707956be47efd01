// SPDX-License-Identifier: Apache-2.0
// Every CUDA call of the benchmarks goes through here: what fails becomes a gravlet::Error that names the call.
#pragma once

#include <gravlet/error.hpp>

#include <cuda_runtime.h>

#include <string>

namespace gravlet::bench {

inline void cuda_check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    // Or the next kernel launch would be blamed for it.
    static_cast<void>(cudaGetLastError());
    throw Error(code == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::internal,
                std::string(what) + ": " + cudaGetErrorString(code));
}

}  // namespace gravlet::bench
