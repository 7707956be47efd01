// SPDX-License-Identifier: Apache-2.0
// The spline's law for vectors of pairs of either precision. Included like physics/softening.inl, which must come first.

/// Law of pairs with these supports (0: not softened). r_inverse = 1/sqrt(r2), or 0 where the law does not matter.
template <class D, class V = hn::Vec<D>>
HWY_INLINE PairLaw<V> spline_law(D d, V r2, V r_inverse, V support_inverse) {
    const auto number = [d](double v) HWY_ATTR { return hn::Set(d, static_cast<hn::TFromD<D>>(v)); };
    const V one = number(1.0), u = hn::Mul(hn::Mul(r2, r_inverse), support_inverse);
    const auto outside = hn::Ge(u, one), core = hn::Lt(u, number(0.5));
    const V cube = hn::Mul(r_inverse, hn::Mul(r_inverse, r_inverse));
    const PairLaw<V> law{r_inverse, cube, hn::Mul(number(3.0), cube), r_inverse};
    if (HWY_LIKELY(hn::AllTrue(d, outside))) return law;
    const PairLaw<V> in_core = spline_core(u, number), in_rim = spline_rim(hn::Max(hn::Sub(one, u), hn::Zero(d)), number);
    const V support3_inverse = hn::Mul(support_inverse, hn::Mul(support_inverse, support_inverse));
    return {hn::IfThenElse(core, hn::Mul(support_inverse, in_core.potential), hn::Mul(law.potential, in_rim.potential)),
            hn::IfThenElse(core, hn::Mul(support3_inverse, in_core.field), hn::Mul(law.field, in_rim.field)),
            hn::IfThenElse(core, hn::Mul(support3_inverse, in_core.tide), hn::Mul(law.field, in_rim.tide)),
            hn::IfThenElse(core, support_inverse, r_inverse)};
}
