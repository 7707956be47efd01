// SPDX-License-Identifier: Apache-2.0
// Host memory that is not page-locked reaches the device through two page-locked buffers: while one is on the bus, the host's
// threads fill (or empty) the other.
#pragma once

#include "gpu/execution/buffer.hpp"

#include <algorithm>
#include <cstddef>

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

    /// n numbers to the device: fill(begin, count, buffer) writes those from `begin` on to `buffer`, from one thread of its own
    /// or several.
    template <class Fill>
    void upload(double* device, std::size_t n, const Fill& fill) {
        for (std::size_t begin = 0, turn = 0; begin < n; begin += buffer_size, turn ^= 1) {
            const std::size_t count = std::min(buffer_size, n - begin);
            fill(begin, count, free_buffer(turn));
            send(turn, device + begin, count);
        }
    }
    /// n numbers from the device: drain(begin, count, buffer) gets them a buffer at a time. All are there when this returns.
    template <class Drain>
    void download(const double* device, std::size_t n, const Drain& drain) {
        const auto count = [&](std::size_t begin) { return std::min(buffer_size, n - begin); };
        if (n > 0) request(0, device, count(0));
        for (std::size_t begin = 0, turn = 0; begin < n; begin += buffer_size, turn ^= 1) {
            const std::size_t next = begin + buffer_size;
            if (next < n) request(turn ^ 1, device + next, count(next));
            drain(begin, count(begin), requested(turn));
        }
    }

    /// What memory of its own a download of n numbers needs, now rather than then.
    void reserve(std::size_t n);

    /// Plain arrays, page-locked or not.
    void upload(double* device, const double* host, std::size_t n);
    void download(const double* device, double* host, std::size_t n);

private:
    /// A buffer that nothing travels from any more.
    double* free_buffer(std::size_t turn);
    void send(std::size_t turn, double* device, std::size_t count);
    void request(std::size_t turn, const double* device, std::size_t count);
    /// Once it has arrived.
    const double* requested(std::size_t turn);
    void copy(double* to, const double* from, std::size_t n) const;

    static constexpr std::size_t buffer_size = std::size_t{1} << 20;  ///< 8 MB
    GpuContext& context_;
    int threads_;
    PinnedBuffer<double> buffers_[2];
    cudaEvent_t moved_[2] = {};
};

}  // namespace gravlet
