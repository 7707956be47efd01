// SPDX-License-Identifier: Apache-2.0
// Closed form and multipole expansion of the homogeneous cuboid; see the header. The closed form adds terms of size d * l to
// get l^3/d, so that it loses (d/l)^2 of its digits: far away the expansion to l = 4 is both cheaper and more accurate.
#include "physics/cuboid/cuboid.hpp"

#include <algorithm>
#include <cstddef>

namespace gravlet {
namespace {

// In longest sides. The expansion's first term left out is below (1/60)^6 / 7 = 3e-12 there, the closed form loses 30^2 eps.
constexpr double far_distance = 30.0;

double dot(const Array3& a, const Array3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Integral of 1/r along a segment of length l whose ends are at distances r1 and r2.
double segment(double r1, double r2, double l) {
    const double sum = r1 + r2;
    return sum > l ? std::log1p(2.0 * l / (sum - l)) : 0.0;  // on the segment its weight is 0
}

struct Complex {
    double re, im;
};

// Half the solid angle of a triangle is the argument of this (van Oosterom & Strackee 1983); `triple` is |a . (b x c)|.
Complex half_angle(const Array3& a, const Array3& b, const Array3& c, double ra, double rb, double rc, double triple) {
    return {ra * rb * rc + dot(a, b) * rc + dot(a, c) * rb + dot(b, c) * ra, triple};
}

}  // namespace

namespace detail {

double cuboid_closed_form(double dx, double dy, double dz, double lx, double ly, double lz) {
    // Corner (i, j, k), seen from the target: (edge[0][i], edge[1][j], edge[2][k]).
    const Array3 side = {lx, ly, lz};
    const Array3 d = {std::abs(dx), std::abs(dy), std::abs(dz)};
    double edge[3][2];
    for (std::size_t a = 0; a < 3; ++a) {
        edge[a][0] = -0.5 * side[a] - d[a];
        edge[a][1] = 0.5 * side[a] - d[a];
    }
    Array3 corner[2][2][2];
    double r[2][2][2];
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 2; ++k) {
                corner[i][j][k] = {edge[0][i], edge[1][j], edge[2][k]};
                r[i][j][k] = std::sqrt(dot(corner[i][j][k], corner[i][j][k]));
            }
        }
    }

    double integral = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const double sign = i == j ? 1.0 : -1.0;
            integral += sign * edge[0][i] * edge[1][j] * segment(r[i][j][0], r[i][j][1], lz);
            integral += sign * edge[1][i] * edge[2][j] * segment(r[0][i][j], r[1][i][j], lx);
            integral += sign * edge[0][i] * edge[2][j] * segment(r[i][0][j], r[i][1][j], ly);
        }
    }
    for (std::size_t a = 0; a < 3; ++a) {
        const double area = side[(a + 1) % 3] * side[(a + 2) % 3];
        for (int s = 0; s < 2; ++s) {
            const auto at = [&](int u, int v) {
                return a == 0 ? std::array{s, u, v} : a == 1 ? std::array{v, s, u} : std::array{u, v, s};
            };
            const auto triangle = [&](std::array<int, 3> p, std::array<int, 3> q, std::array<int, 3> t) {
                return half_angle(corner[p[0]][p[1]][p[2]], corner[q[0]][q[1]][q[2]], corner[t[0]][t[1]][t[2]],
                                  r[p[0]][p[1]][p[2]], r[q[0]][q[1]][q[2]], r[t[0]][t[1]][t[2]], std::abs(edge[a][s]) * area);
            };
            const Complex first = triangle(at(0, 0), at(1, 0), at(1, 1));
            const Complex second = triangle(at(0, 0), at(1, 1), at(0, 1));
            // Half the solid angle of the face: both arguments added by one atan2 (at most pi, in the face itself).
            const double half =
                std::atan2(first.re * second.im + first.im * second.re, first.re * second.re - first.im * second.im);
            integral -= (s == 0 ? -1.0 : 1.0) * edge[a][s] * std::abs(edge[a][s]) * half;
        }
    }
    return -integral;
}

double cuboid_multipoles(double dx, double dy, double dz, double lx, double ly, double lz) {
    const Array3 d2 = {dx * dx, dy * dy, dz * dz};
    const double r2 = d2[0] + d2[1] + d2[2];
    const Array3 n2 = {d2[0] / r2, d2[1] / r2, d2[2] / r2};                                           // squared direction cosines
    const Array3 s = {lx * lx / 12.0, ly * ly / 12.0, lz * lz / 12.0};                                // <x^2>
    const Array3 q = {lx * lx * lx * lx / 80.0, ly * ly * ly * ly / 80.0, lz * lz * lz * lz / 80.0};  // <x^4>
    const double trace = s[0] + s[1] + s[2];

    const double l2 = 0.5 * (3.0 * dot(s, n2) - trace);
    double quartic = 0.0, mixed = 0.0, trace4 = 0.0;  // <(x.n)^4>, <r^2 (x.n)^2>, <r^4>
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        quartic += n2[i] * n2[i] * q[i] + 6.0 * n2[i] * n2[j] * s[i] * s[j];
        mixed += n2[i] * (q[i] + s[i] * (trace - s[i]));
        trace4 += q[i] + 2.0 * s[i] * s[j];
    }
    const double l4 = (35.0 * quartic - 30.0 * mixed + 3.0 * trace4) / 8.0;
    return -lx * ly * lz / std::sqrt(r2) * (1.0 + (l2 + l4 / r2) / r2);
}

}  // namespace detail

double cuboid_potential(double dx, double dy, double dz, double lx, double ly, double lz) {
    const double reach = far_distance * std::max({lx, ly, lz});
    if (dx * dx + dy * dy + dz * dz > reach * reach) {
        return detail::cuboid_multipoles(dx, dy, dz, lx, ly, lz);
    }
    return detail::cuboid_closed_form(dx, dy, dz, lx, ly, lz);
}

}  // namespace gravlet
