// SPDX-License-Identifier: Apache-2.0
// From sums in solver units back to the caller's units, order and memory.
#pragma once

#include "physics/cuboid.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/input.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// What sums in solver units come to in the caller's.
struct ResultUnits {
    double of_degree[max_derivatives + 1];  ///< by the number of derivatives
    double G;
    bool self_potential;  ///< of cells is added

    ResultUnits(const Frame& frame, const Options& options)
        : of_degree{options.G * frame.mass_unit / frame.unit}, G(options.G), self_potential(options.self_potential) {
        for (int d = 1; d <= max_derivatives; ++d) of_degree[d] = of_degree[d - 1] / frame.unit;
    }
};

/// A cell's own potential, G included. Without mass it is 0, not -0.
GRAVLET_HD inline double self_potential(const Body& cell, double G) {
    return G * cell.mass * cuboid_self_potential(cell.dx, cell.dy, cell.dz) + 0.0;
}

/// What one body's sums (physics/multipole.inl; sum(k) is component k) come to: the one place where they become potentials, and
/// turn their sign.
template <class Sum>
GRAVLET_HD Result to_result(const Body& body, bool is_point, int derivatives, Sum sum, const ResultUnits& units) {
    const double own = units.self_potential && !is_point ? self_potential(body, units.G) : 0.0;
    Result result;
    result.component[0] = -units.of_degree[0] * sum(0) + own;
    for (int d = 1; d <= derivatives; ++d)
        for (std::size_t k = first_component(d); k < component_count(d); ++k) result.component[k] = units.of_degree[d] * sum(k);
    return result;
}

/// What stage_out() does for sorted body s. Not a lambda: nvcc's wrapper of those allocates, and nothing may fail here any more.
struct WriteResult {
    Input input;
    ResultUnits units;
    int derivatives;
    const cell_index* order;
    SumArrays sums;

    GRAVLET_HD void operator()(std::size_t s) const {
        const std::size_t i = order[s];
        if (!input.active(i)) return;
        const auto sum = [this, s](std::size_t k) { return sums.of[k][s]; };
        input.store(i, to_result(input.body(i), input.is_point(i), derivatives, sum, units).component);
    }
};

/// Local. Active targets only. Allocates nothing.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& b) {
    for_each(exec, b.count, WriteResult{input, ResultUnits(frame, options), frame.derivatives, b.order.data(), b.sum_arrays()});
}

}  // namespace gravlet
