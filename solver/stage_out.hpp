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
    double potential, field, G;
    bool self_potential;  ///< of cells is added

    ResultUnits(const Frame& frame, const Options& options)
        : potential(options.G * frame.mass_unit / frame.unit),
          field(potential / frame.unit),
          G(options.G),
          self_potential(options.self_potential) {}
};

/// A cell's own potential, G included. Without mass it is 0, not -0.
GRAVLET_HD inline double self_potential(const Body& cell, double G) {
    return G * cell.mass * cuboid_self_potential(cell.dx, cell.dy, cell.dz) + 0.0;
}

/// What one body's sums (physics/multipole.inl) come to: the one place where they become potentials, and turn their sign.
GRAVLET_HD inline Result to_result(const Body& body, bool is_point, double sum, const Vector3& field, const ResultUnits& units) {
    const double own = units.self_potential && !is_point ? self_potential(body, units.G) : 0.0;
    return {-units.potential * sum + own, {units.field * field.x, units.field * field.y, units.field * field.z}};
}

/// What stage_out() does for sorted body s. Not a lambda: nvcc's wrapper of those allocates, and nothing may fail here any more.
struct WriteResult {
    Input input;
    ResultUnits units;
    bool acceleration;
    const cell_index* order;
    const double *potential, *x, *y, *z;

    GRAVLET_HD void operator()(std::size_t s) const {
        const Vector3 field = acceleration ? Vector3{x[s], y[s], z[s]} : Vector3{};
        const std::size_t i = order[s];
        if (!input.active(i)) return;
        const Result result = to_result(input.body(i), input.is_point(i), potential[s], field, units);
        input.store(i, result.potential, result.acceleration);
    }
};

/// Local. Active targets only. Allocates nothing.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& b) {
    for_each(exec, b.count,
             WriteResult{input, ResultUnits(frame, options), frame.acceleration, b.order.data(), b.potential.data(),
                         b.field[0].data(), b.field[1].data(), b.field[2].data()});
}

}  // namespace gravlet
