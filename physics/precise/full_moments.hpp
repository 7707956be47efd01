// SPDX-License-Identifier: Apache-2.0
// Moments of a solve in double (docs/algorithm.md, "In double"): with their traces, because Plummer's softening feels these, in
// solver units, about any centre.
//
// A mass m at s has the terms q_k = m s^k/k!, k = (a, b, c), up to degree P; so have sums of masses. With p the displacement from
// the centre to the target, e the softening, rho^2 = p^2 + e^2, w = p/rho^2 and h = e^2/rho^4, its potential is
//     (1/rho) sum_i h^i Q_i(w),  Q_i = sum over n and j >= i of (-1)^j (2n-2j-1)!!/(2^j j!) C(j, i) w^(2(j-i)) Laplace^j q_n(w),
// q_n the polynomial of the terms of degree n: what a trace-free moment is in three dimensions, with e as a fourth coordinate.
// Without softening Q_0 is all there is.
#pragma once

#include "physics/components.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"
#include "physics/types.hpp"

namespace gravlet {

/// Moments of a node in double, and the mean of softening^2, which comes last.
GRAVLET_HD constexpr int full_moment_count(int order) { return static_cast<int>(component_count(order)) + 1; }
/// Coefficients of Q_0 to Q_(i-1) together.
GRAVLET_HD constexpr int expansion_begin(int order, int i) {
    int count = 0;
    for (int k = 0; k < i; ++k) count += static_cast<int>(component_count(order - 2 * k));
    return count;
}
/// Numbers in a node's expansion, all that it needs to act, its mean softening^2 last.
GRAVLET_HD constexpr int expansion_count(int order, bool softened) {
    return expansion_begin(order, softened ? order / 2 + 1 : 1) + 1;
}

/// The order in which moments are had where this one is asked for: even, as the Laplacians above end alike then.
GRAVLET_HD constexpr int full_order(int order) { return order < 2 ? 2 : order + order % 2; }

/// f(Index<P>) with P = full_order(order). Orders above the largest are Error(internal): options have been checked.
template <class F>
auto with_full_order(int order, const F& f) {
    return with_listed<full_orders>(full_order(order), "moments in double", f);
}

/// Leaves of so many sources, or fewer, act through these: they cost less than the node, to evaluate and to send, and are exact.
GRAVLET_HD constexpr std::uint32_t cheap_precise_leaf(int order) { return order < 4 ? 4 : order < 6 ? 8 : 12; }

/// Calls f(a, b, c) for all components of degree n, in their order.
template <class F>
GRAVLET_HD void for_each_component(int n, F f) {
    for (int rest = 0; rest <= n; ++rest)
        for (int c = 0; c <= rest; ++c) f(n - rest, rest - c, c);
}

/// Sums of terms of degrees up to P about one centre. In loops, not unrolled: what is below takes long to compile otherwise.
template <int P>
class FullMoments {
public:
    static constexpr int count = static_cast<int>(component_count(P));

    /// Adds a mass at s from the centre.
    GRAVLET_HD void add_mass(double mass, const Vector3& s) {
        const Powers x(s.x), y(s.y), z(s.z);
        for (int n = 0; n <= P; ++n)
            for_each_component(n,
                               [&](int a, int b, int c) { terms_[local_index(a, b, c)] += mass * x.of[a] * y.of[b] * z.of[c]; });
    }

