// SPDX-License-Identifier: Apache-2.0
#include <gravlet/cells.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gravlet {

Block block_with_guards(const std::array<double, 3>& lower, const std::array<double, 3>& cell_size, const std::array<int, 3>& n,
                        int guards, InputPointer density, ResultPointer potential,
                        const std::array<ResultPointer, 3>& acceleration, const std::array<ResultPointer, 6>& tidal) {
    Block block;
    block.lower = lower;
    block.cell_size = cell_size;
    block.n = n;
    const double longest = 2.0 * guards + std::max(std::abs(1.0 * n[0]), std::abs(1.0 * n[1]));
    if (guards < 0 || longest * longest * (1.0 + guards) > 0x1p60) return block;
    const std::ptrdiff_t width = guards, row = n[0] + 2 * width, plane = row * (n[1] + 2 * width);
    const std::ptrdiff_t interior = width * (1 + row + plane);
    const auto shifted = [interior](auto start) { return start != nullptr ? start + interior : start; };
    block.stride = {1, row, plane};
    block.density = shifted(density);
    block.potential = shifted(potential);
    std::ranges::transform(acceleration, block.acceleration.begin(), shifted);
    std::ranges::transform(tidal, block.tidal.begin(), shifted);
    return block;
}

}  // namespace gravlet
