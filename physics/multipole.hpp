// SPDX-License-Identifier: Apache-2.0
// Trace-free multipole moments of a node about its centre of mass, orders 2 to 4 (the dipole vanishes there).
//
// The moment of degree n is the symmetric trace-free part of sum m s^n, s from the centre of mass. What is stored is
//     C[k] = (2n-1)!!/n! * n!/(a! b! c!) * STF(sum m s^k) / (M l^n),   k = (a, b, c), a + b + c = n,
// dimensionless, so that single precision holds it at any depth of the tree, and ready for Horner's scheme (multipole.inl).
// Moving a trace-free moment to another centre and taking the trace-free part again is exact: traces only breed traces.
#pragma once

#include "physics/components.hpp"
#include "physics/orders.hpp"
#include "physics/types.hpp"

#if defined(__CUDACC__)
#define GRAVLET_INLINE __forceinline__
#define GRAVLET_NOINLINE __noinline__
#define GRAVLET_INLINE_LAMBDA
#else
#define GRAVLET_INLINE inline __attribute__((always_inline))
#define GRAVLET_NOINLINE
#define GRAVLET_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace gravlet {

template <int N>
struct Index {
    static constexpr int value = N;
    GRAVLET_HD constexpr operator int() const { return N; }
};

/// x^a y^b z^c, as a type.
template <int A, int B, int C>
struct Component {
    static constexpr int a = A, b = B, c = C;
};

static_assert(max_order == 4);  // here, in length_of() (solver/tree/moments.hpp) and WarpFrame::add_far() degrees end there

/// Index of component (a, b, c) among those of its degree: all (degree + 1)(degree + 2)/2 of them are kept.
GRAVLET_HD constexpr int component(int b, int c) { return (b + c) * (b + c + 1) / 2 + c; }
/// Moments of degrees 2 to `order`.
GRAVLET_HD constexpr int moment_count(int order) { return order < 2 ? 0 : (order + 1) * (order + 2) * (order + 3) / 6 - 4; }
GRAVLET_HD constexpr int moment_index(int a, int b, int c) { return moment_count(a + b + c - 1) + component(b, c); }
/// The degree of the moment with that index.
GRAVLET_HD constexpr int moment_degree(int index) { return index < moment_count(2) ? 2 : index < moment_count(3) ? 3 : 4; }

GRAVLET_HD inline float multiply_add(float a, float b, float c) { return a * b + c; }
GRAVLET_HD inline double multiply_add(double a, double b, double c) { return a * b + c; }
GRAVLET_HD inline float larger(float a, float b) { return a > b ? a : b; }
GRAVLET_HD inline double larger(double a, double b) { return a > b ? a : b; }
GRAVLET_HD inline float smaller(float a, float b) { return a < b ? a : b; }
GRAVLET_HD inline double smaller(double a, double b) { return a < b ? a : b; }

/// Index of component (a, b, c) among those of degrees 0 on, as local expansions hold them.
GRAVLET_HD constexpr int local_index(int a, int b, int c) {
    const int n = a + b + c;
    return n * (n + 1) * (n + 2) / 6 + component(b, c);
}
inline constexpr int local_count = 35;

#include "physics/multipole.inl"

#include "physics/local_expansion.inl"

