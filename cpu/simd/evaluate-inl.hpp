// SPDX-License-Identifier: Apache-2.0
// The arithmetic: a group's interaction lists evaluated, lanes = targets, a source or node broadcast to all of them. Sums run in
// single precision for a few dozen interactions and are then added up in double, which keeps them within 1e-6 of a walk in
// double. Included by walk_batch.inl once for every instruction set.

/// A constant, as kernels ask for it.
struct FloatNumber {
    HWY_INLINE FloatVector operator()(double v) const { return hn::Set(FloatTag(), static_cast<float>(v)); }
};

HWY_INLINE FloatVector larger(FloatVector a, FloatVector b) { return hn::Max(a, b); }
HWY_INLINE FloatVector smaller(FloatVector a, FloatVector b) { return hn::Min(a, b); }

#include "physics/softening.inl"

#include "cpu/simd/spline-inl.hpp"

using IndexTag = hn::RebindToSigned<FloatTag>;

/// The lanes of one vector of targets.
struct TargetLanes {
    FloatVector x, y, z, x_low, y_low, z_low, softening, index;
};

/// A batch's targets as arrays of `padded` floats each. What is not precise has positions rounded as a source's record has them:
/// a body is at distance zero from itself.
struct TargetArrays {
    enum : std::size_t { x, y, z, x_low, y_low, z_low, softening, index, x_rounded, y_rounded, z_rounded, count };
    const float* data;
    std::size_t padded;

    template <bool Precise>
    HWY_INLINE TargetLanes load(std::size_t at) const {
        return lanes<Precise>([&](std::size_t a) HWY_ATTR { return hn::LoadU(FloatTag(), data + a * padded + at); });
    }
    /// A target a lane.
    template <bool Precise>
    HWY_INLINE TargetLanes gather(hn::VFromD<IndexTag> at) const {
        return lanes<Precise>([&](std::size_t a) HWY_ATTR { return hn::GatherIndex(FloatTag(), data + a * padded, at); });
    }

private:
    template <bool Precise, class Array>
    HWY_INLINE TargetLanes lanes(const Array& array) const {
        if constexpr (!Precise) {
            const FloatVector first = array(x_rounded);
            return {first, array(y_rounded), array(z_rounded), first, first, first, first, first};
        }
        return {array(x), array(y), array(z), array(x_low), array(y_low), array(z_low), array(softening), array(index)};
    }
};

template <int D>
HWY_INLINE void clear(Jet<FloatVector, D>& sums) {
    unrolled<component_count(D)>([&](auto k) HWY_ATTR { sums.term[k] = hn::Zero(FloatTag()); });
}

template <int D>
HWY_INLINE void flush(Jet<FloatVector, D>& sums, double* to, std::size_t stride) {
    unrolled<component_count(D)>([&](auto k) HWY_ATTR { flush(sums.term[k], to + std::size_t{k} * stride); });
    clear(sums);
}

/// Displacement from a source or node to the targets, and the square of its length.
struct Separation {
    FloatVector x, y, z, r2;
};

/// `of_record`: a number of the record, for each lane.
template <bool Precise, class Record, class OfRecord>
HWY_INLINE Separation separation(const TargetLanes& t, const OfRecord& of_record) {
    FloatVector x = t.x - of_record(Record::x);
    FloatVector y = t.y - of_record(Record::y);
    FloatVector z = t.z - of_record(Record::z);
    if constexpr (Precise) {
        x = x + (t.x_low - of_record(Record::x_low));
        y = y + (t.y_low - of_record(Record::y_low));
        z = z + (t.z_low - of_record(Record::z_low));
    }
    return {x, y, z, hn::MulAdd(x, x, hn::MulAdd(y, y, z * z))};
}

/// One record for all lanes.
struct Broadcast {
    const float* record;
    HWY_INLINE FloatVector operator()(std::size_t k) const { return hn::Set(FloatTag(), record[k]); }
};

/// A record a lane.
struct RecordALane {
    const float* records;
    hn::VFromD<IndexTag> offsets;
    HWY_INLINE FloatVector operator()(std::size_t k) const { return hn::GatherIndex(FloatTag(), records + k, offsets); }
};

/// Vectors of targets evaluated together: shares the broadcasts without spilling registers.
template <int D>
inline constexpr std::size_t vectors_together = D > 0 ? 1 : 2;

/// What a node kernel takes into account.
enum class Nodes {
    rounded,  ///< positions rounded to the frame
    split,    ///< positions in two parts
    softened  ///< positions in two parts, and Plummer's kernel
};

