// SPDX-License-Identifier: Apache-2.0
#include "levels.hpp"

#include <algorithm>
#include <cmath>

namespace core_collapse {

namespace {

/// The difference of neighbours, one-sided at the block's faces; if `limited`, at most the value itself.
double slope(const Field& field, const Index3& cell, std::size_t axis, bool limited) {
    Index3 left = cell, right = cell;
    left[axis] = std::max(cell[axis] - 1, 0);
    right[axis] = std::min(cell[axis] + 1, n - 1);
    const double here = field[offset(cell)], most = 0.9 * std::abs(here);
    const double found = (field[offset(right)] - field[offset(left)]) / (right[axis] - left[axis]);
    return limited ? std::clamp(found, -most, most) : found;
}

void refine_field(const Field& from, int child, Field& to, bool limited) {
    for_each_cell([&](const Index3& fine) {
        Index3 coarse;
        for (std::size_t axis = 0; axis < 3; ++axis) coarse[axis] = fine[axis] / 2 + (child >> axis & 1) * (n / 2);
        double value = from[offset(coarse)];
        for (std::size_t axis = 0; axis < 3; ++axis)
            value += (fine[axis] % 2 == 0 ? -0.25 : 0.25) * slope(from, coarse, axis, limited);
        to[offset(fine)] = value;
    });
}

void coarsen_field(const Field& from, int child, Field& to) {
    const auto place = [&](const Index3& fine) {
        Index3 coarse;
        for (std::size_t axis = 0; axis < 3; ++axis) coarse[axis] = fine[axis] / 2 + (child >> axis & 1) * (n / 2);
        return offset(coarse);
    };
    for_each_cell([&](const Index3& fine) { to[place(fine)] = 0.0; });
    for_each_cell([&](const Index3& fine) { to[place(fine)] += 0.125 * from[offset(fine)]; });
}

}  // namespace

void refine_block(const State& parent, int child, State& out) {
    for (std::size_t f = 0; f < 4; ++f) refine_field(parent.gas[f], child, out.gas[f], f == 0);
    for (std::size_t f = 0; f < 3; ++f) refine_field(parent.acceleration[f], child, out.acceleration[f], false);
}

void coarsen_block(const State& child_state, int child, State& out) {
    for (std::size_t f = 0; f < 4; ++f) coarsen_field(child_state.gas[f], child, out.gas[f]);
    for (std::size_t f = 0; f < 3; ++f) coarsen_field(child_state.acceleration[f], child, out.acceleration[f]);
}

}  // namespace core_collapse
