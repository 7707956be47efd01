// SPDX-License-Identifier: Apache-2.0
// The arithmetic: a group's interaction lists evaluated, lanes = targets, a source or node broadcast to all of them. Sums run in
// single precision for a few dozen interactions and are then added up in double, which keeps them within 1e-6 of a walk in
// double. Included by walk_simd.cpp once for every instruction set.

using FloatTag = hn::CappedTag<float, batch_groups>;
using FloatVector = hn::VFromD<FloatTag>;

HWY_INLINE FloatVector multiply_add(FloatVector a, FloatVector b, FloatVector c) { return hn::MulAdd(a, b, c); }

#include "solver/multipole.inl"

#include "solver/local_expansion.inl"

/// 1/sqrt(r2) to single precision: AVX2's and AVX-512's estimate (12 and 14 bits) and one Newton step. Other estimates are
/// poorer.
HWY_INLINE FloatVector reciprocal_sqrt(FloatVector r2) {
    const FloatTag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    const FloatVector y = hn::ApproximateReciprocalSqrt(r2);
    return y * hn::NegMulAdd(hn::Set(d, 0.5f) * r2, y * y, hn::Set(d, 1.5f));
#else
    return hn::Set(d, 1.0f) / hn::Sqrt(r2);
#endif
}

/// The lanes of one vector of targets.
struct TargetLanes {
    FloatVector x, y, z, x_low, y_low, z_low, softening2, index;
};

/// A batch's targets as arrays of `padded` floats each. What is not precise has positions rounded as a source's record has them:
/// a body is at distance zero from itself.
struct TargetArrays {
    enum : std::size_t { x, y, z, x_low, y_low, z_low, softening2, index, x_rounded, y_rounded, z_rounded, count };
    const float* data;
    std::size_t padded;

    template <bool Precise>
    HWY_INLINE TargetLanes load(std::size_t at) const {
        const FloatTag d;
        const auto array = [&](std::size_t a) HWY_ATTR { return hn::LoadU(d, data + a * padded + at); };
        if constexpr (!Precise) {
            const FloatVector first = array(x_rounded);
            return {first, array(y_rounded), array(z_rounded), first, first, first, first, first};
        }
        return {array(x), array(y), array(z), array(x_low), array(y_low), array(z_low), array(softening2), array(index)};
    }
};

/// Adds a vector of single-precision sums to double ones.
HWY_INLINE void flush(FloatVector sum, double* to) {
    const FloatTag d;
    alignas(64) float lanes[batch_groups];
    hn::Store(sum, d, lanes);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) to[i] += static_cast<double>(lanes[i]);
}

template <bool Gradient>
HWY_INLINE void flush(Sums<FloatVector>& sums, double* to, std::size_t stride) {
    flush(sums.potential, to);
    if constexpr (Gradient) {
        flush(sums.x, to + stride);
        flush(sums.y, to + 2 * stride);
        flush(sums.z, to + 3 * stride);
    }
    const auto zero = hn::Zero(FloatTag());
    sums = {zero, zero, zero, zero};
}

/// Of the pairs of a precise record.
template <class Record>
HWY_INLINE FloatVector softening2_of(const TargetLanes& t, const float* record) {
    return hn::Max(t.softening2, hn::Set(FloatTag(), record[Record::softening2]));
}

/// Vector from a source or node to the targets, and the square of its length, bare and softened.
struct Separation {
    FloatVector x, y, z, d2, r2;
};

template <bool Precise, class Record>
HWY_INLINE Separation separation(const TargetLanes& t, const float* record) {
    const FloatTag d;
    FloatVector x = t.x - hn::Set(d, record[Record::x]);
    FloatVector y = t.y - hn::Set(d, record[Record::y]);
    FloatVector z = t.z - hn::Set(d, record[Record::z]);
    if constexpr (Precise) {
        x = x + (t.x_low - hn::Set(d, record[Record::x_low]));
        y = y + (t.y_low - hn::Set(d, record[Record::y_low]));
        z = z + (t.z_low - hn::Set(d, record[Record::z_low]));
    }
    const FloatVector d2 = hn::MulAdd(x, x, hn::MulAdd(y, y, z * z));
    FloatVector r2 = d2;
    if constexpr (Precise) r2 = r2 + softening2_of<Record>(t, record);
    return {x, y, z, d2, r2};
}

/// Vectors of targets evaluated together: shares the broadcasts without spilling registers.
template <bool Gradient>
inline constexpr std::size_t vectors_together = Gradient ? 1 : 2;

