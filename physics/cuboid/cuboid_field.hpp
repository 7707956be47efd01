// SPDX-License-Identifier: Apache-2.0
// The field of a homogeneous cuboid anywhere: sum m/r and its derivatives, in one go. The integral of 1/r is a logarithm for each
// edge and a solid angle for each face (MacMillan 1930), and so are its derivatives, since what derivatives do to these cancels.
// Lengths of a few sides: farther away it loses digits (physics/cuboid/cuboid.cpp).
#pragma once

#include "physics/multipole.hpp"
#include "physics/types.hpp"

#include <cmath>

namespace gravlet {

namespace detail {

/// Integral of 1/r along an edge of length l whose ends are at distances r1 and r2. On the edge itself its weight is 0, but in
/// the second derivatives, which have no value there.
[[nodiscard]] GRAVLET_HD inline double edge_integral(double r1, double r2, double l) {
    const double beyond = r1 + r2 - l;
    return beyond > 0.0 ? log1p(2.0 * l / beyond) : 0.0;
}

/// atan(n1/d1) - atan(n2/d2), by one arc tangent; d >= 0.
[[nodiscard]] GRAVLET_HD inline double angle_between(double n1, double d1, double n2, double d2) {
    const double y = n1 * d2 - n2 * d1, x = d1 * d2 + n1 * n2;
    return y == 0.0 && x == 0.0 ? 0.0 : atan2(y, x);
}

}  // namespace detail

/// Sum m/r and its derivatives by the target's position, of a cuboid of mass 1 and sides l, at displacement d from its centre.
template <int D>
[[nodiscard]] GRAVLET_HD Jet<double, D> cuboid_field(const Vector3& d, const Vector3& l) {
    const double side[3] = {l.x, l.y, l.z}, to[3] = {d.x, d.y, d.z};
    double at[3][2];  // of the faces, seen from the target
    for (int a = 0; a < 3; ++a) at[a][0] = -0.5 * side[a] - to[a], at[a][1] = 0.5 * side[a] - to[a];
    double r[2][2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k) r[i][j][k] = sqrt(at[0][i] * at[0][i] + at[1][j] * at[1][j] + at[2][k] * at[2][k]);
    double value = 0.0, first[3] = {0.0, 0.0, 0.0}, diagonal[3] = {0.0, 0.0, 0.0}, mixed[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; ++a) {  // edges along a, between faces of b and c
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const auto distance = [&](int of_a, int of_b, int of_c) {
            return a == 0 ? r[of_a][of_b][of_c] : a == 1 ? r[of_c][of_a][of_b] : r[of_b][of_c][of_a];
        };
        for (int s = 0; s < 2; ++s) {
            for (int t = 0; t < 2; ++t) {
                const double sign = s == t ? 1.0 : -1.0;
                const double edge = sign * detail::edge_integral(distance(0, s, t), distance(1, s, t), side[a]);
                value += at[b][s] * at[c][t] * edge;
                first[b] -= at[c][t] * edge;
                first[c] -= at[b][s] * edge;
                mixed[a] += edge;
            }
            // The solid angle of the face of direction a.
            const double to_face = at[a][s], away = fabs(to_face);
            const auto corner = [&](int of_b, int of_c) { return away * distance(s, of_b, of_c); };
            const double angle = detail::angle_between(at[b][1] * at[c][1], corner(1, 1), at[b][1] * at[c][0], corner(1, 0)) -
                                 detail::angle_between(at[b][0] * at[c][1], corner(0, 1), at[b][0] * at[c][0], corner(0, 0));
            const double sign = (s == 0) == (to_face < 0.0) ? 1.0 : -1.0;  // outward
            value -= 0.5 * sign * away * away * angle;
            first[a] += sign * away * (to_face < 0.0 ? -1.0 : 1.0) * angle;
            if (away > 0.0) diagonal[a] -= sign * angle;
        }
    }
    const double density = 1.0 / (l.x * l.y * l.z);
    Jet<double, D> out{};
    out.term[0] = density * value;
    if constexpr (D > 0)
        for (std::size_t a = 0; a < 3; ++a) out.term[first_component(1) + a] = density * first[a];
    if constexpr (D > 1) {
        // mixed[a] is the derivative by both other directions. Order: xx, xy, xz, yy, yz, zz.
        const double second[6] = {diagonal[0], mixed[2], mixed[1], diagonal[1], mixed[0], diagonal[2]};
        for (std::size_t k = 0; k < 6; ++k) out.term[first_component(2) + k] = density * second[k];
    }
    return out;
}

}  // namespace gravlet
