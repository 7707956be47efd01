// SPDX-License-Identifier: Apache-2.0
// Guard cells that lie on cells of their own rank have those cells' results: nothing is walked for them.
#pragma once

#include "physics/cuboid/cuboid.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"
#include "solver/order/stage_in.hpp"
#include "solver/targets/cell_lookup.hpp"

#include <cmath>

namespace gravlet {

/// Distance within which places are one, in the shortest side of a guard cell.
inline constexpr double one_place = 0.01;

/// A guard cell, with its size in place of a mass.
GRAVLET_HD inline Source guard_source(const Body& guard, const Frame& frame, const Period& period) {
    Source s = moved_into_box(to_source(guard, false, frame), frame, period);
    s.mass = size_of(guard, s, false, frame);
    return s;
}

/// Whether cells have one shape, up to the rounding of two blocks' sides.
GRAVLET_HD inline bool of_one_shape(const Body& a, const Body& b) {
    const auto equal = [](double one, double other) { return fabs(one - other) <= 1e-6 * one; };
    return equal(a.dx, b.dx) && equal(a.dy, b.dy) && equal(a.dz, b.dz);
}

/// The 27 sides of a block: its own, faces, edges, corners.
struct BlockSide {
    static constexpr int count = 27;

    int below[3];  ///< 0: below the block in that direction, 1: beside or in it, 2: above

    GRAVLET_HD explicit BlockSide(int number) : below{number % 3, number / 3 % 3, number / 9} {}
    GRAVLET_HD BlockSide(const BlockCell& c, const std::array<int, 3>& n) {
        const int at[3] = {c.i, c.j, c.k};
        for (std::size_t d = 0; d < 3; ++d) below[d] = at[d] < 0 ? 0 : at[d] < n[d] ? 1 : 2;
    }
    [[nodiscard]] GRAVLET_HD int number() const { return below[0] + 3 * below[1] + 9 * below[2]; }
    /// The block's first guard cell there.
    [[nodiscard]] GRAVLET_HD BlockCell first(std::size_t block, const std::array<int, 3>& n) const {
        const auto at = [&](std::size_t d) { return below[d] == 0 ? -1 : below[d] == 1 ? 0 : n[d]; };
        return {block, at(0), at(1), at(2)};
    }
    /// What a guard cell there is in a block of the same cells that goes on there; beyond that, if it ends before.
    [[nodiscard]] GRAVLET_HD BlockCell in(std::size_t other, const BlockCell& c, const std::array<int, 3>& n) const {
        return {other, c.i - (below[0] - 1) * n[0], c.j - (below[1] - 1) * n[1], c.k - (below[2] - 1) * n[2]};
    }
};

/// This rank's cells as guard cells may lie on them. Device code may hold it.
struct CellsHere {
    static constexpr cell_index none = ~cell_index{0};

    KeyedCells cells;
    GivenBodies input;
    const cell_index* order;           ///< the caller's number of each body along the curve
    const cell_index* target_of_body;  ///< target of each body, as SolvedBodies has it
    const cell_index* target;          ///< target of each of the caller's cells, of active blocks
    const cell_index* beside;          ///< the block that goes on at each side of each active block, or none

