// SPDX-License-Identifier: Apache-2.0
// Trace-free multipole moments of a node about its centre of mass, orders 2 to 4 (the dipole vanishes there).
//
// The moment of degree n is the symmetric trace-free part of sum m s^n, s from the centre of mass. What is stored is
//     C[k] = (2n-1)!!/n! * n!/(a! b! c!) * STF(sum m s^k) / (M l^n),   k = (a, b, c), a + b + c = n,
// dimensionless, so that single precision holds it at any depth of the tree, and ready for Horner's scheme (multipole.inl).
// Moving a trace-free moment to another centre and taking the trace-free part again is exact: traces only breed traces.
#pragma once

#include "solver/types.hpp"

#if defined(__CUDACC__)
#define GRAVLET_INLINE __forceinline__
#define GRAVLET_INLINE_LAMBDA
#else
#define GRAVLET_INLINE inline __attribute__((always_inline))
#define GRAVLET_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace gravlet {

template <int N>
struct Index {
    static constexpr int value = N;
};

inline constexpr int max_order = 4;

/// Position of component (a, b, c) among those of its degree: all (degree + 1)(degree + 2)/2 of them are kept.
GRAVLET_HD constexpr int component(int b, int c) {
    return (b + c) * (b + c + 1) / 2 + c;
}
/// Moments of degrees 2 to `order`.
GRAVLET_HD constexpr int moment_count(int order) {
    return order < 2 ? 0 : (order + 1) * (order + 2) * (order + 3) / 6 - 4;
}
GRAVLET_HD constexpr int moment_index(int a, int b, int c) {
    return moment_count(a + b + c - 1) + component(b, c);
}

GRAVLET_HD inline float multiply_add(float a, float b, float c) {
    return a * b + c;
}
GRAVLET_HD inline double multiply_add(double a, double b, double c) {
    return a * b + c;
}

#include "solver/multipole.inl"

namespace multipole {

GRAVLET_HD constexpr double binomial(int n, int k) {
    constexpr double rows[5][5] = {{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
    return rows[n][k];
}

/// (2n-1)!!/n! * n!/(a! b! c!)
GRAVLET_HD constexpr double coefficient_scale(int a, int b, int c) {
    constexpr double double_factorial[5] = {1, 1, 3, 15, 105};
    constexpr double factorial[5] = {1, 1, 2, 6, 24};
    return double_factorial[a + b + c] / (factorial[a] * factorial[b] * factorial[c]);
}

/// Calls f(a, b, c) for every component of degree n.
template <class F>
GRAVLET_HD GRAVLET_INLINE void for_components(int n, F f) {
    for (int rest = 0; rest <= n; ++rest)
        for (int c = 0; c <= rest; ++c) f(n - rest, rest - c, c);
}

}  // namespace multipole

/// Sums of m s^k about one centre, degrees 2 to P, while a node's contents are added up.
template <int P>
struct MomentSums {
    double sums[moment_count(P) > 0 ? moment_count(P) : 1] = {};

    /// Adds a mass at s from the centre.
    GRAVLET_HD void add_mass(double mass, const Point3& s) { add(mass, nullptr, 0.0, s); }

    /// Adds a node whose centre of mass is at s: its moments (as stored, or null), of scale `size`.
    GRAVLET_HD void add(double mass, const float* moments, double size, const Point3& s) {
        double px[P + 1], py[P + 1], pz[P + 1], child[P + 1];
        px[0] = py[0] = pz[0] = 1.0;
        child[0] = mass;
        for (int n = 1; n <= P; ++n) {
            px[n] = px[n - 1] * s.x;
            py[n] = py[n - 1] * s.y;
            pz[n] = pz[n - 1] * s.z;
            child[n] = child[n - 1] * size;
        }
        for (int n = 2; n <= P; ++n) {
            multipole::for_components(n, [&](int a, int b, int c) {
                double sum = mass * px[a] * py[b] * pz[c];
                if (moments != nullptr) sum += moved(moments, child, px, py, pz, a, b, c);
                sums[moment_index(a, b, c)] += sum;
            });
        }
    }

    /// Writes the moments as they are stored, for a node of mass M and side l.
    GRAVLET_HD void store(float* moments, double mass, double size) {
        remove_traces();
        double scale = 1.0 / (mass * size);
        for (int n = 2; n <= P; ++n) {
            scale /= size;
            multipole::for_components(n, [&](int a, int b, int c) {
                const int i = moment_index(a, b, c);
                moments[i] = static_cast<float>(sums[i] * scale * multipole::coefficient_scale(a, b, c));
            });
        }
    }

private:
    /// Component (a, b, c) of the child's degrees 2 and up, moved by s.
    GRAVLET_HD static double moved(const float* moments, const double* child, const double* px, const double* py,
                                   const double* pz, int a, int b, int c) {
        double sum = 0.0;
        for (int i = 0; i <= a; ++i) {
            for (int j = 0; j <= b; ++j) {
                for (int k = 0; k <= c; ++k) {
                    if (i + j + k < 2) continue;
                    const double value = child[i + j + k] * moments[moment_index(i, j, k)] / multipole::coefficient_scale(i, j, k);
                    sum += multipole::binomial(a, i) * multipole::binomial(b, j) * multipole::binomial(c, k) * value * px[a - i] *
                           py[b - j] * pz[c - k];
                }
            }
        }
        return sum;
    }

    /// S[k] -= sum_axes C(k_i, 2) W[k - 2 e_i] / (2n - 1), W the trace, and for degree 4 plus pairs * trace(W) / 35.
    GRAVLET_HD void remove_traces() {
        for (int n = 2; n <= P; ++n) {
            double trace[6] = {};
            multipole::for_components(n - 2, [&](int a, int b, int c) {
                trace[component(b, c)] =
                    sums[moment_index(a + 2, b, c)] + sums[moment_index(a, b + 2, c)] + sums[moment_index(a, b, c + 2)];
            });
            const double double_trace = n == 4 ? trace[component(0, 0)] + trace[component(2, 0)] + trace[component(0, 2)] : 0.0;
            multipole::for_components(n, [&](int a, int b, int c) {
                double out = 0.0;
                if (a >= 2) out += multipole::binomial(a, 2) * trace[component(b, c)];
                if (b >= 2) out += multipole::binomial(b, 2) * trace[component(b - 2, c)];
                if (c >= 2) out += multipole::binomial(c, 2) * trace[component(b, c - 2)];
                out /= 2 * n - 1;
                const bool even = a % 2 == 0 && b % 2 == 0 && c % 2 == 0;
                if (n == 4 && even) out -= double_trace / 35.0 * (a == 4 || b == 4 || c == 4 ? 3.0 : 1.0);
                sums[moment_index(a, b, c)] -= out;
            });
        }
    }
};

}  // namespace gravlet
