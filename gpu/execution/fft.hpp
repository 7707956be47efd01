// SPDX-License-Identifier: Apache-2.0
// Fourier transforms on a device, by cuFFT.
#pragma once

#include "gpu/execution/execution.hpp"
#include "physics/fft_lines.hpp"

#include <cstddef>

namespace gravlet {

/// Plans for one set of lines (see CpuFft).
class GpuFft {
public:
    GpuFft(const Gpu& gpu, const FftLines& lines);
    ~GpuFft();
    GpuFft(GpuFft&& other) noexcept { swap(other); }
    GpuFft& operator=(GpuFft&& other) noexcept {
        swap(other);
        return *this;
    }

    [[nodiscard]] static bool is_there() { return true; }
    void forward(double* data) const;
    void inverse(double* data) const;

private:
    void swap(GpuFft& other) noexcept;

    static constexpr int none = -1;
    GpuContext* context_ = nullptr;
    bool real_ = false;
    int forward_ = none, inverse_ = none;  ///< cuFFT's handles; of complex lines both are one
    std::size_t scratch_ = 0;              ///< bytes
};

}  // namespace gravlet
