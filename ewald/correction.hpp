// SPDX-License-Identifier: Apache-2.0
// The Ewald correction at a displacement: what all images but the nearest add to 1/r, from a table. Host and device. With
// softening there are two tables of one layout, the other is of 1/sqrt(r^2 + softening^2).
//
// The table holds the Taylor polynomial at each node of nested grids; a displacement takes that of the nearest node, and its
// derivatives are those of the same polynomial. Symmetric, so one octant; but of a sheared box, which is so in x and y together,
// two, of either sign of y. Level 0 holds |R_d| <= 1/2 of the shortest period, each further one is twice as large and twice as
// coarse: all images but the nearest are at least as far away as that one, so that the correction is as much smoother. In a
// sheared box one that is half a period away in x may be anywhere in y: a level that reaches as far holds all of y.
#pragma once

#include "physics/multipole.hpp"

#include <cmath>

namespace gravlet {

inline constexpr int ewald_degree = 5;  ///< degree of the polynomials as they are stored; lower orders have zeros
inline constexpr int ewald_terms = (ewald_degree + 1) * (ewald_degree + 2) * (ewald_degree + 3) / 6;
inline constexpr int max_ewald_levels = 12;

/// Lengths in units of the shortest period.
struct EwaldView {
    struct Level {
        double inverse_spacing[3], spacing[3];
        int last[3];  ///< node of each direction
        int below;    ///< nodes of negative y
        std::uint32_t first;
    };
    const double* polynomials = nullptr;  ///< ewald_terms a node
    const double* softened = nullptr;     ///< polynomials of softened sums; without softening the same
    Level level[max_ewald_levels] = {};
    int levels = 0;
    double period[3] = {};  ///< 0: isolated
    double shear = 0.0;
    double limit = 0.0;  ///< end of the table in isolated directions; the sum has its asymptotic form beyond
    int dimensions = 0;
    double measure = 1.0;  ///< product of the periods
    double softening = 0.0;
};

/// Correction beyond the table: that of an even plane or line of mass, less the 1/r of the nearest image.
template <int D>
GRAVLET_HD Jet<double, D> far_correction(const EwaldView& view, double x, double y, double z, double softening) {
    constexpr double two_pi = 6.283185307179586;
    const double softening2 = softening * softening;
    const double r_inverse = 1.0 / sqrt(x * x + y * y + z * z + softening2), r3 = r_inverse * r_inverse * r_inverse;
    Jet<double, D> f{};
    f.term[0] = -r_inverse;
    add_central(f, x, y, z, -r3, -3.0 * r3, r_inverse);
    const double r[3] = {view.period[0] > 0.0 ? 0.0 : x, view.period[1] > 0.0 ? 0.0 : y, view.period[2] > 0.0 ? 0.0 : z};
    const double distance = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + softening2);
    const bool plane = view.dimensions == 2;
    const double slope = plane ? -two_pi / view.measure : -2.0 / (view.measure * distance);
    f.term[0] += plane ? slope * distance : -2.0 / view.measure * log(distance / view.measure);
    for (int i = 0; i < 3; ++i) f.term[1 + i] += slope * r[i] / distance;
    if constexpr (D > 1) {
        const double bend = -(plane ? slope : 2.0 * slope) / distance;  // of x_i x_j / distance^2
        std::size_t k = first_component(2);
        for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++k) {
                f.term[k] += bend * (r[i] / distance) * (r[j] / distance);
                if (i == j && view.period[i] == 0.0) f.term[k] += slope / distance;
            }
    }
    return f;
}

/// The polynomial of a node of the table, and its derivatives.
template <int D>
GRAVLET_HD GRAVLET_INLINE Jet<double, D> polynomial_at(const double* polynomial, double x, double y, double z) {
    return evaluate_polynomial<ewald_degree, 0, D>(x, y, z,
                                                   [polynomial](auto k) { return polynomial[local_index(k.a, k.b, k.c)]; });
}
/// polynomial_at(), not inline: a device's kernels that have it in several places are long, and take minutes to compile.
template <int D>
GRAVLET_HD GRAVLET_NOINLINE Jet<double, D> called_polynomial_at(const double* polynomial, double x, double y, double z) {
    return polynomial_at<D>(polynomial, x, y, z);
}

/// Value and derivatives at a displacement in the nearest image (|R_d| at most half a period), of a pair that is softened or not.
/// Called: see called_polynomial_at().
template <int D = 1, bool Called = false>
GRAVLET_HD Jet<double, D> ewald_correction(const EwaldView& view, double x, double y, double z, bool softened) {
    const bool negative[3] = {x < 0.0, view.shear == 0.0 ? y < 0.0 : x < 0.0, z < 0.0};
    const double r[3] = {fabs(x), negative[1] ? -y : y, fabs(z)};
    double largest = 0.0;
    for (int d = 0; d < 3; ++d) {
        double far = fabs(r[d]);
        if (view.period[d] == 0.0 && far > view.limit) return far_correction<D>(view, x, y, z, softened ? view.softening : 0.0);
        if (d == 1 && view.shear != 0.0) far = fmin(far, 0.5 * view.period[0]);
        largest = far > largest ? far : largest;
    }
    int level = 0;
    for (double reach = 0.5; reach < largest && level < view.levels - 1; reach *= 2.0) ++level;
    const EwaldView::Level& grid = view.level[level];
    int node[3];
    double u[3];
    for (int d = 0; d < 3; ++d) {
        const int zero = d == 1 ? grid.below : 0;
        node[d] = static_cast<int>(r[d] * grid.inverse_spacing[d] + (zero + 0.5));  // NOLINT(bugprone-incorrect-roundings): >= 0
        if (node[d] > grid.last[d]) node[d] = grid.last[d];
        u[d] = r[d] - (node[d] - zero) * grid.spacing[d];
    }
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    const std::size_t index =
        grid.first + (count(node[2]) * count(grid.last[1] + 1) + count(node[1])) * count(grid.last[0] + 1) + count(node[0]);
    const double* const polynomial = (softened ? view.softened : view.polynomials) + index * ewald_terms;
    Jet<double, D> f =
        Called ? called_polynomial_at<D>(polynomial, u[0], u[1], u[2]) : polynomial_at<D>(polynomial, u[0], u[1], u[2]);
    for (int i = 0; i < 3; ++i) f.term[1 + i] = negative[i] ? -f.term[1 + i] : f.term[1 + i];
    if constexpr (D > 1) {
        std::size_t k = first_component(2);
        for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++k) f.term[k] = negative[i] != negative[j] ? -f.term[k] : f.term[k];
    }
    return f;
}

}  // namespace gravlet