/// A node's pull on each lane's target: `of_record`'s. `one_length`: the node is known to have one softening length, as most
/// have. `taken`: lanes for which it counts.
template <int P, int D, Nodes Kind, class OfRecord, class Taken>
HWY_INLINE void act(const TargetLanes& t, const OfRecord& of_record, bool one_length, const Taken& taken,
                    Jet<FloatVector, D>& sums) {
    const Separation r = separation<Kind != Nodes::rounded, NodeRecord>(t, of_record);
    FloatVector r_inverse = taken(reciprocal_sqrt(r.r2)), mass = of_record(NodeRecord::mass);
    if constexpr (Kind == Nodes::softened) {
        const auto number = [&](std::size_t k) HWY_ATTR { return of_record(NodeRecord::softening(P) + k); };
        const NodeSoftening<FloatVector> node{number(NodeRecord::mean2), number(NodeRecord::least2), number(NodeRecord::span2),
                                              number(NodeRecord::slope), number(NodeRecord::curve)};
        const FloatVector own2 = t.softening * t.softening;
        const FloatVector softening2 = one_length ? hn::Max(own2, node.mean2) : node_softening2(own2, node);
        r_inverse = taken(reciprocal_sqrt(r.r2 + softening2));
        const FloatVector part = soften_extent(mass, r_inverse, softening2, number(NodeRecord::spread));
        add_extent_tide(sums, r.x, r.y, r.z, r_inverse, mass, part, FloatNumber());
    }
    add_node<P>(sums, r.x, r.y, r.z, r_inverse, mass, of_record(NodeRecord::size), FloatNumber(), [&](auto k) HWY_ATTR {
        return of_record(static_cast<std::size_t>(NodeRecord::moments) + static_cast<std::size_t>(moment_index(k.a, k.b, k.c)));
    });
}

template <int P, int D, Nodes Kind, std::size_t N>
HWY_INLINE void evaluate_nodes(const TargetArrays& targets, std::size_t at, const float* records,
                               const GrowingArray<std::uint32_t>& list, double* sums, std::size_t stride) {
    constexpr std::size_t chunk = 64;
    constexpr bool precise = Kind != Nodes::rounded;
    const std::size_t count = list.size();
    const FloatTag d;
    TargetLanes t[N];
    Jet<FloatVector, D> s[N];
    for (std::size_t v = 0; v < N; ++v) {
        t[v] = targets.load<precise>(at + v * hn::Lanes(d));
        clear(s[v]);
    }
    const auto taken = [](FloatVector value) HWY_ATTR { return value; };
    for (std::size_t begin = 0; begin < count; begin += chunk) {
        const std::size_t end = std::min(count, begin + chunk);
        for (std::size_t i = begin; i < end; ++i) {
            const float* const record = records + list.data()[i];
            const bool one_length = Kind == Nodes::softened && record[NodeRecord::softening(P) + NodeRecord::span2] == 0.0f;
            for (std::size_t v = 0; v < N; ++v) act<P, D, Kind>(t[v], Broadcast{record}, one_length, taken, s[v]);
        }
        for (std::size_t v = 0; v < N; ++v) flush(s[v], sums + v * hn::Lanes(d), stride);
    }
}

/// Lets nodes act on n targets, an eighth of a vector or fewer: several at a time on each of them.
template <int P, int D, Nodes Kind>
HWY_NOINLINE void share_nodes(const TargetArrays& targets, std::size_t at, std::size_t n, const float* records,
                              const GrowingArray<std::uint32_t>& list, double* sums, std::size_t stride) {
    constexpr std::size_t chunk = 64;
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d), width = std::bit_ceil(n), together = lanes / width, count = list.size();
    alignas(64) std::int32_t index[batch_groups];
    alignas(64) float on[batch_groups];
    for (std::size_t l = 0; l < lanes; ++l) index[l] = static_cast<std::int32_t>(at + std::min(l % width, n - 1));
    const TargetLanes t = targets.gather<Kind != Nodes::rounded>(hn::Load(IndexTag(), index));
    Jet<FloatVector, D> s;
    clear(s);
    double of_lanes[component_count(D) * batch_groups] = {};
    std::size_t since_flush = 0;
    for (std::size_t i = 0; i < count; i += together) {
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::size_t node = i + l / width;
            index[l] = static_cast<std::int32_t>(list.data()[std::min(node, count - 1)]);
            on[l] = node < count ? 1.0f : 0.0f;
        }
        const auto is_on = hn::Ne(hn::Load(d, on), hn::Zero(d));
        act<P, D, Kind>(
            t, RecordALane{records, hn::Load(IndexTag(), index)}, false,
            [&](FloatVector value) HWY_ATTR { return hn::IfThenElseZero(is_on, value); }, s);
        if (++since_flush == chunk) flush(s, of_lanes, batch_groups), since_flush = 0;
    }
    flush(s, of_lanes, batch_groups);
    for (std::size_t k = 0; k < component_count(D); ++k)
        for (std::size_t l = 0; l < lanes; ++l)
            if (l % width < n) sums[k * stride + l % width] += of_lanes[k * batch_groups + l];
}

