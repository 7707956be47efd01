// SPDX-License-Identifier: Apache-2.0
// A function of a position with its first and second derivatives: numbers that carry them along.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace gravlet::combine {

using Vector = std::array<double, 3>;

/// second: xx, xy, xz, yy, yz, zz.
struct Jet {
    double value = 0.0;
    Vector gradient{};
    std::array<double, 6> second{};

    Jet() = default;
    Jet(double constant) : value(constant) {}
    static Jet variable(double value, std::size_t axis) {
        Jet jet(value);
        jet.gradient[axis] = 1.0;
        return jet;
    }

    Jet& operator+=(const Jet& b) {
        value += b.value;
        for (std::size_t i = 0; i < 3; ++i) gradient[i] += b.gradient[i];
        for (std::size_t i = 0; i < 6; ++i) second[i] += b.second[i];
        return *this;
    }
    Jet& operator*=(double factor) {
        value *= factor;
        for (double& g : gradient) g *= factor;
        for (double& s : second) s *= factor;
        return *this;
    }
};

inline Jet operator+(Jet a, const Jet& b) { return a += b; }
inline Jet operator*(double factor, Jet a) { return a *= factor; }
inline Jet operator-(Jet a) { return a *= -1.0; }
inline Jet operator-(const Jet& a, const Jet& b) { return a + -b; }

/// visit(k, i, j) for the pairs i <= j in the order of Jet::second.
template <class F>
void for_pairs(F visit) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j) visit(k++, i, j);
}

inline Jet operator*(const Jet& a, const Jet& b) {
    Jet out(a.value * b.value);
    for (std::size_t i = 0; i < 3; ++i) out.gradient[i] = a.value * b.gradient[i] + a.gradient[i] * b.value;
    for_pairs([&](std::size_t k, std::size_t i, std::size_t j) {
        out.second[k] =
            a.value * b.second[k] + a.second[k] * b.value + a.gradient[i] * b.gradient[j] + a.gradient[j] * b.gradient[i];
    });
    return out;
}

/// f(a), by f and its derivatives at a.value.
inline Jet chain(const Jet& a, double f, double f1, double f2) {
    Jet out(f);
    for (std::size_t i = 0; i < 3; ++i) out.gradient[i] = f1 * a.gradient[i];
    for_pairs([&](std::size_t k, std::size_t i, std::size_t j) {
        out.second[k] = f1 * a.second[k] + f2 * a.gradient[i] * a.gradient[j];
    });
    return out;
}

/// a to the power of -n/2.
inline Jet inverse_root(const Jet& a, int n = 1) {
    const double f = std::pow(a.value, -0.5 * n);
    return chain(a, f, -0.5 * n * f / a.value, 0.25 * n * (n + 2) * f / (a.value * a.value));
}
inline Jet square_root(const Jet& a) {
    const double f = std::sqrt(a.value);
    return chain(a, f, 0.5 / f, -0.25 / (f * a.value));
}
inline Jet logarithm(const Jet& a) { return chain(a, std::log(a.value), 1.0 / a.value, -1.0 / (a.value * a.value)); }

/// f of a distance |r|, and so on, by f, f'/r and (f'/r)'/r.
inline Jet radial(const Vector& r, double value, double slope, double bend) {
    Jet out(value);
    for (std::size_t i = 0; i < 3; ++i) out.gradient[i] = slope * r[i];
    for_pairs([&](std::size_t k, std::size_t i, std::size_t j) { out.second[k] = bend * r[i] * r[j] + (i == j ? slope : 0.0); });
    return out;
}

}  // namespace gravlet::combine
