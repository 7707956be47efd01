// SPDX-License-Identifier: Apache-2.0
// Taylor series of 1/r and what masses make of them, by recursion in any degree: no code, formula or convention of the library's
// moments and local expansions is in here.
//
// With a_k the derivative k of 1/r over k! = a! b! c!, Duan & Krasny (2001): n r^2 a_k + (2n - 1) sum_i x_i a_(k-i) + (n - 1)
// sum_i a_(k-2i) = 0, n = a + b + c.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gravlet::test {

/// x^a y^b z^c.
struct Power {
    int a, b, c;
    [[nodiscard]] constexpr int degree() const { return a + b + c; }
    [[nodiscard]] constexpr int along(int axis) const { return axis == 0 ? a : axis == 1 ? b : c; }
    [[nodiscard]] constexpr Power raised(int axis, int by = 1) const {
        return {a + (axis == 0 ? by : 0), b + (axis == 1 ? by : 0), c + (axis == 2 ? by : 0)};
    }
};

constexpr std::size_t powers_up_to(int degree) {
    return degree < 0 ? 0 : static_cast<std::size_t>((degree + 1) * (degree + 2) * (degree + 3) / 6);
}

/// All of degrees 0 to 6, those of lower degrees first.
struct AllPowers {
    static constexpr int highest = 6;
    std::array<Power, powers_up_to(highest)> list{};
    std::array<std::array<std::array<std::size_t, highest + 1>, highest + 1>, highest + 1> place{};

    constexpr AllPowers() {
        std::size_t n = 0;
        for (int degree = 0; degree <= highest; ++degree)
            for (int c = 0; c <= degree; ++c)
                for (int b = 0; b <= degree - c; ++b) {
                    list[n] = {degree - b - c, b, c};
                    place[static_cast<std::size_t>(degree - b - c)][static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] = n;
                    ++n;
                }
    }
    [[nodiscard]] constexpr std::size_t of(const Power& k) const {
        return place[static_cast<std::size_t>(k.a)][static_cast<std::size_t>(k.b)][static_cast<std::size_t>(k.c)];
    }
};
inline constexpr AllPowers powers;

/// Calls f(std::integral_constant<std::size_t, i>) for each of the first powers of degrees up to N.
template <int N, class F>
void for_powers(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>()), ...); }
    (std::make_index_sequence<powers_up_to(N)>());
}

constexpr double factorial_of(int n) { return n < 2 ? 1.0 : n * factorial_of(n - 1); }
constexpr double factorial_of(const Power& k) { return factorial_of(k.a) * factorial_of(k.b) * factorial_of(k.c); }

/// sum m s^k, every k up to degree N. 1/|x - s| = sum_k (-s)^k a_k(x).
template <int N>
using MassSeries = std::array<double, powers_up_to(N)>;

template <int N>
void add_mass(MassSeries<N>& series, double mass, double x, double y, double z) {
    std::array<std::array<double, N + 1>, 3> power{};
    for (std::size_t n = 0; n <= N; ++n)
        for (std::size_t axis = 0; axis < 3; ++axis)
            power[axis][n] = n == 0 ? 1.0 : power[axis][n - 1] * (axis == 0 ? x : axis == 1 ? y : z);
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Power k = powers.list[i];
        series[i] += mass * power[0][static_cast<std::size_t>(k.a)] * power[1][static_cast<std::size_t>(k.b)] *
                     power[2][static_cast<std::size_t>(k.c)];
    }
}

/// a_k at (x, y, z), every k up to degree N.
template <int N>
std::array<double, powers_up_to(N)> inverse_distance(double x, double y, double z) {
    std::array<double, powers_up_to(N)> a;
    const std::array<double, 3> r{x, y, z};
    const double r2 = x * x + y * y + z * z, over_r2 = 1.0 / r2;
    a[0] = 1.0 / std::sqrt(r2);
    for_powers<N>([&](auto i) {
        constexpr Power k = powers.list[i];
        if constexpr (i > 0) {
            double once = 0.0, twice = 0.0;
            const auto add = [&](auto axis) {
                if constexpr (k.along(axis) > 0) once += r[axis] * a[powers.of(k.raised(axis, -1))];
                if constexpr (k.along(axis) > 1) twice += a[powers.of(k.raised(axis, -2))];
            };
            add(std::integral_constant<int, 0>()), add(std::integral_constant<int, 1>()), add(std::integral_constant<int, 2>());
            constexpr double n = k.degree();
            a[i] = -over_r2 * ((2.0 - 1.0 / n) * once + (1.0 - 1.0 / n) * twice);
        }
    });
    return a;
}

/// A sum, its gradient, and the second derivatives xx, xy, xz, yy, yz, zz.
using Sums = std::array<double, 10>;

