// SPDX-License-Identifier: Apache-2.0
// Copies of host memory that is not page-locked to the device and back, through two page-locked buffers: while one is on the bus,
// the host's threads fill (or empty) the other.
#pragma once

#include "gpu/execution/buffer.hpp"
#include "physics/path_size.hpp"

#include <gravlet/reals.hpp>

#include <algorithm>
#include <cstddef>

namespace gravlet {

/// The memory that an array is in.
enum class Memory { host, pinned, device };

/// Throws Error(invalid_input) for memory of a device that is not `device`.
Memory memory_of(const void* array, int device);

class PinnedCopies {
public:
    PinnedCopies(GpuContext& context, int threads);
    ~PinnedCopies();
    PinnedCopies(const PinnedCopies&) = delete;
    PinnedCopies& operator=(const PinnedCopies&) = delete;

    /// Copies n numbers, of doubles or floats, to the device: fill(begin, count, buffer) writes those from `begin` on to
    /// `buffer`, from one thread of its own or several.
    template <class Real, class Fill>
    void upload(Real* device, std::size_t n, const Fill& fill) {
        for (std::size_t begin = 0, turn = 0; begin < n; begin += buffer_size, turn ^= 1) {
            const std::size_t count = std::min(buffer_size, n - begin);
            fill(begin, count, static_cast<Real*>(free_buffer(turn)));
            send(turn, device + begin, count * sizeof(Real));
        }
    }
    /// Copies n numbers from the device: drain(begin, count, buffer) gets them a buffer at a time. All are there when this
    /// returns.
    template <class Real, class Drain>
    void download(const Real* device, std::size_t n, const Drain& drain) {
        const auto count = [&](std::size_t begin) { return std::min(buffer_size, n - begin); };
        if (n > 0) request(0, device, count(0) * sizeof(Real));
        for (std::size_t begin = 0, turn = 0; begin < n; begin += buffer_size, turn ^= 1) {
            const std::size_t next = begin + buffer_size;
            if (next < n) request(turn ^ 1, device + next, count(next) * sizeof(Real));
            drain(begin, count(begin), static_cast<const Real*>(requested(turn)));
        }
    }

    /// What memory of its own a download of n numbers needs, now rather than then.
    void reserve(std::size_t n);

    /// Copies plain arrays, page-locked or not, both of one precision.
    void upload(ResultPointer device, InputPointer host, std::size_t n);
    void download(InputPointer device, ResultPointer host, std::size_t n);

private:
    /// A buffer that nothing travels from any more.
    void* free_buffer(std::size_t turn);
    void send(std::size_t turn, void* device, std::size_t bytes);
    void request(std::size_t turn, const void* device, std::size_t bytes);
    /// The buffer that was requested, once it has arrived.
    const void* requested(std::size_t turn);
    void copy(void* to, const void* from, std::size_t bytes) const;

    static constexpr std::size_t buffer_size = path_size(1 << 20, 300);  ///< size in numbers; 8 MB
    GpuContext& context_;
    int threads_;
    PinnedBuffer<double> buffers_[2];
    cudaEvent_t moved_[2] = {};
};

}  // namespace gravlet
