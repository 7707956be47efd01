// SPDX-License-Identifier: Apache-2.0
// The step that the pulls on a solve's targets allow, for the report: the shortest sqrt(h/|a|), where h is the shortest side of a
// cell or the softening length of a point, in the caller's units. A host takes its own part of it (Power et al. 2003).
#pragma once

#include "solver/data/results.hpp"

#include <cmath>

namespace gravlet {

/// Square of a body's step; infinite where it has no length, or nothing pulls it.
GRAVLET_HD inline double step_squared(double length, double x, double y, double z) {
    const double a = sqrt(x * x + y * y + z * z);
    return length > 0.0 && a > 0.0 ? length / a : INFINITY;
}

/// Local. The shortest step of these bodies, of those that are active, once they have their sums. `input` is in the backend's
/// memory.
template <class Exec>
double shortest_step(const Exec& exec, const GivenBodies& input, const Frame& frame, const Options& options, TargetSet<Exec>& b) {
    const double length = frame.unit, pull = ResultUnits(frame, options).of_degree[1];
    const SumArrays sums = b.sum_arrays();
    const float* const sizes = b.sizes.data();
    const cell_index* const order = b.order.data();
    const WalkedFor walked = b.walked_for();
    return sqrt(transform_reduce(
        exec, walked.count,
        [=] GRAVLET_HD(std::size_t number) {
            const std::size_t i = walked[number];
            if (i == WalkedFor::nobody || is_mark(sizes[i]) || !input.active(order[i])) return double{INFINITY};
            return step_squared(sizes[i] * length, pull * sums.of[1][i], pull * sums.of[2][i], pull * sums.of[3][i]);
        },
        double{INFINITY}, [] GRAVLET_HD(double p, double q) { return p < q ? p : q; }));
}

}  // namespace gravlet