    /// Adds terms about a centre that is at s: one direction after the other.
    GRAVLET_HD void add_terms(const double* terms, const Vector3& s) {
        double moved[count];
        for (int k = 0; k < count; ++k) moved[k] = terms[k];
        const Powers x(s.x), y(s.y), z(s.z);
        for (int c = 0; c <= P; ++c)
            for (int b = 0; b <= P - c; ++b)
                for (int a = P - b - c; a > 0; --a)
                    for (int j = 1; j <= a; ++j) moved[local_index(a, b, c)] += x.of[j] * moved[local_index(a - j, b, c)];
        for (int c = 0; c <= P; ++c)
            for (int a = 0; a <= P - c; ++a)
                for (int b = P - a - c; b > 0; --b)
                    for (int j = 1; j <= b; ++j) moved[local_index(a, b, c)] += y.of[j] * moved[local_index(a, b - j, c)];
        for (int b = 0; b <= P; ++b)
            for (int a = 0; a <= P - b; ++a)
                for (int c = P - a - b; c > 0; --c)
                    for (int j = 1; j <= c; ++j) moved[local_index(a, b, c)] += z.of[j] * moved[local_index(a, b, c - j)];
        for (int k = 0; k < count; ++k) terms_[k] += moved[k];
    }

    /// Adds up what the lanes of a team have.
    template <class Team>
    GRAVLET_HD void gather(const Team& team) {
        for (int k = 0; k < count; ++k) terms_[k] = team.sum(terms_[k]);
    }

    [[nodiscard]] GRAVLET_HD double operator[](int k) const { return terms_[k]; }

private:
    /// s^n/n!
    struct Powers {
        double of[P + 1];
        GRAVLET_HD explicit Powers(double s) {
            of[0] = 1.0;
            for (int n = 1; n <= P; ++n) of[n] = of[n - 1] * s / n;
        }
    };

    double terms_[count] = {};
};

/// The Laplacian of a homogeneous polynomial of degree n, by component.
GRAVLET_HD inline void laplacian(int n, const double* from, double* to) {
    for_each_component(n - 2, [&](int a, int b, int c) {
        to[component(b, c)] = (a + 2) * (a + 1) * from[component(b, c)] + (b + 2) * (b + 1) * from[component(b + 2, c)] +
                              (c + 2) * (c + 1) * from[component(b, c + 2)];
    });
}

/// Makes of the terms of a node the polynomials by which it acts, Q_0 alone or all.
template <int P>
GRAVLET_HD void expand(const double* terms, bool softened, double* out) {
    constexpr int widest = components_of(P);
    double traces[P / 2 + 1][widest], sum[widest], next[widest];
    for (int n = 0; n <= P; ++n) {
        const int most = n / 2;
        double weight[P / 2 + 1] = {1.0};  // (-1)^j (2n-2j-1)!!/(2^j j!)
        for (int k = 3; k < 2 * n; k += 2) weight[0] *= k;
        for_each_component(n, [&](int a, int b, int c) { traces[0][component(b, c)] = terms[local_index(a, b, c)]; });
        for (int j = 1; j <= most; ++j) {
            laplacian(n - 2 * (j - 1), traces[j - 1], traces[j]);
            weight[j] = -weight[j - 1] / (2.0 * j * (2 * n - 2 * j + 1));
        }
        for (int i = 0; i <= (softened ? most : 0); ++i) {
            for (int j = most; j >= i; --j) {
                const int degree = n - 2 * j;
                double ways = weight[j];
                for (int k = 0; k < i; ++k) ways *= static_cast<double>(j - k) / (k + 1);
                for_each_component(degree, [&](int, int b, int c) { next[component(b, c)] = ways * traces[j][component(b, c)]; });
                if (j < most) {
                    for_each_component(degree - 2, [&](int, int b, int c) {
                        next[component(b, c)] += sum[component(b, c)];
                        next[component(b + 2, c)] += sum[component(b, c)];
                        next[component(b, c + 2)] += sum[component(b, c)];
                    });
                }
                for_each_component(degree, [&](int, int b, int c) { sum[component(b, c)] = next[component(b, c)]; });
            }
            for_each_component(n - 2 * i, [&](int a, int b, int c) {
                out[expansion_begin(P, i) + local_index(a, b, c)] = sum[component(b, c)];
            });
        }
    }
}

#include "physics/precise/expansion.inl"

}  // namespace gravlet
