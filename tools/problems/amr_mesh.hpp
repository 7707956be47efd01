// SPDX-License-Identifier: Apache-2.0
// What the AMR problems share: meshes of the unit box, and filling them cell by cell.
#pragma once

#include "amr_adapter/p4est/mesh.hpp"
#include "tools/problems/problem.hpp"
#include "tools/problems/solids.hpp"

#include <functional>

namespace gravlet {

[[nodiscard]] Array3 upper_corner(const MeshBlock& block);

/// Collective. A mesh of the unit box, refined to min_level everywhere and where `refine` says so, up to max_level; its blocks
/// have room for their densities. Throws Error(out_of_memory) that names the key if that is more than the machine has.
[[nodiscard]] Problem on_mesh(MPI_Comm comm, int min_level, int max_level, const std::function<bool(const MeshBlock&)>& refine);

/// Throws Error(invalid_option) unless 1 <= min_level <= max_level <= 12.
void require_levels(int min_level, int max_level);

/// Throws Error(invalid_option) that names `key` unless centre - half_size to centre + half_size lies in the unit box.
void require_inside(const Array3& centre, const Array3& half_size, const char* key, double value);

/// Whether the surface cuts the block or its guard cells, half a block wide (4 of 8 cells): what a host refines, as its stencils
/// reach that far. It gives the mesh of docs/notebook/2026-11-accuracy.md.
template <class Solid>
bool cuts_with_guards(const Solid& solid, const MeshBlock& block) {
    Array3 lower = block.lower;
    Array3 upper = upper_corner(block);
    for (std::size_t d = 0; d < 3; ++d) {
        lower[d] -= 0.5 * block.side;
        upper[d] += 0.5 * block.side;
    }
    return solid.side_of_box(lower, upper) == Side::cut;
}

/// Collective. Refined to min_level everywhere, and to max_level at the solid's surface.
template <class Solid>
Problem refined_at_surface(MPI_Comm comm, const Solid& solid, int min_level, int max_level) {
    const auto refine = [&](const MeshBlock& block) { return cuts_with_guards(solid, block); };
    return on_mesh(comm, min_level, max_level, std::cref(refine));
}

/// The density of each cell of block b is density(lower corner, size), where density is of_block(b).
template <class OfBlock>
void fill_blocks(BlockSet& blocks, const OfBlock& of_block) {
    const std::size_t cells = blocks.cells_per_block();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto density = of_block(b);
        const Array3 size = blocks.cell_size(b);
        for (std::size_t i = 0; i < cells; ++i) {
            Array3 lower = blocks.cell_centre(b, i);
            for (std::size_t d = 0; d < 3; ++d) lower[d] -= 0.5 * size[d];
            blocks.density[b * cells + i] = density(lower, size);
        }
    }
}

/// The density of each cell is density(lower corner, size).
template <class Density>
void fill_cells(BlockSet& blocks, const Density& density) {
    fill_blocks(blocks, [&](std::size_t) { return std::cref(density); });
}

}  // namespace gravlet
