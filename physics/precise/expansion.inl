// SPDX-License-Identifier: Apache-2.0
// How a node acts in a solve in double: the polynomials that full_moments.hpp makes of its moments, evaluated. Included like
// multipole.inl, which must come first; number(v) is v as a T.

/// Adds a node's contribution. (x, y, z) is the displacement from its centre to the target, r_inverse one over the softened
/// distance, softening2 the pair's (not read without `softened`); `terms`: as expand<P>() has them.
template <int P, bool softened, class T, int D, class Number>
GRAVLET_HD GRAVLET_INLINE void add_expansion(Jet<T, D>& sums, T x, T y, T z, T r_inverse, [[maybe_unused]] T softening2,
                                             const double* terms, Number number) {
    const T scale = r_inverse * r_inverse;
    const T wx = x * scale, wy = y * scale, wz = z * scale;
    Jet<T, D> f = evaluate_polynomial<P, 0, D>(
        wx, wy, wz, [&](auto k) GRAVLET_INLINE_LAMBDA { return number(terms[local_index(k.a, k.b, k.c)]); });
    // By s, h df/dh and its gradient; t, the same once more.
    constexpr int S = D > 0 ? D - 1 : 0;
    Jet<T, S> s{};
    T t{};
    if constexpr (softened) {
        const T h = softening2 * (scale * scale);
        unrolled<component_count(S)>([&](auto k) GRAVLET_INLINE_LAMBDA { s.term[k] = number(0.0); });
        t = number(0.0);
        T power = h;
        unrolled<P / 2>([&](auto loop) GRAVLET_INLINE_LAMBDA {
            constexpr int i = loop.value + 1, degree = P - 2 * i;
            constexpr int begin = expansion_begin(P, i);
            const T times = number(i) * power;
            if constexpr (degree == 0) {
                const T q = number(terms[begin]);
                f.term[0] = multiply_add(power, q, f.term[0]);
                s.term[0] = multiply_add(times, q, s.term[0]);
                t = multiply_add(number(i) * times, q, t);
            } else {
                const Jet<T, D> q = evaluate_polynomial<degree, 0, D>(
                    wx, wy, wz, [&](auto k) GRAVLET_INLINE_LAMBDA { return number(terms[begin + local_index(k.a, k.b, k.c)]); });
                unrolled<component_count(D)>(
                    [&](auto k) GRAVLET_INLINE_LAMBDA { f.term[k] = multiply_add(power, q.term[k], f.term[k]); });
                unrolled<component_count(S)>(
                    [&](auto k) GRAVLET_INLINE_LAMBDA { s.term[k] = multiply_add(times, q.term[k], s.term[k]); });
                t = multiply_add(number(i) * times, q.term[0], t);
            }
            power = power * h;
        });
    }
    sums.term[0] = multiply_add(r_inverse, f.term[0], sums.term[0]);
    if constexpr (D > 0) {
        // Of each degree n of the whole there is rho^-(2n+1): by Euler's theorem n is w.grad + 2 h d/dh.
        const T cube = r_inverse * scale, two = number(2.0), four = number(4.0);
        T degree = multiply_add(wx, f.term[1], multiply_add(wy, f.term[2], wz * f.term[3]));
        if constexpr (softened) degree = multiply_add(two, s.term[0], degree);
        const T central = cube * multiply_add(two, degree, f.term[0]);
        sums.term[1] = multiply_add(cube, f.term[1], sums.term[1]) - central * x;
        sums.term[2] = multiply_add(cube, f.term[2], sums.term[2]) - central * y;
        sums.term[3] = multiply_add(cube, f.term[3], sums.term[3]) - central * z;
        if constexpr (D > 1) {
            const T three = number(3.0);
            const T hx = multiply_add(wx, f.term[4], multiply_add(wy, f.term[5], wz * f.term[6])),
                    hy = multiply_add(wx, f.term[5], multiply_add(wy, f.term[7], wz * f.term[8])),
                    hz = multiply_add(wx, f.term[6], multiply_add(wy, f.term[8], wz * f.term[9]));
            T bx = multiply_add(three, f.term[1], two * hx), by = multiply_add(three, f.term[2], two * hy),
              bz = multiply_add(three, f.term[3], two * hz);
            T square = multiply_add(wx, f.term[1], multiply_add(wy, f.term[2], wz * f.term[3])) +
                       multiply_add(wx, hx, multiply_add(wy, hy, wz * hz));
            if constexpr (softened) {
                bx = multiply_add(four, s.term[1], bx), by = multiply_add(four, s.term[2], by),
                bz = multiply_add(four, s.term[3], bz);
                const T mixed = multiply_add(wx, s.term[1], multiply_add(wy, s.term[2], wz * s.term[3]));
                square = multiply_add(four, mixed + t, square);
            }
            const T both = multiply_add(four, square, multiply_add(number(8.0), degree, three * f.term[0]));
            const T fifth = cube * scale;
            const T half = number(0.5) * both, yx = half * x - bx, yy = half * y - by, yz = half * z - bz;
            sums.term[4] = multiply_add(fifth, f.term[4] + two * (x * yx), sums.term[4]) - central;
            sums.term[5] = multiply_add(fifth, f.term[5] + (x * yy + y * yx), sums.term[5]);
            sums.term[6] = multiply_add(fifth, f.term[6] + (x * yz + z * yx), sums.term[6]);
            sums.term[7] = multiply_add(fifth, f.term[7] + two * (y * yy), sums.term[7]) - central;
            sums.term[8] = multiply_add(fifth, f.term[8] + (y * yz + z * yy), sums.term[8]);
            sums.term[9] = multiply_add(fifth, f.term[9] + two * (z * yz), sums.term[9]) - central;
        }
    }
}
