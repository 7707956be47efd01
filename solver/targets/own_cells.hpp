// SPDX-License-Identifier: Apache-2.0
// Guard cells that lie on cells of their own rank have those cells' results: nothing is walked for them.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"
#include "solver/targets/cell_lookup.hpp"

#include <cmath>

namespace gravlet {

/// Distance within which places are one, in the shortest side of a guard cell.
inline constexpr double one_place = 0.01;

/// Whether cells have one shape, up to the rounding of two blocks' sides.
GRAVLET_HD inline bool of_one_shape(const Body& a, const Body& b) {
    const auto equal = [](double one, double other) { return fabs(one - other) <= 1e-6 * one; };
    return equal(a.dx, b.dx) && equal(a.dy, b.dy) && equal(a.dz, b.dz);
}

/// This rank's cells as guard cells may lie on them. Device code may hold it.
struct OwnCells {
    static constexpr cell_index none = ~cell_index{0};

    KeyedCells cells;
    GivenBodies input;
    const cell_index* order;  ///< the caller's number of each

    template <class Exec>
    OwnCells(const Input& given, const Frame& frame, const Bodies<Exec>& own)
        : cells{{own.keys.data(), nullptr, own.bodies.data(), own.count}, {}, frame.cube, levels_of_keys(frame)},
          input(given),
          order(own.order.data()) {}

    /// The number, along the curve, of the cell at a guard cell's place, if it is of its shape and has results; or none.
    [[nodiscard]] GRAVLET_HD cell_index under(const Body& guard, const Source& at, float size) const {
        const Source* const found = cells.at(at, size, one_place * size);
        if (found == nullptr) return none;
        const auto s = static_cast<cell_index>(found - cells.here.sources);
        const cell_index i = order[s];
        return !input.is_point(i) && input.active(i) && of_one_shape(guard, input.body(i)) ? s : none;
    }
};

}  // namespace gravlet