/// What a source kernel watches for.
enum class Pairs {
    apart,    ///< nothing: no pair is close
    self,     ///< a target itself
    close,    ///< a target itself, others so close that they are done in double; split positions
    plummer,  ///< pairs as for `close`, and Plummer's kernel
    spline
};

/// Evaluates sources. Not inline: it knows nothing of the order, so one is enough for all.
template <int D, Pairs Kind, std::size_t N>
HWY_NOINLINE void evaluate_sources(const TargetArrays& targets, std::size_t at, const float* records,
                                   const GrowingArray<SourceRun>& list, double* sums, std::size_t stride,
                                   const ClosePairs& close) {
    constexpr bool precise = Kind != Pairs::apart && Kind != Pairs::self;
    constexpr std::size_t chunk = precise ? 64 : 128;  // a close pair may outweigh all others
    using Record = std::conditional_t<precise, PreciseSourceRecord, SourceRecord>;
    constexpr std::size_t length = Record::length;
    const FloatTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    TargetLanes t[N];
    Jet<FloatVector, D> s[N];
    for (std::size_t v = 0; v < N; ++v) {
        t[v] = targets.load<precise>(at + v * hn::Lanes(d));
        clear(s[v]);
    }
    std::size_t since_flush = 0;
    for (std::size_t run = 0; run < list.size(); ++run) {
        const float* record = records + length * list.data()[run].begin;
        for (std::uint32_t i = 0; i < list.data()[run].count; ++i, record += length) {
            const FloatVector mass = hn::Set(d, record[Record::mass]);
            for (std::size_t v = 0; v < N; ++v) {
                const Separation r = separation<precise, Record>(t[v], Broadcast{record});
                if constexpr (precise) {
                    const hn::RebindToUnsigned<FloatTag> du;
                    const auto other = hn::RebindMask(
                        d, hn::Ne(hn::BitCast(du, t[v].index), hn::BitCast(du, hn::Set(d, record[Record::target]))));
                    const auto apart = hn::Gt(r.r2, hn::Set(d, record[Record::close2]));
                    const auto left = hn::AndNot(apart, other), taken = hn::And(apart, other);
                    const auto softening = hn::Set(d, record[Record::softening]);
                    if constexpr (Kind == Pairs::spline) {
                        const auto law = spline_law(d, r.r2, hn::IfThenElseZero(taken, reciprocal_sqrt(r.r2)),
                                                    hn::Min(t[v].softening, softening));
                        add_softened(s[v], r.x, r.y, r.z, hn::IfThenElseZero(taken, mass), law);
                    } else {
                        const auto longer = hn::Max(t[v].softening, softening);
                        const auto r2 = Kind == Pairs::plummer ? hn::MulAdd(longer, longer, r.r2) : r.r2;
                        add_node<0>(s[v], r.x, r.y, r.z, hn::IfThenElseZero(taken, reciprocal_sqrt(r2)), mass, one, FloatNumber(),
                                    0);
                    }
                    if (HWY_UNLIKELY(!hn::AllFalse(d, left))) {
                        alignas(64) float lanes[batch_groups];
                        hn::Store(hn::IfThenElseZero(left, one), d, lanes);
                        add_close_source<D>(close, v * hn::Lanes(d), lanes, hn::Lanes(d), record);
                    }
                } else {
                    FloatVector r_inverse = reciprocal_sqrt(r.r2);
                    if constexpr (Kind == Pairs::self) r_inverse = hn::IfThenElseZero(hn::Gt(r.r2, zero), r_inverse);
                    add_node<0>(s[v], r.x, r.y, r.z, r_inverse, mass, one, FloatNumber(), 0);
                }
            }
            if (++since_flush == chunk) {
                for (std::size_t v = 0; v < N; ++v) flush(s[v], sums + v * hn::Lanes(d), stride);
                since_flush = 0;
            }
        }
    }
    for (std::size_t v = 0; v < N; ++v) {
        flush(s[v], sums + v * hn::Lanes(d), stride);
    }
}
