// SPDX-License-Identifier: Apache-2.0
// What one solver holds of one device: a stream of its own, memory that is kept between solves, and the way back to the host
// for single values.
#pragma once

#include "physics/memory_tally.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gravlet {

/// Makes a device the current one, and restores the caller's.
class DeviceScope {
public:
    [[nodiscard]] explicit DeviceScope(int device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    int before_ = 0;
};

class GpuContext {
public:
    explicit GpuContext(int device);
    ~GpuContext() { free_all(); }
    GpuContext(const GpuContext&) = delete;
    GpuContext& operator=(const GpuContext&) = delete;

    [[nodiscard]] int device() const { return device_; }
    /// The stream for work: whoever asks for it is taken to have given it some.
    [[nodiscard]] cudaStream_t stream() const {
        idle_ = false;
        return stream_;
    }
    [[nodiscard]] MemoryTally& tally() { return tally_; }
    /// "gpu (NVIDIA H200)"
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Device memory, at least `bytes`, which becomes what was really taken. Small ones are kept when they are given back, so
    /// that a repeated solve allocates nothing. Throws Error(out_of_memory) that says what is needed and what is there.
    void* allocate(std::size_t& bytes);
    void release(void* data, std::size_t bytes) noexcept;

    /// Device memory for the duration of one library call, kept and grown. The last one given is no longer valid.
    void* scratch(std::size_t bytes);

    /// Page-locked host memory for values on their way back, which kernels can write too: room for 512 bytes.
    [[nodiscard]] void* pinned_slot() const { return pinned_; }
    /// Waits for the stream; if nobody has asked for it since the last time, without a call of the driver's.
    void synchronize() const;

    static constexpr std::size_t slot_bytes = 512;

private:
    struct Allocation {
        void* data;
        std::size_t bytes;
    };

    void free_all() noexcept;

    int device_;
    cudaStream_t stream_ = nullptr;
    mutable bool idle_ = true;
    MemoryTally tally_;
    std::string name_;
    std::vector<Allocation> kept_;
    std::size_t small_allocations_ = 0;  ///< most small allocations that were ever made
    Allocation scratch_{nullptr, 0};
    void* pinned_ = nullptr;
};

}  // namespace gravlet
