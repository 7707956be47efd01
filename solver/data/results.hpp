// SPDX-License-Identifier: Apache-2.0
// What sums come to as results: the one place where they become potentials, and turn their sign.
#pragma once

#include "physics/cuboid/cuboid.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// What sums in solver units come to in the caller's.
struct ResultUnits {
    double of_degree[max_derivatives + 1];  ///< units of the fields, by the number of derivatives
    double G;
    bool self_potential;  ///< whether the self potential of cells is added

    ResultUnits(const Frame& frame, const Options& options)
        : of_degree{options.G * frame.mass_unit / frame.unit}, G(options.G), self_potential(options.self_potential) {
        for (int d = 1; d <= max_derivatives; ++d) of_degree[d] = of_degree[d - 1] / frame.unit;
    }
};

/// A cell's own potential, G included, from that of mass 1. Without mass it is 0, not -0.
GRAVLET_HD inline double self_potential(double mass, double of_one, double G) { return G * mass * of_one + 0.0; }
GRAVLET_HD inline double self_potential(const Body& cell, double G) {
    return self_potential(cell.mass, cuboid_self_potential(cell.dx, cell.dy, cell.dz), G);
}

/// What component k of one body's sums (physics/multipole.inl) comes to. own(): its own potential.
template <class Own>
GRAVLET_HD double to_result(std::size_t k, double sum, Own own, const ResultUnits& units) {
    return k == 0 ? -units.of_degree[0] * sum + own() : units.of_degree[derivatives_of(k)] * sum;
}

/// All results of a body. sum(k) is component k of its sums.
template <class Sum>
Result to_results(const Body& body, bool is_point, int derivatives, Sum sum, const ResultUnits& units) {
    const auto own = [&] { return units.self_potential && !is_point ? self_potential(body, units.G) : 0.0; };
    Result result;
    for (std::size_t k = 0; k < component_count(derivatives); ++k) result.component[k] = to_result(k, sum(k), own, units);
    return result;
}

}  // namespace gravlet