    /// The number, along the curve, of the cell at a guard cell's place, if it is of its shape; or none.
    [[nodiscard]] GRAVLET_HD cell_index find(const Body& guard, const Source& at) const {
        const Source* const found = cells.at(at, at.mass, one_place * at.mass);
        if (found == nullptr) return none;
        const auto s = static_cast<cell_index>(found - cells.here.sources);
        const cell_index i = order[s];
        return !input.is_point(i) && of_one_shape(guard, input.body_at(input.block_cell(i), 0.0)) ? s : none;
    }
    /// The target that it is, if it has results; or none.
    [[nodiscard]] GRAVLET_HD cell_index look_up(const Body& guard, const Source& at) const {
        const cell_index s = find(guard, at);
        if (s == none || !input.active(order[s])) return none;
        return target_of_body != nullptr ? target_of_body[s] : s;
    }
    /// The block that goes on at a side of one, or none.
    [[nodiscard]] GRAVLET_HD cell_index find_beside(std::size_t block, int side, const Frame& frame, const Period& period) const {
        const std::array<int, 3>& n = input.blocks[block].n;
        const BlockSide at(side);
        const BlockCell first = at.first(block, n);
        const Body guard = input.body_at(first, 0.0);
        const cell_index s = find(guard, guard_source(guard, frame, period));
        if (s == none) return none;
        const BlockCell met = input.block_cell(order[s]), expected = at.in(met.block, first, n);
        const std::array<int, 3>& of_met = input.blocks[met.block].n;
        const bool goes_on = met.i == expected.i && met.j == expected.j && met.k == expected.k && of_met[0] == n[0] &&
                             of_met[1] == n[1] && of_met[2] == n[2];
        return goes_on ? static_cast<cell_index>(met.block) : none;
    }
    /// look_up(), in the block that goes on there if one does.
    [[nodiscard]] GRAVLET_HD cell_index under(const BlockCell& guard, const Body& body, const Source& at) const {
        const std::array<int, 3>& n = input.blocks[guard.block].n;
        const BlockSide side(guard, n);
        const cell_index other = beside[guard.block * BlockSide::count + static_cast<std::size_t>(side.number())];
        if (other == none) return look_up(body, at);
        const BlockCell c = side.in(other, guard, n);
        if (c.i < 0 || c.i >= n[0] || c.j < 0 || c.j >= n[1] || c.k < 0 || c.k >= n[2]) return look_up(body, at);
        if (!input.blocks[other].active) return none;
        return target[input.block_begin[other] + static_cast<std::size_t>(BlockList::offset(dense_stride(n), c))];
    }
};

template <class Exec>
class OwnCells {
public:
    explicit OwnCells(const Exec& exec)
        : exec_(exec),
          active_(exec.template buffer<cell_index>()),
          target_(exec.template buffer<cell_index>()),
          beside_(exec.template buffer<cell_index>()),
          self_(exec.template buffer<double>()) {}

    /// Local. This rank's cells, in the backend's memory. Costs what is active, but for a look at each block's flag.
    [[nodiscard]] CellsHere look(const Input& input, const Frame& frame, const Bodies<Exec>& own,
                                 const SolvedBodies<Exec>& solved) {
        const Period period = period_of(frame);
        active_.resize_discard(input.block_count);
        target_.resize_discard(own.count), beside_.resize_discard(input.block_count * BlockSide::count);
        self_.resize_discard(input.block_count);
        cell_index *const active = active_.data(), *const target = target_.data(), *const beside = beside_.data();
        double* const self = self_.data();
        const cell_index *const order = own.order.data(), *const number = solved.targets.order.data();
        const KeyedCells keyed{{own.keys.data(), nullptr, own.bodies.data(), own.count}, {}, frame.cube, levels_of_keys(frame)};
        const CellsHere here{keyed, input, order, solved.target_of_body, target, beside};
        const WalkedFor walked = solved.targets.walked_for();
        for_each(exec_, walked.count, [=] GRAVLET_HD(std::size_t k) {
            const std::size_t t = walked[k];
            if (t != WalkedFor::nobody) target[number[t]] = static_cast<cell_index>(t);
        });
        const std::size_t count = select_indices(exec_, input.block_count, active,
                                                 [=] GRAVLET_HD(cell_index b) { return here.input.blocks[b].active; });
        for_each(exec_, count * BlockSide::count, [=] GRAVLET_HD(std::size_t at) {
            const std::size_t block = active[at / BlockSide::count], side = at % BlockSide::count;
            beside[block * BlockSide::count + side] = here.find_beside(block, static_cast<int>(side), frame, period);
        });
        for_each(exec_, count, [=] GRAVLET_HD(std::size_t at) {
            const auto& h = here.input.blocks[active[at]].cell_size;
            self[active[at]] = cuboid_self_potential(h[0], h[1], h[2]);
        });
        return here;
    }
    /// What mass 1 in the cells of each active block does to itself.
    [[nodiscard]] const double* self() const { return self_.data(); }

private:
    Exec exec_;
    typename Exec::template Buffer<cell_index> active_;  ///< active blocks
    typename Exec::template Buffer<cell_index> target_, beside_;
    typename Exec::template Buffer<double> self_;
};

}  // namespace gravlet
