// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace gravlet {

/// Throws Error(internal), or Error(out_of_memory) where that is it, with CUDA's own words. `what` names the call.
inline void cuda_check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    cudaGetLastError();
    throw Error(code == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::internal,
                std::string(what) + ": " + cudaGetErrorString(code));
}

}  // namespace gravlet
