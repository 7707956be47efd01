// SPDX-License-Identifier: Apache-2.0
// The Ewald correction at a displacement: what all images but the nearest add to 1/r, from a table. Host and device. With
// softening there are two tables of one layout, the other is of 1/sqrt(r^2 + softening^2).
//
// The table holds the Taylor polynomial at each node of nested grids; a displacement takes that of the nearest node, and its
// derivatives are those of the same polynomial. Symmetric, so one octant. Level 0 holds |R_d| <= 1/2 of the shortest period, each
// further one is twice as large and twice as coarse: all images but the nearest are at least as far away as that one, so that the
// correction is as much smoother.
#pragma once

#include "physics/multipole.hpp"

#include <cmath>

namespace gravlet {

inline constexpr int ewald_degree = 5;  ///< of the polynomials as they are stored; lower orders have zeros
inline constexpr int ewald_terms = (ewald_degree + 1) * (ewald_degree + 2) * (ewald_degree + 3) / 6;
inline constexpr int max_ewald_levels = 12;

/// Lengths in units of the shortest period.
struct EwaldView {
    struct Level {
        double inverse_spacing[3], spacing[3];
        int last[3];  ///< node of each direction
        std::uint32_t first;
    };
    const double* polynomials = nullptr;  ///< ewald_terms a node
    const double* softened = nullptr;     ///< likewise; without softening the same
    Level level[max_ewald_levels] = {};
    int levels = 0;
    double period[3] = {};  ///< 0: isolated
    double limit = 0.0;     ///< of the table in isolated directions; the sum has its asymptotic form beyond
    int dimensions = 0;
    double measure = 1.0;  ///< product of the periods
    double softening = 0.0;
};

/// Beyond the table: an even plane or line of mass, less the 1/r of the nearest image.
GRAVLET_HD inline Polynomial<double> far_correction(const EwaldView& view, double x, double y, double z, double softening) {
    constexpr double two_pi = 6.283185307179586;
    const double softening2 = softening * softening;
    const double r_inverse = 1.0 / sqrt(x * x + y * y + z * z + softening2), r3 = r_inverse * r_inverse * r_inverse;
    Polynomial<double> f{-r_inverse, x * r3, y * r3, z * r3};
    const double r[3] = {view.period[0] > 0.0 ? 0.0 : x, view.period[1] > 0.0 ? 0.0 : y, view.period[2] > 0.0 ? 0.0 : z};
    const double distance = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + softening2);
    const double slope = view.dimensions == 2 ? -two_pi / view.measure : -2.0 / (view.measure * distance);
    f.value += view.dimensions == 2 ? slope * distance : -2.0 / view.measure * log(distance / view.measure);
    f.x += slope * r[0] / distance, f.y += slope * r[1] / distance, f.z += slope * r[2] / distance;
    return f;
}

/// Value and gradient at a displacement in the nearest image (|R_d| at most half a period), of a pair that is softened or not.
GRAVLET_HD inline Polynomial<double> ewald_correction(const EwaldView& view, double x, double y, double z, bool softened) {
    const double r[3] = {fabs(x), fabs(y), fabs(z)};
    double largest = 0.0;
    for (int d = 0; d < 3; ++d) {
        if (view.period[d] == 0.0 && r[d] > view.limit) return far_correction(view, x, y, z, softened ? view.softening : 0.0);
        largest = r[d] > largest ? r[d] : largest;
    }
    int level = 0;
    for (double reach = 0.5; reach < largest && level < view.levels - 1; reach *= 2.0) ++level;
    const EwaldView::Level& grid = view.level[level];
    int node[3];
    double u[3];
    for (int d = 0; d < 3; ++d) {
        node[d] = static_cast<int>(r[d] * grid.inverse_spacing[d] + 0.5);
        if (node[d] > grid.last[d]) node[d] = grid.last[d];
        u[d] = r[d] - node[d] * grid.spacing[d];
    }
    const std::size_t index =
        grid.first + (static_cast<std::size_t>(node[2]) * (grid.last[1] + 1) + node[1]) * (grid.last[0] + 1) + node[0];
    const double* const polynomial = (softened ? view.softened : view.polynomials) + index * ewald_terms;
    Polynomial<double> f = evaluate_polynomial<ewald_degree, 0, true>(
        u[0], u[1], u[2], [polynomial](auto k) { return polynomial[local_index(k.a, k.b, k.c)]; });
    f.x = x < 0.0 ? -f.x : f.x, f.y = y < 0.0 ? -f.y : f.y, f.z = z < 0.0 ? -f.z : f.z;
    return f;
}

}  // namespace gravlet
