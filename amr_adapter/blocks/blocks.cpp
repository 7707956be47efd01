// SPDX-License-Identifier: Apache-2.0
#include <gravlet/cells.hpp>

#include <cstddef>

namespace gravlet {

Block block_with_guards(const std::array<double, 3>& lower, const std::array<double, 3>& cell_size, const std::array<int, 3>& n,
                        int guards, const double* density, double* potential, const std::array<double*, 3>& acceleration) {
    const std::ptrdiff_t row = n[0] + 2 * guards, plane = row * (n[1] + 2 * guards);
    const std::ptrdiff_t interior = guards * (1 + row + plane);
    const auto shifted = [interior](auto* start) { return start != nullptr ? start + interior : nullptr; };
    Block block;
    block.lower = lower;
    block.cell_size = cell_size;
    block.n = n;
    block.stride = {1, row, plane};
    block.density = shifted(density);
    block.potential = shifted(potential);
    block.acceleration = {shifted(acceleration[0]), shifted(acceleration[1]), shifted(acceleration[2])};
    return block;
}

}  // namespace gravlet
