// SPDX-License-Identifier: Apache-2.0
// A mesh of blocks is sorted by blocks. Cubic blocks of 2^m cells a side are, if they lie on the octree's grid, each a run of the
// curve, and where the curve is in there is told by its state at the block:
//   1. a key and a state for each block whose cells are the cubes of the grid that they should be;
//   2. blocks are sorted by key, and must not overlap;
//   3. sorted cells are made one after the other, each from the block and the place in it that it is of.
// Where anything is otherwise, all cells are sorted (solver/sort.hpp), which also says what is wrong. Keys are the same either
// way.
#pragma once

#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/stage_in.hpp"

#include <algorithm>
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

/// Whether a block's cells are, each in its place, the octree's cubes of a level. Then `first` is the number of its lowest one in
/// each direction.
GRAVLET_HD inline bool are_cubes(const Input& input, std::size_t block, int level, std::uint32_t side, const Frame& frame,
                                 hilbert::Offset& first) {
    const int below = key_levels - level;
    const auto cube_of = [&](int c) {
        const Vector3 place = frame.cube.place(to_source(input.body_at({block, c, c, c}, 0.0), false, frame));
        return hilbert::Offset{grid_coordinate(place.x) >> below, grid_coordinate(place.y) >> below,
                               grid_coordinate(place.z) >> below};
    };
    first = cube_of(0);
    bool all = ((first.x | first.y | first.z) & (side - 1)) == 0;
    for (std::uint32_t c = 1; c < side && all; ++c) {
        const hilbert::Offset next = cube_of(static_cast<int>(c));
        all = next.x == first.x + c && next.y == first.y + c && next.z == first.z + c;
    }
    return all;
}

/// `inside` levels of the octree are in the block. Level -1: it is no cube of it.
GRAVLET_HD inline BlockOnCurve place_on_curve(const Input& input, std::size_t block, int inside, const Frame& frame) {
    const int level = level_of_cells(input.blocks[block], frame.side);
    hilbert::Offset first{};
    if (level < inside || level > levels_of_keys(frame) || !are_cubes(input, block, level, 1u << inside, frame, first))
        return {0, -1, {}};
    const int below = key_levels - level;
    hilbert::State state;
    const key_type key = hilbert::descend(first.x << below, first.y << below, first.z << below, level - inside, state);
    return {key, level, state};
}

/// The digits of a cell's key below its own level: none of the smallest cells. `state` is that of the curve in the cell.
GRAVLET_HD inline key_type digits_below(const Source& cell, int level, const Frame& frame, hilbert::State state) {
    const Vector3 place = frame.cube.place(cell);
    const auto left = [=](double x) { return grid_coordinate(x) << level & ((1u << key_levels) - 1u); };
    return hilbert::descend(left(place.x), left(place.y), left(place.z), levels_of_keys(frame) - level, state) >> 3 * level;
}

/// Cells of a block that a team makes: what they have in common is read once, and a small mesh is work for many teams.
inline constexpr std::uint32_t cells_of_a_team = 64;

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
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        blocks[i] = place_on_curve(input, i, inside, frame);
        block_keys[i] = blocks[i].key;
        order_of_blocks[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, block_keys, order_of_blocks, n, 3 * (key_levels - levels));
    if (any_of(exec, n, [=] GRAVLET_HD(std::size_t r) {
            const int level = blocks[order_of_blocks[r]].level;
            return level < 0 ||
                   (r + 1 < n && block_keys[r + 1] - block_keys[r] < key_type{1} << 3 * (key_levels - level + inside));
        }))
        return false;
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    const std::uint32_t run = std::min(1u << 3 * inside, cells_of_a_team);
    for_each_team<32>(exec, input.cell_count / run, [=] GRAVLET_HD(std::size_t t, const typename Exec::template Team<32>& team) {
        const std::size_t begin = t * run;
        const cell_index number = order_of_blocks[begin >> 3 * inside];
        const BlockOnCurve block = blocks[number];
        for (std::size_t to = begin + team.rank(); to < begin + run; to += team.size) {
            const std::uint32_t place = static_cast<std::uint32_t>(to) & ((1u << 3 * inside) - 1u);
            hilbert::State state = block.state;
            const hilbert::Offset at = hilbert::follow(place, inside, state);
            const Body body = input.body({number, static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)});
            const Source source = to_source(body, false, frame);
            const key_type key = block.key | key_type{place} << 3 * (key_levels - block.level);
            keys[to] = block.level < levels ? key | digits_below(source, block.level, frame, state) : key;
            order[to] = (((number << inside | at.z) << inside) | at.y) << inside | at.x;
            bodies[to] = source;
            sizes[to] = size_of(body, source, false, frame);
        }
    });
    return true;
}

}  // namespace gravlet
