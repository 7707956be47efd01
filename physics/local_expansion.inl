// SPDX-License-Identifier: Apache-2.0
// Local expansions: what is far from a whole target group acts on the group's centre once, as a Taylor series in the targets'
// distance from it, instead of on every target (Dehnen 2002). Included like multipole.inl, which must come first.
//
// With R from the node's centre of mass to the group's centre and tau from there to a target,
//     sum_i m_i / |R + tau - s_i| = sum_k L_k tau^k / k!,   L_k = M (D_k + sum_j B_j D_{k+j}),
// where D_k is derivative k of 1/R and B_j = (-l)^n C_j / (2n-1)!!, n = |j|, come from the node's moments C (multipole.hpp).
// Everything up to |k| + |j| = 4 is kept. L and D are trace-free: of each degree only the components with c <= 1 are summed.

inline constexpr int local_order = 4;

/// The components with c >= 2, from d(a + 2, b, c) + d(a, b + 2, c) + d(a, b, c + 2) = 0.
template <class T>
GRAVLET_HD GRAVLET_INLINE void complete_traces(T* d, T zero) {
    unrolled<local_order + 1>([&](auto degree) GRAVLET_INLINE_LAMBDA {
        unrolled<degree.value + 1>([&](auto index_c) GRAVLET_INLINE_LAMBDA {
            unrolled<degree.value - index_c.value + 1>([&](auto index_b) GRAVLET_INLINE_LAMBDA {
                constexpr int c = index_c.value, b = index_b.value, a = degree.value - b - c;
                if constexpr (c >= 2)
                    d[local_index(a, b, c)] = (zero - d[local_index(a + 2, b, c - 2)]) - d[local_index(a, b + 2, c - 2)];
            });
        });
    });
}

/// Derivatives of 1/R up to degree 4, all components: d[local_index(a, b, c)]. r_inverse = 1/|R|; number(v) is v as a T.
template <class T, class Number>
GRAVLET_HD GRAVLET_INLINE void derivatives(T x, T y, T z, T r_inverse, Number number, T* d) {
    const T w = r_inverse * r_inverse;
    x = x * w, y = y * w, z = z * w;  // from here on R / R^2
    const T xx = x * x, xy = x * y, yy = y * y;
    const T mx = number(0) - x * r_inverse, my = number(0) - y * r_inverse, mz = number(0) - z * r_inverse;
    const auto at = [d](int a, int b, int c) GRAVLET_INLINE_LAMBDA -> T& { return d[local_index(a, b, c)]; };
    at(0, 0, 0) = r_inverse;
    at(1, 0, 0) = mx, at(0, 1, 0) = my, at(0, 0, 1) = mz;

    const T w_r = w * r_inverse;
    const T x3 = number(-3) * x, y3 = number(-3) * y;
    at(2, 0, 0) = multiply_add(x3, mx, number(0) - w_r), at(0, 2, 0) = multiply_add(y3, my, number(0) - w_r);
    at(1, 1, 0) = x3 * my, at(1, 0, 1) = x3 * mz, at(0, 1, 1) = y3 * mz;

    const T p = multiply_add(number(15), xx, number(-3) * w), q = multiply_add(number(15), yy, number(-3) * w);
    const T w6 = number(6) * w;
    at(3, 0, 0) = mx * (p - w6), at(0, 3, 0) = my * (q - w6);
    at(2, 1, 0) = my * p, at(1, 2, 0) = mx * q;
    at(2, 0, 1) = mz * p, at(0, 2, 1) = mz * q;
    at(1, 1, 1) = number(15) * xy * mz;

    const T ww = w * w, w15 = number(15) * w, w30 = number(30) * w;
    const T f = multiply_add(number(105), xx, number(0) - w15), g = multiply_add(number(105), yy, number(0) - w15);
    const T yr = y * r_inverse, zr = z * r_inverse, xy_r = x * yr, xz_r = x * zr, yz_r = y * zr;
    const T three_ww_r = number(3) * ww * r_inverse;
    at(4, 0, 0) = multiply_add(xx * r_inverse, f - w30 - w30 - w15, number(3) * three_ww_r);
    at(0, 4, 0) = multiply_add(yy * r_inverse, g - w30 - w30 - w15, number(3) * three_ww_r);
    at(2, 2, 0) = multiply_add(yy * r_inverse, f, three_ww_r - w15 * xx * r_inverse);
    at(3, 1, 0) = xy_r * (f - w30), at(1, 3, 0) = xy_r * (g - w30);
    at(3, 0, 1) = xz_r * (f - w30), at(0, 3, 1) = yz_r * (g - w30);
    at(2, 1, 1) = yz_r * f, at(1, 2, 1) = xz_r * g;

    complete_traces(d, number(0));
}