template <int P, bool Gradient, bool Precise, std::size_t N>
HWY_INLINE void evaluate_nodes(const TargetArrays& targets, std::size_t at, const float* records,
                               const GrowingArray<std::uint32_t>& list, double* sums, std::size_t stride) {
    constexpr std::size_t chunk = 64;
    const std::size_t count = list.size();
    const FloatTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f), five = hn::Set(d, 5.0f);
    TargetLanes t[N];
    Sums<FloatVector> s[N];
    for (std::size_t v = 0; v < N; ++v) {
        t[v] = targets.load<Precise>(at + v * hn::Lanes(d));
        s[v] = {zero, zero, zero, zero};
    }
    for (std::size_t begin = 0; begin < count; begin += chunk) {
        const std::size_t end = std::min(count, begin + chunk);
        for (std::size_t i = begin; i < end; ++i) {
            const float* const record = records + list.data()[i];
            const auto coefficient = [record](auto k) HWY_ATTR {
                return hn::Set(FloatTag(), record[static_cast<int>(NodeRecord::moments) + moment_index(k.a, k.b, k.c)]);
            };
            for (std::size_t v = 0; v < N; ++v) {
                const Separation r = separation<Precise, NodeRecord>(t[v], record);
                FloatVector r_inverse = reciprocal_sqrt(r.r2), mass = hn::Set(d, record[NodeRecord::mass]);
                if constexpr (Precise)
                    soften_extent(mass, r_inverse, softening2_of<NodeRecord>(t[v], record),
                                  hn::Set(d, record[NodeRecord::spread]));
                add_node<P, Gradient>(s[v], r.x, r.y, r.z, r_inverse, mass, hn::Set(d, record[NodeRecord::size]), one, five,
                                      coefficient);
            }
        }
        for (std::size_t v = 0; v < N; ++v) flush<Gradient>(s[v], sums + v * hn::Lanes(d), stride);
    }
}

/// What a source kernel watches for.
enum class Pairs {
    apart,  ///< nothing: no pair is close
    self,   ///< a target itself
    close   ///< a target itself, others so close that they are done in double, softening, split positions
};

template <bool Gradient, Pairs Kind, std::size_t N>
HWY_INLINE void evaluate_sources(const TargetArrays& targets, std::size_t at, const float* records,
                                 const GrowingArray<SourceRun>& list, double* sums, std::size_t stride, const ClosePairs& close) {
    constexpr bool precise = Kind == Pairs::close;
    constexpr std::size_t chunk = precise ? 64 : 128;  // a close pair may outweigh all others
    using Record = std::conditional_t<precise, PreciseSourceRecord, SourceRecord>;
    constexpr std::size_t length = Record::length;
    const FloatTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    const auto close2 = hn::Set(d, close.distance2);
    TargetLanes t[N];
    Sums<FloatVector> s[N];
    for (std::size_t v = 0; v < N; ++v) {
        t[v] = targets.load<precise>(at + v * hn::Lanes(d));
        s[v] = {zero, zero, zero, zero};
    }
    std::size_t since_flush = 0;
    for (std::size_t run = 0; run < list.size(); ++run) {
        const float* record = records + length * list.data()[run].begin;
        for (std::uint32_t i = 0; i < list.data()[run].count; ++i, record += length) {
            for (std::size_t v = 0; v < N; ++v) {
                const Separation r = separation<precise, Record>(t[v], record);
                FloatVector r_inverse = reciprocal_sqrt(r.r2);
                if constexpr (Kind == Pairs::self) r_inverse = hn::IfThenElseZero(hn::Gt(r.r2, zero), r_inverse);
                if constexpr (precise) {
                    const hn::RebindToUnsigned<FloatTag> du;
                    const auto other = hn::RebindMask(
                        d, hn::Ne(hn::BitCast(du, t[v].index), hn::BitCast(du, hn::Set(d, record[Record::target]))));
                    const auto apart = hn::Gt(r.d2, close2);
                    const auto left = hn::AndNot(apart, other);
                    r_inverse = hn::IfThenElseZero(hn::And(apart, other), r_inverse);
                    if (HWY_UNLIKELY(!hn::AllFalse(d, left))) {
                        alignas(64) float lanes[batch_groups];
                        hn::Store(hn::IfThenElseZero(left, one), d, lanes);
                        add_close_source<Gradient>(close, v * hn::Lanes(d), lanes, hn::Lanes(d), record);
                    }
                }
                add_node<0, Gradient>(s[v], r.x, r.y, r.z, r_inverse, hn::Set(d, record[Record::mass]), one, one, one, 0);
            }
            if (++since_flush == chunk) {
                for (std::size_t v = 0; v < N; ++v) flush<Gradient>(s[v], sums + v * hn::Lanes(d), stride);
                since_flush = 0;
            }
        }
    }
    for (std::size_t v = 0; v < N; ++v) {
        flush<Gradient>(s[v], sums + v * hn::Lanes(d), stride);
    }
}
