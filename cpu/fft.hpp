// SPDX-License-Identifier: Apache-2.0
// Fourier transforms on a CPU, by FFTW or whatever library has its interface.
#pragma once

#include "cpu/execution.hpp"
#include "physics/fft_lines.hpp"

#include <memory>

namespace gravlet {

/// Plans for one set of lines. Bits hang on neither time nor threads.
class CpuFft {
public:
    CpuFft(const Cpu& cpu, const FftLines& lines);
    ~CpuFft();
    CpuFft(CpuFft&&) noexcept;
    CpuFft& operator=(CpuFft&&) noexcept;

    /// Whether gravlet was built with such a library.
    [[nodiscard]] static bool is_there();
    /// Sums of exp(-2 pi i n k / length), or of exp(+...): neither divides by the length.
    void forward(double* data) const;
    void inverse(double* data) const;

private:
    struct Plans;
    std::unique_ptr<Plans> plans_;
};

}  // namespace gravlet
