// SPDX-License-Identifier: Apache-2.0
// From sums in solver units back to the caller's units, order and memory.
#pragma once

#include "solver/bodies.hpp"
#include "solver/cuboid.hpp"
#include "solver/input.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// A result in the caller's units.
struct Result {
    double potential;
    Point3 acceleration;
};

/// A cell's own potential, G included; 0 for points.
GRAVLET_HD inline double self_potential(const Body& cell, bool is_point, const Options& options) {
    if (!options.self_potential || is_point) return 0.0;
    return options.G * cell.mass * cuboid_self_potential(cell.dx, cell.dy, cell.dz);
}

/// What one body's sums (sum m/r and its gradient, solver units) come to.
GRAVLET_HD inline Result to_result(const Body& body, bool is_point, double sum, const Point3& field, const Frame& frame,
                                   const Options& options) {
    const double unit = options.G * frame.mass_unit / frame.side;
    const double field_unit = unit / frame.side;
    return {-unit * sum + self_potential(body, is_point, options),
            {field_unit * field.x, field_unit * field.y, field_unit * field.z}};
}

/// Local. Active targets only.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& b) {
    const cell_index* const order = b.order.data();
    const double* const potential = b.potential.data();
    const double *const x = b.field[0].data(), *const y = b.field[1].data(), *const z = b.field[2].data();
    for_each(exec, b.count, [=] GRAVLET_HD(std::size_t s) {
        const Point3 field = frame.acceleration ? Point3{x[s], y[s], z[s]} : Point3{};
        const std::size_t i = order[s];
        if (!input.active(i)) return;
        const Result result = to_result(input.body(i), input.is_point(i), potential[s], field, frame, options);
        input.store(i, result.potential, result.acceleration);
    });
}

}  // namespace gravlet
