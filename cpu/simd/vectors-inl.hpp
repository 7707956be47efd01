// SPDX-License-Identifier: Apache-2.0
// Vectors of single precision, and what is written once for those and for numbers. Included once for every instruction set.

using FloatTag = hn::CappedTag<float, batch_groups>;
using FloatVector = hn::VFromD<FloatTag>;

HWY_INLINE FloatVector multiply_add(FloatVector a, FloatVector b, FloatVector c) { return hn::MulAdd(a, b, c); }

#include "physics/multipole.inl"

#include "physics/local_expansion.inl"

/// Reciprocal root 1/sqrt(r2) to single precision: AVX2's and AVX-512's estimate (12 and 14 bits) and one Newton step. Other
/// estimates are poorer.
HWY_INLINE FloatVector reciprocal_sqrt(FloatVector r2) {
    const FloatTag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    const FloatVector y = hn::ApproximateReciprocalSqrt(r2);
    return y * hn::NegMulAdd(hn::Set(d, 0.5f) * r2, y * y, hn::Set(d, 1.5f));
#else
    return hn::Set(d, 1.0f) / hn::Sqrt(r2);
#endif
}

/// Adds a vector of single-precision sums to double ones.
HWY_INLINE void flush(FloatVector sum, double* to) {
    const FloatTag d;
    alignas(64) float lanes[batch_groups];
    hn::Store(sum, d, lanes);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) to[i] += static_cast<double>(lanes[i]);
}

/// A position in the frame as a high and a low single-precision part. The last bit of the high part is cleared because gcc 12
/// takes position - double(float(position)) for 0 when it vectorises.
HWY_INLINE void split(double position, float* high, float* low) {
    *high = std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(position)) & ~1u);
    *low = static_cast<float>(position - static_cast<double>(*high));
}
