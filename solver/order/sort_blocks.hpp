// SPDX-License-Identifier: Apache-2.0
// A mesh of blocks is sorted by blocks. Cubic blocks of 2^m cells a side are, if they lie on the octree's grid, each a run of the
// curve, and where the curve is in there is told by its state at the block:
//   1. a key and a state for each block whose cells are the cubes of the grid that they should be;
//   2. blocks are sorted by key, and must not overlap;
//   3. sorted cells are made one after the other, each from the block and the place in it that it is of; and with them, where
//      groups are cubes of cells, these.
// Where anything is otherwise, all cells are sorted (solver/order/sort.hpp), which also says what is wrong. Keys are the same
// either way.
#pragma once

#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/order/stage_in.hpp"

#include <algorithm>
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

/// Whether a block's cells are, each in its place, the octree's cubes of a level. Then `first` is the number of its lowest one in
/// each direction.
GRAVLET_HD inline bool are_cubes(const BlockList& input, std::size_t block, int level, std::uint32_t side, const Frame& frame,
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
GRAVLET_HD inline BlockOnCurve place_on_curve(const BlockList& input, std::size_t block, int inside, const Frame& frame) {
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

/// Whether groups are what a team makes. No cuts are to be looked for then, as all steps are even, but between pieces of a
/// periodic box.
template <class Exec>
bool are_groups_cubes(const Exec& exec, int inside, const Frame& frame, const Bodies<Exec>& b) {
    if (b.group_size != cells_of_a_group || inside < levels_of_a_group) return false;
    const BlockOnCurve* const blocks = b.blocks.data();
    const int coarsest = frame.piece_level + levels_of_a_group;
    return !(frame.pieces.side > 0.0) ||
           !any_of(exec, b.blocks.size(), [=] GRAVLET_HD(std::size_t i) { return blocks[i].level < coarsest; });
}

/// The group that `cell` is in, but for its begin.
template <class Team>
GRAVLET_HD void make_group(const Team& team, const BlockList& input, const Frame& frame, const BlockCell& cell, Group& group) {
    constexpr int last = (1 << levels_of_a_group) - 1;
    for (std::uint32_t corner = team.rank(); corner < 2; corner += team.size) {
        const auto at = [=](int c) { return corner == 0 ? c & ~last : c | last; };
        const Body body = input.body_at({cell.block, at(cell.i), at(cell.j), at(cell.k)}, 0.0);
        const Source s = to_source(body, false, frame);
        if (corner > 0) {
            group.box.upper = {s.x, s.y, s.z};
            continue;
        }
        group.box.lower = {s.x, s.y, s.z};
        group.scale = fminf(1.0f, size_of(body, s, false, frame));
        group.softening = 0.0f;
        group.count = cells_of_a_group;
        group.factor = 1.0f;
        group.side = 0.0f;
    }
}

/// What sort_blocks() has filled in.
struct ByBlocks {
    bool sorted = false;   ///< keys, order, bodies and sizes; if not, sort all bodies
    bool grouped = false;  ///< groups and massive as well, as make_groups() would
};

/// Local. Sorts the blocks of `input`, which is in the backend's memory; `b.group_size` is set.
template <class Exec>
ByBlocks sort_blocks(const Exec& exec, const Input& input, const Frame& frame, Bodies<Exec>& b) {
    const std::uint32_t side = side_of_cubic_blocks(input);
    const int levels = levels_of_keys(frame), inside = std::countr_zero(side);
    b.levels_in_blocks = -1;
    if (side == 0 || frame.used_levels > key_levels) return {};
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
        return {};
    b.levels_in_blocks = inside;
    const CellsOnCurve curve = b.cells_on_curve();
    const std::uint32_t run = curve.run(input.cell_count);
    const bool grouped = are_groups_cubes(exec, inside, frame, b);
    if (grouped) b.groups.resize_discard(b.count / cells_of_a_group), b.massive.resize_discard(b.count / cells_of_a_group);
    Group* const groups = grouped ? b.groups.data() : nullptr;
    std::uint32_t* const massive = b.massive.data();
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    for_each_team<32>(exec, b.count / run, [=] GRAVLET_HD(std::size_t t, const typename Exec::template Team<32>& team) {
        const cell_index number = curve.block_of(t * run);
        const BlockOnCurve block = curve.blocks[number];
        for (std::size_t begin = t * run; begin < (t + 1) * run; begin += curve.part()) {
            BlockCell cell{};
            std::uint32_t with_mass = 0;
            for (std::size_t to = begin + team.rank(); to < begin + curve.part(); to += team.size) {
                hilbert::State state = block.state;
                cell = curve.cell(number, to, state);
                const Body body = input.body(cell);
                const Source source = to_source(body, false, frame);
                const key_type key = block.key | key_type{curve.place_in_block(to)} << 3 * (key_levels - block.level);
                keys[to] = block.level < levels ? key | digits_below(source, block.level, frame, state) : key;
                order[to] = curve.number_of(cell);
                bodies[to] = source;
                sizes[to] = size_of(body, source, false, frame);
                with_mass += source.mass > 0.0f ? 1 : 0;
            }
            if (groups == nullptr) continue;
            Group& group = groups[begin / cells_of_a_group];
            make_group(team, input, frame, cell, group);
            with_mass = team.sum(with_mass);
            if (team.rank() == 0) group.begin = static_cast<std::uint32_t>(begin), massive[begin / cells_of_a_group] = with_mass;
        }
    });
    return {true, grouped};
}

}  // namespace gravlet
