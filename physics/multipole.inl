// SPDX-License-Identifier: Apache-2.0
// How a node acts on a target: its multipoles evaluated. Included by multipole.hpp for plain numbers (host and device), and by
// the CPU's walk and direct sum once for every instruction set, because a template must be compiled with that of the vectors it
// is instantiated with. T is a number or a vector of them; multiply_add(a, b, c) = a b + c must be declared for T.
//
// With R the displacement from the node's centre of mass to the target, l the node's side and u = l R / R^2, the expansion is
//     sum_i m_i / |R - s_i| = (M / R) F(u),   F(u) = 1 + sum over degrees 2 to P of C[k] u_x^a u_y^b u_z^c,
// where C are the node's moments (see multipole.hpp). F and its gradient are evaluated by Horner's scheme in three variables:
// one fused multiply-add a coefficient, and as many again, about, for the gradient. Local expansions (local_expansion.inl) are
// polynomials of the same kind.

/// Calls f(0), f(1), ... f(N - 1) with compile-time indices.
template <int N, class F>
GRAVLET_HD GRAVLET_INLINE void unrolled(F f) {
    if constexpr (N > 0) {
        unrolled<N - 1>(f);
        f(Index<N - 1>{});
    }
}

/// A value and its derivatives up to degree D, by component (physics/fields.hpp).
template <class T, int D>
struct Jet {
    T term[component_count(D)];
};

/// What Horner's scheme adds a term to: p t + q, which is q where it is the first.
template <int Loop, int First, class T>
GRAVLET_HD GRAVLET_INLINE void next_term(T& p, T t, T q) {
    if constexpr (Loop == First) p = q;
    if constexpr (Loop > First) p = multiply_add(p, t, q);
}

/// A polynomial and its derivatives. Terms of degrees Lowest to P, P >= max(Lowest, D, 1); coefficient(Component<a, b, c>) is
/// that of x^a y^b z^c as a T.
template <int P, int Lowest, int D, class T, class Coefficient>
GRAVLET_HD GRAVLET_INLINE Jet<T, D> evaluate_polynomial(T x, T y, T z, Coefficient coefficient) {
    T f = x, fx = x, fy = x, fz = x;
    T fxx = x, fxy = x, fxz = x, fyy = x, fyz = x, fzz = x;  // where two are alike, half of it until the end
    // In each loop the running polynomial starts with its first term, so "first" terms assign and later ones multiply and add.
    // Derivatives come first: they take what they are the derivatives of as it was.
    unrolled<P + 1>([&](auto loop_a) GRAVLET_INLINE_LAMBDA {
        constexpr int a = P - loop_a.value;
        T q = x, qy = x, qz = x, qyy = x, qyz = x, qzz = x;
        unrolled<P - a + 1>([&](auto loop_b) GRAVLET_INLINE_LAMBDA {
            constexpr int b = P - a - loop_b.value;
            T r = x, rz = x, rzz = x;
            unrolled<P - a - b + 1>([&](auto loop_c) GRAVLET_INLINE_LAMBDA {
                constexpr int c = P - a - b - loop_c.value;
                constexpr bool present = a + b + c >= Lowest;
                if constexpr (loop_c.value == 0) {
                    r = coefficient(Component<a, b, c>{});
                } else {
                    if constexpr (D > 1) next_term<loop_c.value, 2>(rzz, z, rz);
                    if constexpr (D > 0) next_term<loop_c.value, 1>(rz, z, r);
                    if constexpr (present) {
                        r = multiply_add(r, z, coefficient(Component<a, b, c>{}));
                    } else {
                        r = r * z;
                    }
                }
            });
            if constexpr (D > 1) {
                next_term<loop_b.value, 2>(qyy, y, qy);
                next_term<loop_b.value, 2>(qyz, y, qz);
                next_term<loop_b.value, 2>(qzz, y, rzz);
            }
            if constexpr (D > 0) {
                next_term<loop_b.value, 1>(qy, y, q);
                next_term<loop_b.value, 1>(qz, y, rz);
            }
            next_term<loop_b.value, 0>(q, y, r);
        });
        if constexpr (D > 1) {
            next_term<loop_a.value, 2>(fxx, x, fx);
            next_term<loop_a.value, 2>(fxy, x, fy);
            next_term<loop_a.value, 2>(fxz, x, fz);
            next_term<loop_a.value, 2>(fyy, x, qyy);
            next_term<loop_a.value, 2>(fyz, x, qyz);
            next_term<loop_a.value, 2>(fzz, x, qzz);
        }
        if constexpr (D > 0) {
            next_term<loop_a.value, 1>(fx, x, f);
            next_term<loop_a.value, 1>(fy, x, qy);
            next_term<loop_a.value, 1>(fz, x, qz);
        }
        next_term<loop_a.value, 0>(f, x, q);
    });
    if constexpr (D == 0) {
        return {{f}};
    } else if constexpr (D == 1) {
        return {{f, fx, fy, fz}};
    } else {
        return {{f, fx, fy, fz, fxx + fxx, fxy, fxz, fyy + fyy, fyz, fzz + fzz}};
    }
}

