// SPDX-License-Identifier: Apache-2.0
// The arithmetic ceiling of one core: interactions per second of a bare loop with its sources in L1, no lists, no tree, no
// checks. What a walk reaches is reported as a share of this (docs/notebook/2026-11-performance.md). Written apart from the
// library's kernels on purpose: the quadrupole here is the textbook one, 0.5 x.Q.x / r^5.
#include "cpu/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/ceiling.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace gravlet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using FloatVector = hn::VFromD<Tag>;

constexpr std::size_t record_length = 10;  // x, y, z, m, then Q: xx, xy, xz, yy, yz, zz

template <bool Quadrupole, bool Gradient>
float loop(const float* records, std::size_t count, std::size_t repeats) {
    constexpr std::size_t vectors = Quadrupole && Gradient ? 1 : 2;
    const Tag d;
    const auto set = [](float v) HWY_ATTR { return hn::Set(Tag(), v); };
    FloatVector x[vectors], y[vectors], z[vectors], sums[vectors][4];
    for (std::size_t v = 0; v < vectors; ++v) {
        x[v] = hn::Iota(d, 3.0f + static_cast<float>(v)), y[v] = set(1.0f), z[v] = set(-2.0f);
        for (auto& sum : sums[v]) sum = hn::Zero(d);
    }
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t i = 0; i < count; ++i) {
            const float* const s = records + i * record_length;
            for (std::size_t v = 0; v < vectors; ++v) {
                const auto dx = x[v] - set(s[0]), dy = y[v] - set(s[1]), dz = z[v] - set(s[2]);
                const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, dz * dz));
                const auto estimate = hn::ApproximateReciprocalSqrt(r2);
                const auto r = estimate * hn::NegMulAdd(set(0.5f) * r2, estimate * estimate, set(1.5f));
                const auto r_2 = r * r;
                auto potential = set(s[3]) * r;
                [[maybe_unused]] auto radial = potential * r_2;
                if constexpr (Quadrupole) {
                    const auto qx = hn::MulAdd(set(s[4]), dx, hn::MulAdd(set(s[5]), dy, set(s[6]) * dz));
                    const auto qy = hn::MulAdd(set(s[5]), dx, hn::MulAdd(set(s[7]), dy, set(s[8]) * dz));
                    const auto qz = hn::MulAdd(set(s[6]), dx, hn::MulAdd(set(s[8]), dy, set(s[9]) * dz));
                    const auto r_5 = r_2 * r_2 * r;
                    const auto q = hn::MulAdd(qx, dx, hn::MulAdd(qy, dy, qz * dz)) * r_5;
                    potential = hn::MulAdd(q, set(0.5f), potential);
                    if constexpr (Gradient) {
                        radial = hn::MulAdd(set(2.5f) * q, r_2, radial);
                        sums[v][1] = hn::MulAdd(r_5, qx, sums[v][1]);
                        sums[v][2] = hn::MulAdd(r_5, qy, sums[v][2]);
                        sums[v][3] = hn::MulAdd(r_5, qz, sums[v][3]);
                    }
                }
                sums[v][0] = sums[v][0] + potential;
                if constexpr (Gradient) {
                    sums[v][1] = hn::NegMulAdd(radial, dx, sums[v][1]);
                    sums[v][2] = hn::NegMulAdd(radial, dy, sums[v][2]);
                    sums[v][3] = hn::NegMulAdd(radial, dz, sums[v][3]);
                }
            }
        }
    }
    auto total = hn::Zero(d);
    for (std::size_t v = 0; v < vectors; ++v)
        for (const auto& sum : sums[v]) total = total + sum;
    return hn::GetLane(hn::SumOfLanes(d, total));
}

/// Interactions per second, the best of a few runs.
template <bool Quadrupole, bool Gradient>
double measure() {
    constexpr std::size_t count = 256, repeats = 20000, vectors = Quadrupole && Gradient ? 1 : 2;
    std::vector<float> records(count * record_length);
    for (std::size_t i = 0; i < records.size(); ++i) records[i] = 0.001f * static_cast<float>(i % 97);
    double best = 1e30;
    volatile float sink = 0.0f;
    for (int run = 0; run < 7; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        sink = loop<Quadrupole, Gradient>(records.data(), count, repeats);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    static_cast<void>(sink);
    return static_cast<double>(count * repeats * vectors * hn::Lanes(Tag())) / best;
}

void run() {
    fmt::print("{}: interactions a second on one core\n", hwy::TargetName(HWY_TARGET));
    fmt::print("monopole    potential {:.2e}   with acceleration {:.2e}\n", measure<false, false>(), measure<false, true>());
    fmt::print("quadrupole  potential {:.2e}   with acceleration {:.2e}\n", measure<true, false>(), measure<true, true>());
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gravlet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gravlet {
HWY_EXPORT(run);
}

int main() {
    using namespace gravlet;
    HWY_DYNAMIC_DISPATCH(run)();
}
#endif
