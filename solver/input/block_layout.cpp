// SPDX-License-Identifier: Apache-2.0
#include "solver/input/block_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace gravlet {
namespace {

struct Direction {
    std::ptrdiff_t step, count;
};

/// Cells at one offset differ by steps (i, j, k), not all 0, whose lengths add up to 0. All i and j are tried, and k follows: the
/// longest direction is the last.
bool some_steps_cancel(std::array<Direction, 3> d) {
    std::ranges::sort(d, {}, &Direction::count);
    for (std::ptrdiff_t i = 0; i < d[0].count; ++i) {
        for (std::ptrdiff_t j = i == 0 ? 1 : 1 - d[1].count; j < d[1].count; ++j) {
            const std::ptrdiff_t length = i * d[0].step + j * d[1].step;
            if (length % d[2].step == 0 && std::abs(length / d[2].step) < d[2].count) return true;
        }
    }
    return false;
}

}  // namespace

bool fits_in_memory(const std::array<int, 3>& n, const Stride& stride) {
    double reach = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) reach += std::abs(static_cast<double>(stride[axis])) * (n[axis] - 1.0);
    return reach < 0x1p55;  // elements of 8 bytes, and so that addresses are numbers
}

bool has_cells_in_one_place(const std::array<int, 3>& n, const Stride& stride) {
    std::array<Direction, 3> d{};
    for (std::size_t axis = 0; axis < 3; ++axis) d[axis] = {n[axis] > 1 ? std::abs(stride[axis]) : 1, n[axis]};
    const auto is_taken = [](const Direction& direction) { return direction.count > 1 && direction.step == 0; };
    if (std::ranges::any_of(d, is_taken)) return true;
    std::ranges::sort(d, {}, &Direction::step);
    std::ptrdiff_t reach = 0;
    for (const Direction& direction : d) {
        if (direction.count > 1 && direction.step <= reach) return some_steps_cancel(d);
        reach += direction.step * (direction.count - 1);
    }
    return false;
}

}  // namespace gravlet
