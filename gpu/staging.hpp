// SPDX-License-Identifier: Apache-2.0
// Host memory that is not page-locked reaches the device through two page-locked pieces: while one is on the bus, the host's
// threads fill (or empty) the other.
#pragma once

#include "gpu/buffer.hpp"

#include <cstddef>
#include <functional>

namespace gravlet {

/// Where an array is.
enum class Memory { host, pinned, device };

/// Throws Error(invalid_input) for memory of a device that is not `device`.
Memory memory_of(const void* array, int device);

class Staging {
public:
    Staging(GpuContext& context, int threads);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    using Fill = std::function<void(std::size_t begin, std::size_t count, double* piece)>;
    using Drain = std::function<void(std::size_t begin, std::size_t count, const double* piece)>;

    /// n numbers to the device: fill(begin, count, piece) writes those from `begin` on to `piece`, from one thread of its own or
    /// several.
    void upload(double* device, std::size_t n, const Fill& fill);
    /// n numbers from the device: drain() gets them a piece at a time. All are there when this returns.
    void download(const double* device, std::size_t n, const Drain& drain);

    /// What memory of its own a download of n numbers needs, now rather than then.
    void reserve(std::size_t n);

    /// Plain arrays, page-locked or not.
    void upload(double* device, const double* host, std::size_t n);
    void download(const double* device, double* host, std::size_t n);

private:
    void copy(double* to, const double* from, std::size_t n) const;

    static constexpr std::size_t piece = std::size_t{1} << 20;  ///< 8 MB
    GpuContext& context_;
    int threads_;
    PinnedBuffer<double> pieces_[2];
    cudaEvent_t moved_[2] = {};
};

}  // namespace gravlet
