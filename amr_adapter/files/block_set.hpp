// SPDX-License-Identifier: Apache-2.0
// AMR blocks with storage of their own: what a file or a test mesh yields, and what the solver and the writers take.
#pragma once

#include "physics/types.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace gravlet {

/// This rank's leaf blocks, all of n[0] * n[1] * n[2] cells without guards.
struct BlockSet {
    std::array<int, 3> n{8, 8, 8};
    std::vector<Array3> lower, upper;  ///< corners, one a block
    std::vector<int> level;            ///< 1-based, one a block
    std::vector<double> density;       ///< blocks x nz x ny x nx, x fastest

    [[nodiscard]] std::size_t size() const { return lower.size(); }
    [[nodiscard]] std::size_t cells_per_block() const;
    [[nodiscard]] std::size_t cell_count() const { return size() * cells_per_block(); }
    [[nodiscard]] Array3 cell_size(std::size_t block) const;
    /// Centre of cell `index` of `block`, x fastest.
    [[nodiscard]] Array3 cell_centre(std::size_t block, std::size_t index) const;
    [[nodiscard]] double cell_volume(std::size_t block) const;
};

/// Views for Solver::solve(blocks), which point into the blocks and the fields: one value a cell, or empty.
[[nodiscard]] std::vector<Block> block_views(const BlockSet& blocks, const Fields& fields);

/// The cells of blocks as plain arrays, for Solver::solve(cells).
struct CellArrays {
    std::vector<double> x, y, z, dx, dy, dz, mass;
    [[nodiscard]] Cells view() const { return {x, y, z, dx, dy, dz, mass}; }
};
[[nodiscard]] CellArrays to_cells(const BlockSet& blocks);

}  // namespace gravlet