/// Moves a series to a centre that is `by` away: exactly, since it ends. All components, an axis after the other.
template <class T>
GRAVLET_HD GRAVLET_INLINE void shift_series(T* series, const T (&by)[3]) {
    unrolled<3>([&](auto axis) GRAVLET_INLINE_LAMBDA {
        T powers[local_order + 1] = {1};  // over factorials
        for (int n = 1; n <= local_order; ++n) powers[n] = powers[n - 1] * by[axis.value] / static_cast<T>(n);
        unrolled<local_order>([&](auto degree) GRAVLET_INLINE_LAMBDA {  // what is of higher degrees is not shifted yet
            unrolled<degree.value + 1>([&](auto index_c) GRAVLET_INLINE_LAMBDA {
                unrolled<degree.value - index_c.value + 1>([&](auto index_b) GRAVLET_INLINE_LAMBDA {
                    constexpr int c = index_c.value, b = index_b.value, a = degree.value - b - c, along = axis.value;
                    T& sum = series[local_index(a, b, c)];
                    unrolled<local_order - degree.value>([&](auto more) GRAVLET_INLINE_LAMBDA {
                        constexpr int n = more.value + 1;
                        sum = sum + series[local_index(along == 0 ? a + n : a, along == 1 ? b + n : b, along == 2 ? c + n : c)] *
                                        powers[n];
                    });
                });
            });
        });
    });
}

/// Adds a node to the sums L, local[Index<local_index(a, b, c)>{}] with c <= 1 only. b(i) is B_i as a T, i as in moment_index; P
/// the node's order.
template <int P, class T, class Local, class Moment>
GRAVLET_HD GRAVLET_INLINE void add_to_local(Local local, const T* d, T mass, Moment b) {
    unrolled<local_order + 1>([&](auto degree) GRAVLET_INLINE_LAMBDA {
        unrolled<(degree.value > 0 ? 2 : 1)>([&](auto index_c) GRAVLET_INLINE_LAMBDA {
            unrolled<degree.value - index_c.value + 1>([&](auto index_b) GRAVLET_INLINE_LAMBDA {
                constexpr int kc = index_c.value, kb = index_b.value, ka = degree.value - kb - kc;
                constexpr int highest = P < local_order - degree.value ? P : local_order - degree.value;
                T sum = d[local_index(ka, kb, kc)];
                unrolled<(highest > 1 ? highest - 1 : 0)>([&](auto index_n) GRAVLET_INLINE_LAMBDA {
                    constexpr int n = index_n.value + 2;
                    unrolled<n + 1>([&](auto jc) GRAVLET_INLINE_LAMBDA {
                        unrolled<n - jc.value + 1>([&](auto jb) GRAVLET_INLINE_LAMBDA {
                            constexpr int ja = n - jb.value - jc.value;
                            sum = multiply_add(b(Index<moment_index(ja, jb.value, jc.value)>{}),
                                               d[local_index(ka + ja, kb + jb.value, kc + jc.value)], sum);
                        });
                    });
                });
                T& total = local[Index<local_index(ka, kb, kc)>{}];
                total = multiply_add(mass, sum, total);
            });
        });
    });
}