// A target's sums are a Jet: of m/r, its gradient, which is the acceleration for G = 1, and the gradient of that, the tidal
// tensor. All that is added up for targets has this sign, by whatever walk, table or direct sum; to_result()
// (solver/targets/stage_out.hpp) makes -G sum m/r of it.

/// Adds the derivatives of a function of the distance: the gradient -field (x, y, z), and the second derivatives
/// tide n_i n_j - field delta_ij, where n = unit (x, y, z).
template <class T, int D>
GRAVLET_HD GRAVLET_INLINE void add_central(Jet<T, D>& sums, T x, T y, T z, T field, T tide, T unit) {
    sums.term[1] = sums.term[1] - field * x;
    sums.term[2] = sums.term[2] - field * y;
    sums.term[3] = sums.term[3] - field * z;
    if constexpr (D > 1) {
        x = x * unit, y = y * unit, z = z * unit;
        const T tide_x = tide * x, tide_y = tide * y;
        sums.term[4] = multiply_add(tide_x, x, sums.term[4]) - field;
        sums.term[5] = multiply_add(tide_x, y, sums.term[5]);
        sums.term[6] = multiply_add(tide_x, z, sums.term[6]);
        sums.term[7] = multiply_add(tide_y, y, sums.term[7]) - field;
        sums.term[8] = multiply_add(tide_y, z, sums.term[8]);
        sums.term[9] = multiply_add(tide * z, z, sums.term[9]) - field;
    }
}

/// What softening makes of a node's extent. To 1/|R - s_i| the trace of the second moments is nothing; softened, with
/// q^2 = R^2 + e^2, it adds -(M spread) e^2/q^5 to M/q. Here mass and 1/q change so that potential and acceleration get that, to
/// first order. Returns e^2 spread/q^4, of which add_extent_tide() gives the tidal tensor what it still lacks.
template <class T>
GRAVLET_HD GRAVLET_INLINE T soften_extent(T& mass, T& r_inverse, T softening2, T spread) {
    const T r_inverse2 = r_inverse * r_inverse;
    const T part = (softening2 * r_inverse2) * (spread * r_inverse2);
    mass = multiply_add(mass, part, mass);
    r_inverse = r_inverse - r_inverse * (part + part);
    return part;
}

/// Takes from a node's tidal tensor what softening of its extent still does: of x_i x_j 3M/q^5 it is 35/3 of `part`, of which
/// soften_extent() has taken 9.
template <class T, int D, class Number>
GRAVLET_HD GRAVLET_INLINE void add_extent_tide(Jet<T, D>& sums, T x, T y, T z, T r_inverse, T mass, T part, Number number) {
    if constexpr (D > 1) {
        const T zero = part - part;
        add_central(sums, x, y, z, zero, number(-8.0f) * part * mass * r_inverse * r_inverse * r_inverse, r_inverse);
    }
}

