// SPDX-License-Identifier: Apache-2.0
// Blocks that are cubes of the octree, and their cells along the curve.
#pragma once

#include "physics/keys.hpp"
#include "physics/path_size.hpp"
#include "solver/input/input.hpp"

#include <algorithm>
#include <bit>

namespace gravlet {

/// Side, in cells, of blocks that may be cubes of the octree; 0: they are not.
[[nodiscard]] inline std::uint32_t side_of_cubic_blocks(const Input& input) {
    if (input.blocks == nullptr || input.point_count > 0 || input.cells_per_block == 0) return 0;
    const std::array<int, 3>& n = input.as_given().blocks[0].n;
    const bool cubic = n[0] == n[1] && n[0] == n[2] && std::has_single_bit(static_cast<unsigned>(n[0]));
    return cubic ? static_cast<std::uint32_t>(n[0]) : 0;
}

struct BlockOnCurve {
    key_type key;          ///< key of the block's cube
    int level;             ///< level of the block's cells
    hilbert::State state;  ///< state of the curve in the block
};

/// Cells that are looked at together, a cube: a block's, or those of a group in it.
inline constexpr int levels_of_a_group = 2;
inline constexpr std::uint32_t cells_of_a_group = 1u << 3 * levels_of_a_group;

/// The sorted cells of blocks of 2^inside cells a side. Device code may hold it.
struct CellsOnCurve {
    const cell_index* order = nullptr;     ///< the caller's number of each sorted block
    const BlockOnCurve* blocks = nullptr;  ///< blocks in the caller's order
    int inside = 0;

    /// The caller's number of a cell.
    [[nodiscard]] GRAVLET_HD cell_index number_of(const BlockCell& cell) const {
        const auto at = [](int c) { return static_cast<cell_index>(c); };
        return (((static_cast<cell_index>(cell.block) << inside | at(cell.k)) << inside) | at(cell.j)) << inside | at(cell.i);
    }
    /// Cells that a team takes of `cells`, of one block: what they have in common is read once. A small mesh is work for many
    /// teams.
    [[nodiscard]] std::uint32_t run(std::size_t cells) const {
        constexpr std::size_t many = path_size(std::size_t{1} << 21, std::size_t{512});
        return std::min(1u << 3 * inside, (cells < many ? 1 : 8) * cells_of_a_group);
    }
    /// Cells of a block that are looked at together.
    [[nodiscard]] GRAVLET_HD std::uint32_t part() const {
        const std::uint32_t all = 1u << 3 * inside;
        return all < cells_of_a_group ? all : cells_of_a_group;
    }
    /// The block of a sorted cell.
    [[nodiscard]] GRAVLET_HD cell_index block_of(std::size_t sorted) const { return order[sorted >> 3 * inside]; }
    [[nodiscard]] GRAVLET_HD std::uint32_t place_in_block(std::size_t sorted) const {
        return static_cast<std::uint32_t>(sorted) & ((1u << 3 * inside) - 1u);
    }
    /// Which cell of its block it is. `state`: the block's, and then that of the curve in the cell.
    [[nodiscard]] GRAVLET_HD BlockCell cell(cell_index block, std::size_t sorted, hilbert::State& state) const {
        const hilbert::Offset at = hilbert::follow(place_in_block(sorted), inside, state);
        return {block, static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)};
    }
};

}  // namespace gravlet
