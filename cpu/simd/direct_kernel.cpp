// SPDX-License-Identifier: Apache-2.0
// Lanes are targets, sources are broadcast. Pairs at distance zero are left out of the vector sums and looked at one by one:
// they are rare (a body with itself, mostly), and so identity costs nothing in the loop.
//
// Sources come in tiles that stay in L1 and whose partial sums are added up, which also keeps rounding at about sqrt(n) eps
// for any number of sources. The square root and the division cost no more here than Newton steps from an estimate (measured on
// Zen 5: 1.1e9 pairs/s a core, with accelerations too; estimate and steps 1.4e9 and 1.0e9, on AVX2 0.95e9 and 0.7e9).
#include "cpu/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/direct_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "cpu/simd/direct_kernel.hpp"
#include "physics/order.hpp"
#include "physics/softening.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gravlet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

HWY_INLINE V multiply_add(V a, V b, V c) { return hn::MulAdd(a, b, c); }
[[maybe_unused]] HWY_INLINE V larger(V a, V b) { return hn::Max(a, b); }
[[maybe_unused]] HWY_INLINE V smaller(V a, V b) { return hn::Min(a, b); }

#include "physics/multipole.inl"

#include "physics/softening.inl"

#include "cpu/simd/spline-inl.hpp"

constexpr std::size_t source_tile = 512;
constexpr std::size_t max_lanes = 8;

// The targets [first, first + n) of a call, n <= lanes; the lanes after the last target repeat it and are not stored.
struct TargetVector {
    alignas(64) double x[max_lanes], y[max_lanes], z[max_lanes], softening[max_lanes];
    std::size_t first, n;
};

// Adds the pair of one source and one target at distance zero; counts it if it is left out.
template <int Degree, SofteningKernel kernel>
void add_coincident(const DirectTargets& targets, std::size_t target, const DirectSource& source, std::int64_t& left_out) {
    if (targets.id[target] == source.id) return;
    const double softening = std::max(targets.softening.empty() ? 0.0 : targets.softening[target], source.softening);
    if (softening > 0.0) {
        targets.sums[0][target] += source.mass / softening;
        if constexpr (Degree > 1) {  // of x_i x_j nothing
            const double field = source.mass * pair_law(0.0, softening, kernel).field;
            for (const std::size_t k : {4UL, 7UL, 9UL}) targets.sums[k][target] -= field;
        }
    } else {
        ++left_out;
    }
}

/// Law of pairs: 1/r and 1/r^3, softened. r2 > 0 where it matters.
template <SofteningKernel kernel>
HWY_INLINE PairLaw<V> law_of(V r2, V softening) {
    const D d;
    const V one = hn::Set(d, 1.0), q2 = kernel == SofteningKernel::plummer ? hn::MulAdd(softening, softening, r2) : r2;
    const V r_inverse = hn::Div(one, hn::Sqrt(q2));
    if constexpr (kernel == SofteningKernel::plummer) {
        const V cube = hn::Mul(r_inverse, hn::Mul(r_inverse, r_inverse));
        return {r_inverse, cube, hn::Mul(hn::Set(d, 3.0), cube), r_inverse};
    } else {
        return spline_law(d, r2, r_inverse, hn::Div(one, hn::Mul(hn::Set(d, spline_support), softening)));
    }
}

