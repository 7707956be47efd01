// SPDX-License-Identifier: Apache-2.0
// A mesh of blocks is sorted by blocks. Cubic blocks of 2^m cells a side are, if they lie on the octree's grid, each a run of the
// curve, so their cells are put where they belong without being sorted:
//   1. a key for each block, its first cell's down to the block's level; blocks are sorted by them;
//   2. blocks must not overlap;
//   3. a cell's place is that of its block, and in there what its own key says below the block's level. Every cell must be in the
//      cube of the grid that its place in the block says.
// Where anything is otherwise, all cells are sorted (solver/sort.hpp), which also says what is wrong. Keys are the same either
// way.
#pragma once

#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/stage_in.hpp"

#include <bit>
#include <cmath>

namespace gravlet {

/// Level of the octree's cubes that are as large as the cells of a block; -1: none are.
GRAVLET_HD inline int level_of_cells(const Block& block, double root_side) {
    const auto& h = block.cell_size;
    const double cubes = root_side / h[0];
    const int level = ilogb(cubes * 1.0001);
    const auto near = [](double a, double b) { return fabs(a - b) <= 1e-6 * b; };
    return level <= key_levels && near(ldexp(cubes, -level), 1.0) && near(h[1], h[0]) && near(h[2], h[0]) ? level : -1;
}

/// Side, in cells, of blocks that may be cubes of the octree; 0: they are not.
[[nodiscard]] inline std::uint32_t side_of_cubic_blocks(const Input& input) {
    if (input.blocks == nullptr || input.point_count > 0 || input.cells_per_block == 0) return 0;
    const std::array<int, 3>& n = input.as_given().blocks[0].n;
    const bool cubic = n[0] == n[1] && n[0] == n[2] && std::has_single_bit(static_cast<unsigned>(n[0]));
    return cubic ? static_cast<std::uint32_t>(n[0]) : 0;
}

/// Local. Fills in keys, order, bodies and sizes of `b`, for `input` in the backend's memory. If false, sort all bodies.
template <class Exec>
bool sort_blocks(const Exec& exec, const Input& input, const Frame& frame, Bodies<Exec>& b) {
    const std::uint32_t side = side_of_cubic_blocks(input);
    const int levels = levels_of_keys(frame), inside = std::countr_zero(side);
    if (side == 0 || frame.used_levels > key_levels) return false;
    const std::size_t n = input.block_count;
    b.block_keys.resize_discard(n);
    b.block_order.resize_discard(n);
    b.blocks.resize_discard(n);
    key_type* const block_keys = b.block_keys.data();
    cell_index* const order_of_blocks = b.block_order.data();
    BlockOnCurve* const blocks = b.blocks.data();
    const auto key_of = [=] GRAVLET_HD(const Source& s) { return hilbert_key(frame.cube.place(s), levels); };
    if (any_of(exec, n, [=] GRAVLET_HD(std::size_t i) {
            const int level = level_of_cells(input.blocks[i], frame.side), unused = 3 * (key_levels - level + inside);
            const bool on_grid = level >= inside && level <= levels;
            const key_type key = key_of(to_source(input.body_at({i, 0, 0, 0}, 0.0), false, frame));
            block_keys[i] = on_grid ? key >> unused << unused : 0;
            order_of_blocks[i] = static_cast<cell_index>(i);
            blocks[i] = {block_keys[i], 0, level};
            return !on_grid;
        }))
        return false;
    sort_by_key(exec, block_keys, order_of_blocks, n, 3 * (key_levels - levels));
    if (any_of(exec, n, [=] GRAVLET_HD(std::size_t r) {
            BlockOnCurve& block = blocks[order_of_blocks[r]];
            block.place = static_cast<cell_index>(r);
            return r + 1 < n && block_keys[r + 1] - block_keys[r] < key_type{1} << 3 * (key_levels - block.level + inside);
        }))
        return false;
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    const std::uint32_t cells = input.cells_per_block;
    return !any_of(exec, input.cell_count, [=] GRAVLET_HD(std::size_t i) {
        const BlockCell cell = input.block_cell(i);
        const BlockOnCurve block = blocks[cell.block];
        const int below = key_levels - block.level;  // levels that the cell is not divided by
        const Body body = input.body(i);
        const Source source = to_source(body, false, frame);
        const Vector3 place = frame.cube.place(source);
        const auto is_at = [=](double x, int c) {
            return (grid_coordinate(x) >> below & (side - 1)) == static_cast<unsigned>(c);
        };
        const key_type key = hilbert_key(place, levels);
        const std::size_t to = std::size_t{block.place} * cells + (key >> 3 * below & (cells - 1));
        keys[to] = key;
        order[to] = static_cast<cell_index>(i);
        bodies[to] = source;
        sizes[to] = size_of(body, false, frame);
        return key >> 3 * (below + inside) << 3 * (below + inside) != block.key || !is_at(place.x, cell.i) ||
               !is_at(place.y, cell.j) || !is_at(place.z, cell.k);
    });
}

}  // namespace gravlet
