// SPDX-License-Identifier: Apache-2.0
#include "cpu/fft.hpp"

#include <gravlet/error.hpp>

#include <fftw3.h>

#include <algorithm>
#include <mutex>

namespace gravlet {
namespace {

/// Lines that one thread transforms at a time: as many as SIMD wants.
constexpr std::size_t lines_at_once = 16;

/// FFTW plans for one caller at a time.
std::mutex& planner() {
    static std::mutex mutex;
    return mutex;
}

struct Plan {
    fftw_plan of = nullptr;

    ~Plan() {
        const std::lock_guard lock(planner());
        if (of != nullptr) fftw_destroy_plan(of);
    }
};

/// Estimated, not measured: a plan that timings choose would give other bits in each run.
void make(Plan& plan, const FftLines& lines, std::size_t count, bool forward) {
    if (count == 0) return;
    const int n = lines.length, many = static_cast<int>(count), stride = static_cast<int>(lines.stride),
              distance = static_cast<int>(lines.distance);
    constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    const std::lock_guard lock(planner());
    fftw_complex* const somewhere = nullptr;
    double* const real = nullptr;
    if (!lines.real)
        plan.of = fftw_plan_many_dft(1, &n, many, somewhere, nullptr, stride, distance, somewhere, nullptr, stride, distance,
                                     forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
    else if (forward)
        plan.of = fftw_plan_many_dft_r2c(1, &n, many, real, nullptr, 1, 2 * distance, somewhere, nullptr, 1, distance, flags);
    else
        plan.of = fftw_plan_many_dft_c2r(1, &n, many, somewhere, nullptr, 1, distance, real, nullptr, 1, 2 * distance, flags);
    if (plan.of == nullptr) throw Error(ErrorCode::internal, "FFTW has no plan for " + std::to_string(n) + " numbers");
}

void execute(const Plan& plan, bool real, bool forward, double* data) {
    const auto waves = reinterpret_cast<fftw_complex*>(data);
    if (!real)
        fftw_execute_dft(plan.of, waves, waves);
    else if (forward)
        fftw_execute_dft_r2c(plan.of, data, waves);
    else
        fftw_execute_dft_c2r(plan.of, waves, data);
}

}  // namespace

struct CpuFft::Plans {
    FftLines lines;
    int threads;
    Plan forward, forward_last, inverse, inverse_last;

    void run(const Plan& plan, const Plan& last, bool is_forward, double* data) const {
        const std::size_t whole = lines.count / lines_at_once, all = (lines.count + lines_at_once - 1) / lines_at_once;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t k = 0; k < all; ++k)
            execute(k < whole ? plan : last, lines.real, is_forward, data + 2 * k * lines_at_once * lines.distance);
    }
};

CpuFft::CpuFft(const Cpu& cpu, const FftLines& lines) : plans_(std::make_unique<Plans>()) {
    plans_->lines = lines;
    plans_->threads = cpu.threads;
    const std::size_t many = std::min(lines_at_once, lines.count), rest = lines.count % lines_at_once;
    make(plans_->forward, lines, many, true);
    make(plans_->inverse, lines, many, false);
    make(plans_->forward_last, lines, rest, true);
    make(plans_->inverse_last, lines, rest, false);
}
CpuFft::~CpuFft() = default;
CpuFft::CpuFft(CpuFft&&) noexcept = default;
CpuFft& CpuFft::operator=(CpuFft&&) noexcept = default;

bool CpuFft::is_there() { return true; }
void CpuFft::forward(double* data) const { plans_->run(plans_->forward, plans_->forward_last, true, data); }
void CpuFft::inverse(double* data) const { plans_->run(plans_->inverse, plans_->inverse_last, false, data); }

}  // namespace gravlet