/// The second derivatives of a node's contribution. With F(u), E = u.grad F, H_i = sum_k u_k F_ik, K = u.H, w = 1/R^2 and
/// s = l w they are (M w/R) times
///     s^2/w F_ij - delta_ij (F + 2E) - x_i Y_j - x_j Y_i,   Y_i = s (3 F_i + 2 H_i) - x_i w (3F + 12E + 4K)/2.
/// `f` is F - 1 and its derivatives, `tangential` s M/R, `radial` (M w/R)(F + 2E).
template <int P, class T, class Number>
GRAVLET_HD GRAVLET_INLINE void add_node_tide(Jet<T, 2>& sums, T x, T y, T z, T r_inverse2, T scale, T tangential, T radial,
                                             T m_r3, const Jet<T, 2>& f, Number number) {
    T hx = f.term[1], hy = f.term[2], hz = f.term[3], c = f.term[0];
    if constexpr (P == 2) {  // E = K = 2 (F - 1), H = grad F
        c = multiply_add(c, number(17.5f), number(1.5f));
        hx = number(5.0f) * hx, hy = number(5.0f) * hy, hz = number(5.0f) * hz;
    } else {
        const T ux = x * scale, uy = y * scale, uz = z * scale, two = number(2.0f), three = number(3.0f);
        const T e = multiply_add(ux, hx, multiply_add(uy, hy, uz * hz));
        const T sx = multiply_add(ux, f.term[4], multiply_add(uy, f.term[5], uz * f.term[6])),
                sy = multiply_add(ux, f.term[5], multiply_add(uy, f.term[7], uz * f.term[8])),
                sz = multiply_add(ux, f.term[6], multiply_add(uy, f.term[8], uz * f.term[9]));
        const T k = multiply_add(ux, sx, multiply_add(uy, sy, uz * sz));
        c = multiply_add(c, number(1.5f), number(1.5f)) + multiply_add(number(6.0f), e, two * k);
        hx = multiply_add(three, hx, two * sx), hy = multiply_add(three, hy, two * sy), hz = multiply_add(three, hz, two * sz);
    }
    // The mass goes to x, not to Y: deep in a tree m/R^4 would overflow single precision.
    const T central = r_inverse2 * c;
    const T yx = scale * hx - central * x, yy = scale * hy - central * y, yz = scale * hz - central * z;
    x = m_r3 * x, y = m_r3 * y, z = m_r3 * z;
    const T square = tangential * scale;
    sums.term[4] = multiply_add(square, f.term[4], sums.term[4]) - (radial + (x * yx + x * yx));
    sums.term[5] = multiply_add(square, f.term[5], sums.term[5]) - (x * yy + y * yx);
    sums.term[6] = multiply_add(square, f.term[6], sums.term[6]) - (x * yz + z * yx);
    sums.term[7] = multiply_add(square, f.term[7], sums.term[7]) - (radial + (y * yy + y * yy));
    sums.term[8] = multiply_add(square, f.term[8], sums.term[8]) - (y * yz + z * yy);
    sums.term[9] = multiply_add(square, f.term[9], sums.term[9]) - (radial + (z * yz + z * yz));
}

/// A node's contribution. (x, y, z) = R, r_inverse = 1/|R|; number(v) is v as a T.
template <int P, class T, int D, class Number, class Coefficient>
GRAVLET_HD GRAVLET_INLINE void add_node(Jet<T, D>& sums, T x, T y, T z, T r_inverse, T mass, T size, Number number,
                                        Coefficient coefficient) {
    const T m = mass * r_inverse;
    const T r_inverse2 = r_inverse * r_inverse;
    if constexpr (P < 2) {
        sums.term[0] = sums.term[0] + m;
        if constexpr (D > 0) {
            const T radial = m * r_inverse2;
            add_central(sums, x, y, z, radial, number(3.0f) * radial, r_inverse);
        }
    } else {
        const T scale = size * r_inverse2;
        const T ux = x * scale, uy = y * scale, uz = z * scale;
        const Jet<T, D> f = evaluate_polynomial<P, 2, D>(ux, uy, uz, coefficient);
        sums.term[0] = sums.term[0] + multiply_add(m, f.term[0], m);
        if constexpr (D > 0) {
            // F + 2 u.grad F, where Euler's theorem gives u.grad F = 2 (F - 1) if there is no other degree.
            T radial = f.term[0];
            if constexpr (P == 2) {
                radial = multiply_add(f.term[0], number(5.0f), number(1.0f));
            } else {
                const T u_grad = multiply_add(ux, f.term[1], multiply_add(uy, f.term[2], uz * f.term[3]));
                radial = (number(1.0f) + f.term[0]) + (u_grad + u_grad);
            }
            radial = m * r_inverse2 * radial;
            const T tangential = m * scale;
            sums.term[1] = multiply_add(tangential, f.term[1], sums.term[1]) - radial * x;
            sums.term[2] = multiply_add(tangential, f.term[2], sums.term[2]) - radial * y;
            sums.term[3] = multiply_add(tangential, f.term[3], sums.term[3]) - radial * z;
            if constexpr (D > 1)
                add_node_tide<P>(sums, x, y, z, r_inverse2, scale, tangential, radial, m * r_inverse2, f, number);
        }
    }
}