template <int Degree, SofteningKernel kernel>
void sum_tile(const DirectTargets& targets, const TargetVector& lane_targets, std::span<const DirectSource> sources,
              std::int64_t& left_out) {
    const D d;
    const V x = hn::Load(d, lane_targets.x), y = hn::Load(d, lane_targets.y), z = hn::Load(d, lane_targets.z);
    const V softening = hn::Load(d, lane_targets.softening), zero = hn::Zero(d);
    Jet<V, Degree> sums;
    unrolled<component_count(Degree)>([&](auto k) HWY_ATTR { sums.term[k] = zero; });
    for (const DirectSource& source : sources) {
        const V dx = hn::Sub(hn::Set(d, source.x), x);
        const V dy = hn::Sub(hn::Set(d, source.y), y);
        const V dz = hn::Sub(hn::Set(d, source.z), z);
        const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
        const auto coincident = hn::Eq(r2, zero);
        const PairLaw<V> law = law_of<kernel>(r2, hn::Max(softening, hn::Set(d, source.softening)));
        const V mass = hn::Set(d, source.mass);
        sums.term[0] = hn::MulAdd(mass, hn::IfThenZeroElse(coincident, law.potential), sums.term[0]);
        if constexpr (Degree > 0) {
            const V m_over_r3 = hn::Mul(mass, hn::IfThenZeroElse(coincident, law.field));
            sums.term[1] = hn::MulAdd(m_over_r3, dx, sums.term[1]);
            sums.term[2] = hn::MulAdd(m_over_r3, dy, sums.term[2]);
            sums.term[3] = hn::MulAdd(m_over_r3, dz, sums.term[3]);
            if constexpr (Degree > 1) {
                const V unit = hn::IfThenZeroElse(coincident, law.unit);
                const V tide = hn::Mul(mass, hn::IfThenZeroElse(coincident, law.tide));
                const V nx = hn::Mul(dx, unit), ny = hn::Mul(dy, unit), nz = hn::Mul(dz, unit);
                const V tx = hn::Mul(tide, nx), ty = hn::Mul(tide, ny), tz = hn::Mul(tide, nz);
                sums.term[4] = hn::Sub(hn::MulAdd(tx, nx, sums.term[4]), m_over_r3);
                sums.term[5] = hn::MulAdd(tx, ny, sums.term[5]);
                sums.term[6] = hn::MulAdd(tx, nz, sums.term[6]);
                sums.term[7] = hn::Sub(hn::MulAdd(ty, ny, sums.term[7]), m_over_r3);
                sums.term[8] = hn::MulAdd(ty, nz, sums.term[8]);
                sums.term[9] = hn::Sub(hn::MulAdd(tz, nz, sums.term[9]), m_over_r3);
            }
        }
        if (HWY_UNLIKELY(!hn::AllFalse(d, coincident))) {
            alignas(64) double distance2[max_lanes];
            hn::Store(r2, d, distance2);
            for (std::size_t lane = 0; lane < lane_targets.n; ++lane) {
                if (distance2[lane] == 0.0) {
                    add_coincident<Degree, kernel>(targets, lane_targets.first + lane, source, left_out);
                }
            }
        }
    }
    unrolled<component_count(Degree)>([&](auto k) HWY_ATTR {
        alignas(64) double values[max_lanes] = {};  // g++ 13 does not see that they are stored
        hn::Store(sums.term[k], d, values);
        for (std::size_t lane = 0; lane < lane_targets.n; ++lane) targets.sums[k][lane_targets.first + lane] += values[lane];
    });
}

template <int Degree, SofteningKernel kernel>
std::int64_t sum_all(const DirectTargets& targets, std::span<const DirectSource> sources) {
    const std::size_t lanes = hn::Lanes(D());
    const std::size_t n = targets.x.size();
    std::int64_t left_out = 0;
    for (std::size_t begin = 0; begin < sources.size(); begin += source_tile) {
        const auto tile = sources.subspan(begin, std::min(source_tile, sources.size() - begin));
        for (std::size_t first = 0; first < n; first += lanes) {
            TargetVector lane_targets;
            lane_targets.first = first;
            lane_targets.n = std::min(lanes, n - first);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t target = first + std::min(lane, lane_targets.n - 1);
                lane_targets.x[lane] = targets.x[target];
                lane_targets.y[lane] = targets.y[target];
                lane_targets.z[lane] = targets.z[target];
                lane_targets.softening[lane] = targets.softening.empty() ? 0.0 : targets.softening[target];
            }
            sum_tile<Degree, kernel>(targets, lane_targets, tile, left_out);
        }
    }
    return left_out;
}

std::int64_t direct_kernel_simd(const DirectTargets& targets, std::span<const DirectSource> sources, SofteningKernel kernel) {
    constexpr SofteningKernel plummer = SofteningKernel::plummer, spline = SofteningKernel::spline;
    std::int64_t left_out = 0;
    with_derivatives(targets.derivatives(), [&](auto derivatives) {
        constexpr int Degree = decltype(derivatives)::value;
        left_out = kernel == plummer ? sum_all<Degree, plummer>(targets, sources) : sum_all<Degree, spline>(targets, sources);
    });
    return left_out;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gravlet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gravlet {
HWY_EXPORT(direct_kernel_simd);

std::int64_t direct_kernel(const DirectTargets& targets, std::span<const DirectSource> sources, SofteningKernel kernel) {
    return HWY_DYNAMIC_DISPATCH(direct_kernel_simd)(targets, sources, kernel);
}

}  // namespace gravlet
#endif
