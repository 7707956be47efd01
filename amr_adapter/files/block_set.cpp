// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/block_set.hpp"

#include "physics/fields.hpp"

namespace gravlet {

std::size_t BlockSet::cells_per_block() const {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

Array3 BlockSet::cell_size(std::size_t block) const {
    Array3 size;
    for (std::size_t d = 0; d < 3; ++d) size[d] = (upper[block][d] - lower[block][d]) / n[d];
    return size;
}

Array3 BlockSet::cell_centre(std::size_t block, std::size_t index) const {
    const auto nx = static_cast<std::size_t>(n[0]);
    const auto ny = static_cast<std::size_t>(n[1]);
    const Array3 size = cell_size(block);
    const std::array<std::size_t, 3> cell{index % nx, index / nx % ny, index / (nx * ny)};
    Array3 centre;
    for (std::size_t d = 0; d < 3; ++d) centre[d] = lower[block][d] + (static_cast<double>(cell[d]) + 0.5) * size[d];
    return centre;
}

double BlockSet::cell_volume(std::size_t block) const {
    const Array3 size = cell_size(block);
    return size[0] * size[1] * size[2];
}

std::vector<Block> block_views(const BlockSet& blocks, const Fields& fields) {
    const std::size_t cells = blocks.cells_per_block();
    const std::ptrdiff_t row = blocks.n[0];
    std::vector<Block> views(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        Block& view = views[b];
        view.lower = blocks.lower[b];
        view.cell_size = blocks.cell_size(b);
        view.n = blocks.n;
        view.stride = {1, row, row * blocks.n[1]};
        view.density = blocks.density.data() + b * cells;
        const auto arrays = result_arrays(fields);
        for_results(view, [&](ResultPointer& array, std::size_t k) {
            if (is_wanted(arrays[k])) array = arrays[k].data() + static_cast<std::ptrdiff_t>(b * cells);
        });
    }
    return views;
}

CellArrays to_cells(const BlockSet& blocks) {
    CellArrays cells;
    for (auto* array : {&cells.x, &cells.y, &cells.z, &cells.dx, &cells.dy, &cells.dz, &cells.mass})
        array->reserve(blocks.cell_count());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Array3 size = blocks.cell_size(b);
        const double volume = blocks.cell_volume(b);
        for (std::size_t i = 0; i < blocks.cells_per_block(); ++i) {
            const Array3 centre = blocks.cell_centre(b, i);
            cells.x.push_back(centre[0]);
            cells.y.push_back(centre[1]);
            cells.z.push_back(centre[2]);
            cells.dx.push_back(size[0]);
            cells.dy.push_back(size[1]);
            cells.dz.push_back(size[2]);
            cells.mass.push_back(blocks.density[b * blocks.cells_per_block() + i] * volume);
        }
    }
    return cells;
}

}  // namespace gravlet
