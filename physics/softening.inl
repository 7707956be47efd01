// SPDX-License-Identifier: Apache-2.0
// The arithmetic of softening, for numbers and vectors of them. Included like multipole.inl, which must come first; larger(a, b)
// and smaller(a, b) must be declared for T, and number(v) is v as a T.
//
// The spline: potential and field of a cubic spline (Monaghan & Lattanzio 1985), h its support. In its outer half both are
// written as what is missing from 1/r, in powers of v = 1 - r/h: nothing cancels there.

/// What stands for 1/r and 1/r^3 in a softened pair, and for 3/r^3 and 1/r in its tidal tensor, tide n_i n_j - field delta_ij
/// with n = unit (x, y, z).
template <class T>
struct PairLaw {
    T potential, field, tide, unit;
};

/// r <= h/2, u = r/h: in units of 1/h.
template <class T, class Number>
GRAVLET_HD GRAVLET_INLINE PairLaw<T> spline_core(T u, Number number) {
    const T u2 = u * u;
    const T cubic = multiply_add(number(-6.4), u, number(9.6)), deeper = multiply_add(u2, cubic, number(-16.0 / 3.0));
    return {multiply_add(u2, deeper, number(2.8)),
            multiply_add(u2, multiply_add(number(32.0), u, number(-38.4)), number(32.0 / 3.0)),
            multiply_add(number(-96.0), u, number(76.8)), number(1.0)};
}

/// h/2 <= r <= h, v = 1 - r/h: in units of 1/r.
template <class T, class Number>
GRAVLET_HD GRAVLET_INLINE PairLaw<T> spline_rim(T v, Number number) {
    const T v2 = v * v, v4 = v2 * v2;
    const T missing = multiply_add(number(-32.0 / 15.0), v, number(3.2)),
            mass = multiply_add(v, multiply_add(number(32.0 / 3.0), v, number(-25.6)), number(16.0));
    const T within = number(1.0) - v4 * mass, u = number(1.0) - v, uv = u * v;
    return {number(1.0) - v4 * v * missing, within, number(3.0) * within - number(64.0) * (uv * uv * uv), number(1.0)};
}

/// Adds what a mass does by that law. (x, y, z): from it to the target.
template <class T, int D>
GRAVLET_HD GRAVLET_INLINE void add_softened(Jet<T, D>& sums, T x, T y, T z, T mass, const PairLaw<T>& law) {
    sums.term[0] = multiply_add(mass, law.potential, sums.term[0]);
    if constexpr (D > 0) add_central(sums, x, y, z, mass * law.field, mass * law.tide, law.unit);
}

/// How a node softens its pairs: mean, least and spread of its sources' softening^2, and by how much the square below goes up
/// with that of a target, at first less than in proportion.
template <class T>
struct NodeSoftening {
    T mean2, least2, span2, slope, curve;
};

/// softening^2 between a target, which has target2, and a node's mass: the mean over its sources of the larger of the two. Of a
/// node with two lengths at most that is a straight line in target2 between them, and here exact; of others it is taken for the
/// parabola with the same ends and the same mean.
template <class T>
GRAVLET_HD GRAVLET_INLINE T node_softening2(T target2, const NodeSoftening<T>& node) {
    const T zero = target2 - target2;
    const T above = smaller(larger(target2 - node.least2, zero), node.span2);
    const T rise = above * (node.slope - node.curve * (node.span2 - above));
    return larger(target2, node.mean2 + larger(rise, zero));
}