/// What the terms of one degree of a mass series do at (x, y, z) from its centre, with derivatives up to D.
template <int N, int D>
std::array<Sums, N + 1> field_by_degree(const MassSeries<N>& series, double x, double y, double z) {
    const auto a = inverse_distance<N + D>(x, y, z);
    std::array<Sums, N + 1> out{};
    for_powers<N>([&](auto i) {
        constexpr Power k = powers.list[i];
        constexpr std::size_t degree = static_cast<std::size_t>(k.degree());
        const double mass = degree % 2 == 0 ? series[i] : -series[i];
        Sums& sums = out[degree];
        sums[0] += mass * a[i];
        const auto once = [&](auto axis) {
            if constexpr (D > 0) sums[1 + axis] += mass * (k.along(axis) + 1) * a[powers.of(k.raised(axis))];
        };
        const auto twice = [&](auto first, auto second, std::size_t at) {
            if constexpr (D > 1) {
                constexpr Power up = k.raised(first), both = up.raised(second);
                constexpr double times = static_cast<double>((k.along(first) + 1) * (up.along(second) + 1));
                sums[at] += mass * times * a[powers.of(both)];
            }
        };
        constexpr std::integral_constant<int, 0> to_x;
        constexpr std::integral_constant<int, 1> to_y;
        constexpr std::integral_constant<int, 2> to_z;
        once(to_x), once(to_y), once(to_z);
        twice(to_x, to_x, 4), twice(to_x, to_y, 5), twice(to_x, to_z, 6), twice(to_y, to_y, 7), twice(to_y, to_z, 8),
            twice(to_z, to_z, 9);
    });
    return out;
}

/// A polynomial: the coefficient of each t^k up to degree N.
template <int N>
using Polynomial = std::array<double, powers_up_to(N)>;

/// What masses far away do near a place that is at (x, y, z) from their centre: what is of degree N at most in the masses' and
/// the place's distances together. With a_j(x + t) = sum_k binomial(k + j, k) a_(j+k)(x) t^k.
template <int N>
void add_far_masses(Polynomial<N>& sum, const MassSeries<N>& series, int highest, double x, double y, double z) {
    const auto a = inverse_distance<N>(x, y, z);
    for_powers<N>([&](auto of_place) {
        constexpr Power k = powers.list[of_place];
        for_powers<N - k.degree()>([&](auto of_mass) {
            constexpr Power j = powers.list[of_mass], both{k.a + j.a, k.b + j.b, k.c + j.c};
            constexpr double times =
                factorial_of(both) / (factorial_of(k) * factorial_of(j)) * (j.degree() % 2 == 0 ? 1.0 : -1.0);
            if (j.degree() <= highest) sum[of_place] += times * series[of_mass] * a[powers.of(both)];
        });
    });
}

/// Value and derivatives.
template <int N>
Sums value_of(const Polynomial<N>& polynomial, double x, double y, double z) {
    std::array<std::array<double, N + 1>, 3> power{};
    for (std::size_t n = 0; n <= N; ++n)
        for (std::size_t axis = 0; axis < 3; ++axis)
            power[axis][n] = n == 0 ? 1.0 : power[axis][n - 1] * (axis == 0 ? x : axis == 1 ? y : z);
    Sums sums{};
    const auto term = [&](const Power& k) {
        return k.a < 0 || k.b < 0 || k.c < 0 ? 0.0
                                             : power[0][static_cast<std::size_t>(k.a)] * power[1][static_cast<std::size_t>(k.b)] *
                                                   power[2][static_cast<std::size_t>(k.c)];
    };
    for (std::size_t i = 0; i < polynomial.size(); ++i) {
        const Power k = powers.list[i];
        sums[0] += polynomial[i] * term(k);
        std::size_t at = 4;
        for (int first = 0; first < 3; ++first) {
            const Power down = k.raised(first, -1);
            sums[1 + static_cast<std::size_t>(first)] += polynomial[i] * k.along(first) * term(down);
            for (int second = first; second < 3; ++second, ++at)
                sums[at] += polynomial[i] * k.along(first) * down.along(second) * term(down.raised(second, -1));
        }
    }
    return sums;
}

/// The same polynomial about a place that is at (x, y, z) from here.
template <int N>
Polynomial<N> moved(const Polynomial<N>& from, double x, double y, double z) {
    Polynomial<N> to{};
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Power k = powers.list[i];
        for (int a = 0; a <= k.a; ++a)
            for (int b = 0; b <= k.b; ++b)
                for (int c = 0; c <= k.c; ++c) {
                    const Power left{a, b, c}, gone{k.a - a, k.b - b, k.c - c};
                    to[powers.of(left)] += from[i] * factorial_of(k) / (factorial_of(left) * factorial_of(gone)) *
                                           std::pow(x, gone.a) * std::pow(y, gone.b) * std::pow(z, gone.c);
                }
    }
    return to;
}

/// How large the terms of degree n are at a distance s, as multiples of the constant: (s/R)^n for one mass at a distance R. The
/// full contraction of the tensor of derivatives with itself, which for 1/R is n! (2n - 1)!!/R^(2n + 2).
template <int N>
double share_of_degree(const Polynomial<N>& polynomial, int n, double s) {
    double square = 0.0, of_one = factorial_of(n);
    for (int odd = 3; odd < 2 * n; odd += 2) of_one *= odd;
    for (std::size_t i = powers_up_to(n - 1); i < powers_up_to(n); ++i) {
        const double derivative = polynomial[i] * factorial_of(powers.list[i]);
        square += factorial_of(n) / factorial_of(powers.list[i]) * derivative * derivative;
    }
    return std::sqrt(square / of_one) * std::pow(s, n) / polynomial[0];
}

}  // namespace gravlet::test
