// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/bounds.hpp"

#include "physics/precise/full_moments.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet::combine {
namespace {

/// Of the tree, by the order of its nodes at theta 1.
constexpr std::array<double, 3> of_order(int order) {
    if (order <= 1) return {0.08, 0.25, 0.8};
    if (order == 2) return {0.008, 0.03, 0.15};
    if (order == 3) return {0.004, 0.02, 0.12};
    return {0.002, 0.012, 0.08};
}

/// What an order beyond 4 takes off that, at worst: few bodies in the corners of nodes.
double beyond_four(double theta, int order) { return std::pow(0.7 * theta, std::max(0, full_order(order) - 4)); }

}  // namespace

Bounds bounds_of(const Case& c) {
    const Options& o = c.options;
    Bounds bounds;
    const bool direct = o.theta == 0.0;
    const bool acceleration = c.cells_want.acceleration || c.points_want.acceleration;
    const bool periodic = is_periodic(o);
    if (direct) {
        bounds.of_sizes = {1e-12, 1e-12, 1e-12};
    } else {
        const Options taken = resolved(o, acceleration);
        // The table's correction knows of a node its mass alone.
        const bool mass_alone = periodic && o.periodic_method == PeriodicMethod::table;
        const int order = mass_alone ? std::min(taken.order, 2) : taken.order;
        const bool in_double = o.precision == Precision::double_;
        bounds.of_sizes = of_order(o.tolerance > 0.0 ? 2 : order);
        const double theta = o.tolerance > 0.0 || is_adaptive(o) ? 1.0 : taken.theta;
        for (std::size_t d = 0; d < 3; ++d)
            bounds.of_sizes[d] =
                std::max({bounds.of_sizes[d] * std::pow(theta, order <= 1 || mass_alone ? 2 : 3) * beyond_four(theta, order),
                          (in_double ? 3e-13 : 4e-5) * std::pow(10.0, d), std::array{4.0, 4.0, 20.0}[d] * o.tolerance});
    }
    if (periodic && !direct && o.periodic_method == PeriodicMethod::images) {
        // Of what one mass does to another across a piece of the box they measure 4e-5, 7e-4 and 1e-2 (docs/algorithm.md).
        const bool in_double = o.precision == Precision::double_;
        const std::array least = in_double ? std::array{3e-11, 2e-10, 3e-9} : std::array{1e-4, 2e-3, 3e-2};
        for (std::size_t d = 0; d < 3; ++d) bounds.of_sizes[d] = std::max(bounds.of_sizes[d], least[d]);
        bounds.of_far = in_double ? std::array{3e-11, 3e-10, 1e-8} : std::array{4e-5, 3e-3, 0.6};
        bounds.of_depth = 6e-9;  // measured: 2.4e-9
    }
    if (periodic && (direct || o.periodic_method == PeriodicMethod::table)) {
        const double coarser = std::max(1.0, 24.0 / o.ewald_nodes);
        for (std::size_t d = 0; d < 3; ++d)
            bounds.of_far[d] = std::pow(24.0, 5 - o.ewald_order) * std::pow(coarser, o.ewald_order + 1 - static_cast<double>(d)) *
                               std::array{1e-7, 1e-5, 2e-3}[d];
    }
    if (c.layout.float_results || o.backend == Backend::gpu)
        for (double& b : bounds.of_sizes) b = std::max(b, 3e-7);
    return bounds;
}

}  // namespace gravlet::combine