namespace multipole {

GRAVLET_HD constexpr double binomial(int n, int k) {
    constexpr double rows[5][5] = {{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
    return rows[n][k];
}

// Where these are asked for in a walk, the answer is kept as a constant: a table that is looked up at run time is slow.

/// Factorial n!
GRAVLET_HD constexpr int factorial(int n) {
    constexpr int numbers[] = {1, 1, 2, 6, 24, 120};
    return numbers[n];
}
/// a! b! c!
GRAVLET_HD constexpr int factorials(int a, int b, int c) { return factorial(a) * factorial(b) * factorial(c); }
/// (2n-1)!!
GRAVLET_HD constexpr int odd_factorial(int n) {
    constexpr int numbers[] = {1, 1, 3, 15, 105};
    return numbers[n];
}

/// (2n-1)!!/n! * n!/(a! b! c!)
GRAVLET_HD constexpr double coefficient_scale(int a, int b, int c) {
    return static_cast<double>(odd_factorial(a + b + c)) / factorials(a, b, c);
}

/// Calls f(Component<a, b, c>) for every component of degree N.
template <int N, class F>
GRAVLET_HD GRAVLET_INLINE void for_components(F f) {
    unrolled<N + 1>([&](auto rest) GRAVLET_INLINE_LAMBDA {
        unrolled<rest.value + 1>([&](auto c)
                                     GRAVLET_INLINE_LAMBDA { f(Component<N - rest.value, rest.value - c.value, c.value>{}); });
    });
}

/// Calls f(Component<a, b, c>) for every component of every degree from 2 to P.
template <int P, class F>
GRAVLET_HD GRAVLET_INLINE void for_moments(F f) {
    unrolled<(P > 1 ? P - 1 : 0)>([&](auto degree) GRAVLET_INLINE_LAMBDA { for_components<degree.value + 2>(f); });
}

}  // namespace multipole

/// Sums of m s^k about one centre, degrees 2 to P, while a node's contents are added up. Loops over components are unrolled.
template <int P>
class MomentSums {
public:
    /// Adds a mass at s from the centre.
    GRAVLET_HD void add_mass(double mass, const Vector3& s) {
        const Powers p(s);
        multipole::for_moments<P>([&](auto k)
                                      GRAVLET_INLINE_LAMBDA { sums_[moment_index(k.a, k.b, k.c)] += mass * p(k.a, k.b, k.c); });
    }

    /// Adds a node of side `size` whose centre of mass is at s.
    GRAVLET_HD void add_node(double mass, const float* moments, double size, const Vector3& s) {
        const Powers p(s);
        double child[count];
        double scale = mass * size;
        unrolled<P - 1>([&](auto degree) GRAVLET_INLINE_LAMBDA {
            scale *= size;
            multipole::for_components<degree.value + 2>([&](auto k) GRAVLET_INLINE_LAMBDA {
                constexpr int i = moment_index(k.a, k.b, k.c);
                constexpr double inverse = 1.0 / multipole::coefficient_scale(k.a, k.b, k.c);
                child[i] = moments[i] * (scale * inverse);
            });
        });
        multipole::for_moments<P>([&](auto k) GRAVLET_INLINE_LAMBDA {
            double sum = mass * p(k.a, k.b, k.c);
            unrolled<k.a + 1>([&](auto a) GRAVLET_INLINE_LAMBDA {
                unrolled<k.b + 1>([&](auto b) GRAVLET_INLINE_LAMBDA {
                    unrolled<k.c + 1>([&](auto c) GRAVLET_INLINE_LAMBDA {
                        constexpr double ways = multipole::binomial(k.a, a.value) * multipole::binomial(k.b, b.value) *
                                                multipole::binomial(k.c, c.value);
                        if constexpr (a.value + b.value + c.value >= 2)
                            sum += ways * child[moment_index(a.value, b.value, c.value)] *
                                   p(k.a - a.value, k.b - b.value, k.c - c.value);
                    });
                });
            });
            sums_[moment_index(k.a, k.b, k.c)] += sum;
        });
    }

    /// Adds up what the lanes of a team have.
    template <class Team>
    GRAVLET_HD void gather(const Team& team) {
        for (int i = 0; i < count; ++i) sums_[i] = team.sum(sums_[i]);
    }

    /// The moments as they are stored, for a node of mass M and side l.
    GRAVLET_HD void store(float* moments, double mass, double size) {
        remove_traces();
        double scale = 1.0 / (mass * size);
        unrolled<P - 1>([&](auto degree) GRAVLET_INLINE_LAMBDA {
            scale /= size;
            multipole::for_components<degree.value + 2>([&](auto k) GRAVLET_INLINE_LAMBDA {
                constexpr int i = moment_index(k.a, k.b, k.c);
                constexpr double coefficient = multipole::coefficient_scale(k.a, k.b, k.c);
                moments[i] = static_cast<float>(sums_[i] * scale * coefficient);
            });
        });
    }

private:
    static constexpr int count = moment_count(P);

    /// x^a y^b z^c of a displacement.
    struct Powers {
        double x[P + 1], y[P + 1], z[P + 1];
        GRAVLET_HD explicit Powers(const Vector3& s) {
            x[0] = y[0] = z[0] = 1.0;
            for (int n = 1; n <= P; ++n) x[n] = x[n - 1] * s.x, y[n] = y[n - 1] * s.y, z[n] = z[n - 1] * s.z;
        }
        GRAVLET_HD GRAVLET_INLINE double operator()(int a, int b, int c) const { return x[a] * y[b] * z[c]; }
    };

    /// S[k] -= sum_axes C(k_i, 2) W[k - 2 e_i] / (2n - 1), W the trace, and for degree 4 plus pairs * trace(W) / 35.
    GRAVLET_HD void remove_traces() {
        unrolled<P - 1>([&](auto degree) GRAVLET_INLINE_LAMBDA {
            constexpr int n = degree.value + 2;
            double trace[6] = {};
            multipole::for_components<n - 2>([&](auto k) GRAVLET_INLINE_LAMBDA {
                trace[component(k.b, k.c)] = sums_[moment_index(k.a + 2, k.b, k.c)] + sums_[moment_index(k.a, k.b + 2, k.c)] +
                                             sums_[moment_index(k.a, k.b, k.c + 2)];
            });
            const double double_trace = n == 4 ? trace[component(0, 0)] + trace[component(2, 0)] + trace[component(0, 2)] : 0.0;
            multipole::for_components<n>([&](auto k) GRAVLET_INLINE_LAMBDA {
                constexpr int a = k.a, b = k.b, c = k.c;
                double out = 0.0;
                if constexpr (a >= 2) out += multipole::binomial(a, 2) * trace[component(b, c)];
                if constexpr (b >= 2) out += multipole::binomial(b, 2) * trace[component(b - 2, c)];
                if constexpr (c >= 2) out += multipole::binomial(c, 2) * trace[component(b, c - 2)];
                out /= 2 * n - 1;
                constexpr bool even = a % 2 == 0 && b % 2 == 0 && c % 2 == 0;
                if constexpr (n == 4 && even) out -= double_trace / 35.0 * (a == 4 || b == 4 || c == 4 ? 3.0 : 1.0);
                sums_[moment_index(a, b, c)] -= out;
            });
        });
    }

    double sums_[count] = {};
};

}  // namespace gravlet
