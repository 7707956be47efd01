// SPDX-License-Identifier: Apache-2.0
// An array in device memory that grows and keeps its capacity, without initialising its elements; and its way to and from the
// host. Everything runs in the context's stream.
#pragma once

#include "gpu/execution/check.hpp"
#include "gpu/execution/context.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gravlet {

template <class T>
class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit DeviceBuffer(GpuContext& context) : context_(&context) {}
    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DeviceBuffer() { release(); }

    /// Keeps the first min(size(), n) elements.
    void resize(std::size_t n) {
        if (n > capacity_) grow(n);
        size_ = n;
    }
    /// Resizes, but the contents are lost: nothing is copied, and a larger array takes the place of the old one.
    void resize_discard(std::size_t n) {
        if (n > capacity_) release();
        resize(n);
    }
    void release() {
        if (context_ != nullptr) context_->release(data_, bytes_);
        data_ = nullptr;
        size_ = capacity_ = bytes_ = 0;
    }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    /// What grows again and again gets a quarter more than it asks for.
    void grow(std::size_t n) {
        const std::size_t capacity = capacity_ == 0 ? n : std::max(n, capacity_ + capacity_ / 4);
        std::size_t bytes = capacity * sizeof(T);
        T* const fresh = static_cast<T*>(context_->allocate(bytes));
        if (size_ > 0)
            cuda_check(cudaMemcpyAsync(fresh, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice, context_->stream()),
                       "cudaMemcpyAsync");
        context_->release(data_, bytes_);
        data_ = fresh;
        bytes_ = bytes;
        capacity_ = bytes / sizeof(T);
    }
    void swap(DeviceBuffer& other) noexcept {
        std::swap(context_, other.context_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        std::swap(bytes_, other.bytes_);
    }

    GpuContext* context_ = nullptr;
    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0, bytes_ = 0;
};

/// Page-locked host memory that grows; its contents are lost when it does.
template <class T>
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;
    ~PinnedBuffer() { cudaFreeHost(data_); }

    void resize_discard(std::size_t n) {
        if (n <= capacity_) return;
        cudaFreeHost(data_);
        data_ = nullptr;
        capacity_ = 0;
        const std::size_t capacity = n + n / 4;
        const cudaError_t code = cudaMallocHost(reinterpret_cast<void**>(&data_), capacity * sizeof(T));
        if (code != cudaSuccess) {
            cudaGetLastError();
            throw Error(ErrorCode::out_of_memory, std::string("page-locked host memory: ") + cudaGetErrorString(code));
        }
        capacity_ = capacity;
    }
    [[nodiscard]] T* data() { return data_; }

private:
    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace gravlet
