// SPDX-License-Identifier: Apache-2.0
// Where a block becomes eight, or eight become one: mass and momentum are kept. Accelerations are left to the next solve. Bit d
// of `child` says whether it is the upper one in direction d.
#pragma once

#include "block.hpp"

namespace core_collapse {

/// The cell of the parent in which a child's cell is.
inline Index3 in_parent(const Index3& fine, int child) {
    Index3 coarse;
    for (std::size_t axis = 0; axis < 3; ++axis) coarse[axis] = fine[axis] / 2 + (child >> axis & 1) * (n / 2);
    return coarse;
}

/// The difference of neighbours, one-sided at the block's faces; at most `most`.
inline double slope_in(const Field& field, const Index3& cell, std::size_t axis, double most) {
    Index3 left = cell, right = cell;
    left[axis] = std::max(cell[axis] - 1, 0);
    right[axis] = std::min(cell[axis] + 1, n - 1);
    return std::clamp((field[offset(right)] - field[offset(left)]) / (right[axis] - left[axis]), -most, most);
}

inline void refine_block(const State& parent, int child, State& out) {
    for (std::size_t f = 0; f < 4; ++f)
        for_each_cell([&](const Index3& fine) {
            const Index3 coarse = in_parent(fine, child);
            const double here = parent.gas[f][offset(coarse)], most = f == 0 ? 0.9 * here : HUGE_VAL;
            double value = here;
            for (std::size_t axis = 0; axis < 3; ++axis)
                value += (fine[axis] % 2 == 0 ? -0.25 : 0.25) * slope_in(parent.gas[f], coarse, axis, most);
            out.gas[f][offset(fine)] = value;
        });
}

inline void coarsen_block(const State& from, int child, State& parent) {
    for (std::size_t f = 0; f < 4; ++f) {
        for_each_cell([&](const Index3& fine) { parent.gas[f][offset(in_parent(fine, child))] = 0.0; });
        for_each_cell(
            [&](const Index3& fine) { parent.gas[f][offset(in_parent(fine, child))] += 0.125 * from.gas[f][offset(fine)]; });
    }
}

}  // namespace core_collapse
