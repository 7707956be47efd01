// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace gravlet {

/// Throws Error(internal) with CUDA's own words. `what` names the call. Memory has its own error, see gpu/context.hpp.
inline void cuda_check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    cudaGetLastError();
    throw Error(ErrorCode::internal, std::string(what) + ": " + cudaGetErrorString(code));
}

}  // namespace gravlet
