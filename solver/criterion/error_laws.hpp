// SPDX-License-Identifier: Apache-2.0
// What solves err by, by order and angle: measured (docs/notebook/2026-11-accuracy.md, "Tolerance").
#pragma once

#include <array>
#include <cmath>

namespace gravlet {

/// How one order errs: at an angle x, 99% of the targets err by error x^power at most.
struct OrderLaw {
    int order;
    double error, power;
};
[[nodiscard]] inline double error_at(const OrderLaw& law, double angle) { return law.error * std::pow(angle, law.power); }

/// Orders 1 and 3 are nowhere the cheapest by more than a little.
using Laws = std::array<OrderLaw, 3>;

inline constexpr Laws fields_of_points = {{{0, 3.6e-3, 2.0}, {2, 1.3e-3, 2.95}, {4, 2.1e-4, 4.85}}};
inline constexpr Laws fields_of_cells = {{{0, 2.5e-3, 2.2}, {2, 5.0e-4, 3.4}, {4, 1.7e-4, 4.7}}};
/// Error laws of potentials: order 0 as clustered points and lumpy meshes have them: others err by as little as a tenth.
inline constexpr Laws potentials_of_points = {{{0, 7.0e-4, 1.65}, {2, 5.0e-5, 2.6}, {4, 1.7e-6, 3.1}}};
inline constexpr Laws potentials_of_cells = {{{0, 5.0e-4, 2.1}, {2, 3.6e-5, 2.65}, {4, 2.0e-6, 2.7}}};
/// Error laws at the alpha of an angle.
inline constexpr Laws adaptive_fields_of_points = {{{0, 6.0e-3, 0.45}, {2, 6.5e-4, 1.5}, {4, 1.0e-4, 2.65}}};
inline constexpr Laws adaptive_fields_of_cells = {{{0, 4.5e-3, 0.6}, {2, 3.5e-4, 2.0}, {4, 6.0e-5, 3.3}}};

}  // namespace gravlet
