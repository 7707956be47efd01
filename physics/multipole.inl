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

/// A polynomial's value and, if Gradient, its derivatives.
template <class T>
struct Polynomial {
    T value, x, y, z;
};

/// Terms of degrees Lowest to P, P >= max(Lowest, 1); coefficient(Component<a, b, c>) is that of x^a y^b z^c as a T.
template <int P, int Lowest, bool Gradient, class T, class Coefficient>
GRAVLET_HD GRAVLET_INLINE Polynomial<T> evaluate_polynomial(T x, T y, T z, Coefficient coefficient) {
    Polynomial<T> f{x, x, x, x};
    // In each loop the running polynomial starts with its first term, so "first" terms assign and later ones multiply and add.
    unrolled<P + 1>([&](auto loop_a) GRAVLET_INLINE_LAMBDA {
        constexpr int a = P - loop_a.value;
        T q = x, qy = x, qz = x;
        unrolled<P - a + 1>([&](auto loop_b) GRAVLET_INLINE_LAMBDA {
            constexpr int b = P - a - loop_b.value;
            T r = x, rz = x;
            unrolled<P - a - b + 1>([&](auto loop_c) GRAVLET_INLINE_LAMBDA {
                constexpr int c = P - a - b - loop_c.value;
                constexpr bool present = a + b + c >= Lowest;
                if constexpr (loop_c.value == 0) {
                    r = coefficient(Component<a, b, c>{});
                } else {
                    if constexpr (Gradient) rz = loop_c.value == 1 ? r : multiply_add(rz, z, r);
                    if constexpr (present) {
                        r = multiply_add(r, z, coefficient(Component<a, b, c>{}));
                    } else {
                        r = r * z;
                    }
                }
            });
            if constexpr (loop_b.value == 0) {
                q = r;
            } else {
                if constexpr (Gradient) {
                    qy = loop_b.value == 1 ? q : multiply_add(qy, y, q);
                    qz = loop_b.value == 1 ? rz : multiply_add(qz, y, rz);
                }
                q = multiply_add(q, y, r);
            }
        });
        if constexpr (loop_a.value == 0) {
            f.value = q;
        } else {
            if constexpr (Gradient) {
                f.x = loop_a.value == 1 ? f.value : multiply_add(f.x, x, f.value);
                f.y = loop_a.value == 1 ? qy : multiply_add(f.y, x, qy);
                f.z = loop_a.value == 1 ? qz : multiply_add(f.z, x, qz);
            }
            f.value = multiply_add(f.value, x, q);
        }
    });
    return f;
}

/// A target's sums: of m/r, and of its gradient, which is the acceleration for G = 1. All that is added up for targets has this
/// sign, by whatever walk, table or direct sum; to_result() (solver/stage_out.hpp) makes -G sum m/r of it.
template <class T>
struct Sums {
    T potential, x, y, z;
};

/// What softening makes of a node's extent. To 1/|R - s_i| the trace of the second moments is nothing; softened, with
/// q^2 = R^2 + e^2, it adds -(M spread) e^2/q^5 to M/q. Here mass and 1/q change so that potential and acceleration get that, to
/// first order.
template <class T>
GRAVLET_HD GRAVLET_INLINE void soften_extent(T& mass, T& r_inverse, T softening2, T spread) {
    const T r_inverse2 = r_inverse * r_inverse;
    const T part = (softening2 * r_inverse2) * (spread * r_inverse2);
    mass = multiply_add(mass, part, mass);
    r_inverse = r_inverse - r_inverse * (part + part);
}

/// A node's contribution. (x, y, z) = R, r_inverse = 1/|R|; `one` and `five` are these numbers as a T.
template <int P, bool Gradient, class T, class Coefficient>
GRAVLET_HD GRAVLET_INLINE void add_node(Sums<T>& sums, T x, T y, T z, T r_inverse, T mass, T size, T one, T five,
                                        Coefficient coefficient) {
    const T m = mass * r_inverse;
    const T r_inverse2 = r_inverse * r_inverse;
    if constexpr (P < 2) {
        sums.potential = sums.potential + m;
        if constexpr (Gradient) {
            const T radial = m * r_inverse2;
            sums.x = sums.x - radial * x;
            sums.y = sums.y - radial * y;
            sums.z = sums.z - radial * z;
        }
    } else {
        const T scale = size * r_inverse2;
        const T ux = x * scale, uy = y * scale, uz = z * scale;
        const Polynomial<T> f = evaluate_polynomial<P, 2, Gradient>(ux, uy, uz, coefficient);
        sums.potential = sums.potential + multiply_add(m, f.value, m);
        if constexpr (Gradient) {
            // F + 2 u.grad F, where Euler's theorem gives u.grad F = 2 (F - 1) if there is no other degree.
            T radial = f.value;
            if constexpr (P == 2) {
                radial = multiply_add(f.value, five, one);
            } else {
                const T u_grad = multiply_add(ux, f.x, multiply_add(uy, f.y, uz * f.z));
                radial = (one + f.value) + (u_grad + u_grad);
            }
            radial = m * r_inverse2 * radial;
            const T tangential = m * scale;
            sums.x = multiply_add(tangential, f.x, sums.x) - radial * x;
            sums.y = multiply_add(tangential, f.y, sums.y) - radial * y;
            sums.z = multiply_add(tangential, f.z, sums.z) - radial * z;
        }
    }
}
