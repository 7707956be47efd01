// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/fft.hpp"

#include <gravlet/error.hpp>

#include <cufft.h>

#include <algorithm>
#include <string>
#include <utility>

namespace gravlet {
namespace {

void check(cufftResult code, const char* what) {
    if (code == CUFFT_SUCCESS) return;
    cudaGetLastError();
    throw Error(code == CUFFT_ALLOC_FAILED ? ErrorCode::out_of_memory : ErrorCode::internal,
                std::string(what) + ": cuFFT's error " + std::to_string(static_cast<int>(code)));
}

/// Makes a plan without memory of its own. Returns the scratch memory that it needs.
std::size_t make(const FftLines& lines, cufftType type, cudaStream_t stream, int& handle) {
    check(cufftCreate(&handle), "cufftCreate");
    check(cufftSetStream(handle, stream), "cufftSetStream");
    check(cufftSetAutoAllocation(handle, 0), "cufftSetAutoAllocation");
    long long n = lines.length, strided = 0;
    const auto stride = static_cast<long long>(lines.stride), distance = static_cast<long long>(lines.distance);
    // Of real lines, which lie where their waves do, the distance is twice as many numbers.
    const long long in = type == CUFFT_D2Z ? 2 * distance : distance, out = type == CUFFT_Z2D ? 2 * distance : distance;
    std::size_t bytes = 0;
    check(cufftMakePlanMany64(handle, 1, &n, &strided, stride, in, &strided, stride, out, type,
                              static_cast<long long>(lines.count), &bytes),
          "cufftMakePlanMany64");
    return bytes;
}

}  // namespace

GpuFft::GpuFft(const Gpu& gpu, const FftLines& lines) : context_(gpu.context), real_(lines.real) {
    const cudaStream_t stream = context_->stream();
    try {
        scratch_ = make(lines, real_ ? CUFFT_D2Z : CUFFT_Z2Z, stream, forward_);
        if (real_) scratch_ = std::max(scratch_, make(lines, CUFFT_Z2D, stream, inverse_));
    } catch (...) {
        GpuFft ended(std::move(*this));
        throw;
    }
}

GpuFft::~GpuFft() {
    if (forward_ != none) cufftDestroy(forward_);
    if (inverse_ != none) cufftDestroy(inverse_);
}

void GpuFft::swap(GpuFft& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(real_, other.real_);
    std::swap(forward_, other.forward_);
    std::swap(inverse_, other.inverse_);
    std::swap(scratch_, other.scratch_);
}

void GpuFft::forward(double* data) const {
    const auto waves = reinterpret_cast<cufftDoubleComplex*>(data);
    check(cufftSetWorkArea(forward_, context_->scratch(scratch_)), "cufftSetWorkArea");
    if (real_)
        check(cufftExecD2Z(forward_, data, waves), "cufftExecD2Z");
    else
        check(cufftExecZ2Z(forward_, waves, waves, CUFFT_FORWARD), "cufftExecZ2Z");
}

void GpuFft::inverse(double* data) const {
    const auto waves = reinterpret_cast<cufftDoubleComplex*>(data);
    const int handle = real_ ? inverse_ : forward_;
    check(cufftSetWorkArea(handle, context_->scratch(scratch_)), "cufftSetWorkArea");
    if (real_)
        check(cufftExecZ2D(handle, waves, data), "cufftExecZ2D");
    else
        check(cufftExecZ2Z(handle, waves, waves, CUFFT_INVERSE), "cufftExecZ2Z");
}

}  // namespace gravlet
