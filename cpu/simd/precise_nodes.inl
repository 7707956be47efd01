// SPDX-License-Identifier: Apache-2.0
// Lanes are targets; a node's coefficients are broadcast, and read once for all vectors of a group. In a file for each number of
// derivatives (GRAVLET_DERIVATIVES), as walk_batch.inl.
#include "cpu/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/precise_nodes.inl"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "cpu/simd/precise_nodes.hpp"
#include "physics/precise/full_moments.hpp"

HWY_BEFORE_NAMESPACE();
namespace gravlet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using DoubleTag = hn::CappedTag<double, PreciseTargets::most_lanes>;
using V = hn::Vec<DoubleTag>;

HWY_INLINE V multiply_add(V a, V b, V c) { return hn::MulAdd(a, b, c); }

#include "physics/multipole.inl"

#include "physics/precise/expansion.inl"

template <int P, bool softened, int D>
void add_nodes(const PreciseNode* nodes, std::size_t count, PreciseTargets& targets) {
    const DoubleTag d;
    const std::size_t n = targets.padded(), lanes = hn::Lanes(d);
    const auto number = [d](double v) HWY_ATTR { return hn::Set(d, v); };
    for (const PreciseNode* node = nodes; node != nodes + count; ++node) {
        const double* const terms = node->expansion;
        for (std::size_t t = 0; t < n; t += lanes) {
            const V x = hn::LoadU(d, targets.x.data() + t) - hn::Set(d, node->x),
                    y = hn::LoadU(d, targets.y.data() + t) - hn::Set(d, node->y),
                    z = hn::LoadU(d, targets.z.data() + t) - hn::Set(d, node->z);
            V r2 = hn::MulAdd(z, z, hn::MulAdd(y, y, x * x)), softening2 = r2;
            if constexpr (softened) {
                softening2 =
                    hn::Max(hn::LoadU(d, targets.softening2.data() + t), hn::Set(d, terms[expansion_count(P, true) - 1]));
                r2 = r2 + softening2;
            }
            Jet<V, D> sums;
            double* const to = targets.sums.data() + t;
            unrolled<component_count(D)>([&](auto k) HWY_ATTR { sums.term[k] = hn::LoadU(d, to + k * n); });
            add_expansion<P, softened>(sums, x, y, z, hn::Set(d, 1.0) / hn::Sqrt(r2), softening2, terms, number);
            unrolled<component_count(D)>([&](auto k) HWY_ATTR { hn::StoreU(sums.term[k], d, to + k * n); });
        }
    }
}

void add_nodes_simd(int order, bool softened, const PreciseNode* nodes, std::size_t count, PreciseTargets& targets) {
    with_full_order(order, [&](auto p) {
        constexpr int P = decltype(p)::value;
        softened ? add_nodes<P, true, GRAVLET_DERIVATIVES>(nodes, count, targets)
                 : add_nodes<P, false, GRAVLET_DERIVATIVES>(nodes, count, targets);
    });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gravlet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gravlet {
HWY_EXPORT(add_nodes_simd);

template <>
void add_precise_nodes<GRAVLET_DERIVATIVES>(int order, bool softened, const PreciseNode* nodes, std::size_t count,
                                            PreciseTargets& targets) {
    HWY_DYNAMIC_DISPATCH(add_nodes_simd)(order, softened, nodes, count, targets);
}

}  // namespace gravlet
#endif
