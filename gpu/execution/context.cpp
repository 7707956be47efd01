// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/context.hpp"

#include "gpu/execution/check.hpp"
#include "gpu/execution/device_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gravlet {
namespace {

constexpr std::size_t small_allocation = std::size_t{1} << 20;

}  // namespace

DeviceScope::DeviceScope(int device) {
    cuda_check(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ != device && !is_in_use(before_)) before_ = device;  // to set it again would take memory of it
    cuda_check(cudaSetDevice(device), "cudaSetDevice");
}

DeviceScope::~DeviceScope() { cudaSetDevice(before_); }

GpuContext::GpuContext(int device) : device_(device) {
    const DeviceScope scope(device_);
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device_), "cudaGetDeviceProperties");
    name_ = fmt::format("gpu ({})", properties.name);
    try {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        cuda_check(cudaMallocHost(&pinned_, slot_bytes), "cudaMallocHost");
    } catch (...) {
        free_all();
        throw;
    }
}

void GpuContext::free_all() noexcept {
    // A process that ends may have lost its device already; nothing can be done about it then.
    for (const Allocation& one : kept_) cudaFree(one.data);
    cudaFree(scratch_.data);
    cudaFreeHost(pinned_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void* GpuContext::allocate(std::size_t& bytes) {
    if (bytes <= small_allocation) {
        bytes = std::bit_ceil(std::max<std::size_t>(bytes, 256));
        const auto same = [&](const Allocation& one) { return one.bytes == bytes; };
        const auto found = std::find_if(kept_.begin(), kept_.end(), same);
        if (found != kept_.end()) {
            void* const data = found->data;
            *found = kept_.back();
            kept_.pop_back();
            return data;
        }
    }
    if (bytes <= small_allocation) kept_.reserve(++small_allocations_);  // so that release() need not allocate
    void* data = nullptr;
    const cudaError_t code = cudaMalloc(&data, bytes);
    if (code != cudaSuccess) {
        cudaGetLastError();
        if (code != cudaErrorMemoryAllocation) cuda_check(code, "cudaMalloc");
        std::size_t free = 0, total = 0;
        cudaMemGetInfo(&free, &total);
        throw Error(
            ErrorCode::out_of_memory,
            fmt::format("{}, device {}: {:.0f} MB more are needed, {:.0f} MB of {:.0f} MB are free", name_, device_,
                        1e-6 * static_cast<double>(bytes), 1e-6 * static_cast<double>(free), 1e-6 * static_cast<double>(total)));
    }
    tally_.add(bytes);
    return data;
}

void GpuContext::release(void* data, std::size_t bytes) noexcept {
    if (data == nullptr) return;
    if (bytes <= small_allocation) {
        kept_.push_back({data, bytes});
        return;
    }
    cudaFree(data);
    tally_.remove(bytes);
}

void* GpuContext::scratch(std::size_t bytes) {
    if (bytes > scratch_.bytes) {
        release(scratch_.data, scratch_.bytes);
        scratch_ = {nullptr, 0};
        std::size_t taken = bytes;
        scratch_.data = allocate(taken);
        scratch_.bytes = taken;
    }
    return scratch_.data;
}

void GpuContext::synchronize() const {
    if (idle_) return;
    cuda_check(cudaStreamSynchronize(stream_), "a kernel");
    idle_ = true;
}

}  // namespace gravlet
