// SPDX-License-Identifier: Apache-2.0
// Places that are no bodies, in the box that repeats, and the cells that are at them.
#pragma once

#include "ewald/periodic_box.hpp"
#include "physics/keys.hpp"
#include "physics/partition_point.hpp"
#include "solver/data/bodies.hpp"
#include "solver/order/sort.hpp"

#include <cmath>

namespace gravlet {

GRAVLET_HD inline Source moved_into_box(Source s, const Frame& frame, const Period& period) {
    const Vector3 at = in_box(Vector3{s.x, s.y, s.z}, frame.cube.corner, period);
    s.x = at.x, s.y = at.y, s.z = at.z;
    return s;
}

GRAVLET_HD inline bool at_one_place(const Source& a, const Source& b, double within) {
    return fabs(a.x - b.x) <= within && fabs(a.y - b.y) <= within && fabs(a.z - b.z) <= within;
}

/// Sources that can be looked up by their keys, in ascending order. `number`: of each key; null: its own.
struct KeyedSources {
    const key_type* keys;
    const cell_index* number;
    const Source* sources;
    std::size_t count;

    [[nodiscard]] GRAVLET_HD std::size_t first_from(key_type key) const {
        return partition_point(std::size_t{0}, count, [this, key](std::size_t i) { return keys[i] < key; });
    }

    /// The cell at a place, or null: of those whose keys are in [begin, end).
    [[nodiscard]] GRAVLET_HD const Source* cell_at(const Source& at, double within, key_type begin, key_type end) const {
        for (std::size_t i = first_from(begin); i < count && keys[i] < end; ++i) {
            const Source& source = sources[number != nullptr ? number[i] : i];
            if (source.softening == 0.0f && at_one_place(at, source, within)) return &source;
        }
        return nullptr;
    }
};

/// The octree cubes, about as large as `size`, that hold what is `within` so much of its centre: eight at most, one where
/// it is such a cube itself.
struct CubesAround {
    std::uint32_t lower[3], upper[3];
    int level;

    GRAVLET_HD CubesAround(const Source& at, float size, double within, const RootCube& cube, int deepest)
        : level(cube.level_of(size * 0.999f)) {
        level = level < 0 ? 0 : level > deepest ? deepest : level;
        const Vector3 low = cube.place(Vector3{at.x - within, at.y - within, at.z - within}),
                      high = cube.place(Vector3{at.x + within, at.y + within, at.z + within});
        const int shift = key_levels - level;
        lower[0] = grid_coordinate(low.x) >> shift, upper[0] = grid_coordinate(high.x) >> shift;
        lower[1] = grid_coordinate(low.y) >> shift, upper[1] = grid_coordinate(high.y) >> shift;
        lower[2] = grid_coordinate(low.z) >> shift, upper[2] = grid_coordinate(high.z) >> shift;
    }
    /// The first key in one of them, `corner` 0 to 7; false if it is that of another corner.
    [[nodiscard]] GRAVLET_HD bool first_key(int corner, key_type& key) const {
        std::uint32_t at[3];
        for (int d = 0; d < 3; ++d) {
            const bool high = (corner >> d & 1) != 0;
            if (high && upper[d] == lower[d]) return false;
            at[d] = (high ? upper[d] : lower[d]) << (key_levels - level);
        }
        hilbert::State state;
        key = hilbert::descend(at[0], at[1], at[2], level, state);
        return true;
    }
    [[nodiscard]] GRAVLET_HD key_type keys() const { return key_type{1} << (3 * (key_levels - level)); }
};

/// The cells of a complete tree by their keys: this rank's own, and those that it received. Device code may hold it.
struct KeyedCells {
    KeyedSources here, elsewhere;
    RootCube cube;
    int levels;  ///< levels of these keys

    /// The cell with mass whose centre is `within` so much of a place, in each direction, or null. `size`: any side, best about
    /// that of the cells that may be there.
    [[nodiscard]] GRAVLET_HD const Source* at(const Source& place, float size, double within) const {
        const CubesAround cubes(place, size, within, cube, levels);
        for (int corner = 0; corner < 8; ++corner) {
            key_type begin = 0;
            if (!cubes.first_key(corner, begin)) continue;
            const key_type end = begin + cubes.keys();
            const Source* cell = here.cell_at(place, within, begin, end);
            if (cell == nullptr) cell = elsewhere.cell_at(place, within, begin, end);
            if (cell != nullptr) return cell;
        }
        return nullptr;
    }
};

template <class Exec>
class CellLookup {
public:
    explicit CellLookup(const Exec& exec)
        : exec_(exec), keys_(exec.template buffer<key_type>()), order_(exec.template buffer<cell_index>()) {}

    /// Local. Sorts `count` received sources by their keys; this rank's own are sorted. All must outlive what is returned.
    [[nodiscard]] KeyedCells look_up(const Frame& frame, const Bodies<Exec>& own, const Source* received, std::size_t count) {
        const int levels = levels_of_keys(frame);
        const RootCube cube = frame.cube;
        keys_.resize_discard(count), order_.resize_discard(count);
        key_type* const keys = keys_.data();
        cell_index* const order = order_.data();
        for_each(exec_, count, [=] GRAVLET_HD(std::size_t k) {
            keys[k] = hilbert_key(cube.place(received[k]), levels);
            order[k] = static_cast<cell_index>(k);
        });
        sort_by_key(exec_, keys, order, count, 3 * (key_levels - levels));
        return {{own.keys_of_sources().upper, nullptr, own.sources(), own.source_count},
                {keys, order, received, count},
                cube,
                levels};
    }

private:
    Exec exec_;
    typename Exec::template Buffer<key_type> keys_;
    typename Exec::template Buffer<cell_index> order_;
};

}  // namespace gravlet
