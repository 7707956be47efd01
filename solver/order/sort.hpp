// SPDX-License-Identifier: Apache-2.0
// Bodies in the order of the curve: keys, sort, gather, target groups, and the bodies with mass apart.
#pragma once

#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/places.hpp"
#include "solver/order/sort_blocks.hpp"
#include "solver/order/stage_in.hpp"

#include <cmath>
#include <utility>

namespace gravlet {

/// Sides of sorted bodies, in solver units.
struct SortedSides {
    const float* shortest;
    bool cubes;  ///< whether all cells are cubes; else each is looked up:
    GivenBodies input;
    const cell_index* order;
    double per_unit;

    [[nodiscard]] GRAVLET_HD Vector3 of(std::size_t i) const {
        if (cubes) return {shortest[i], shortest[i], shortest[i]};
        const Body body = input.body(order[i]);
        return {body.dx * per_unit, body.dy * per_unit, body.dz * per_unit};
    }
};

/// Whether two cells share more than a hundredth of the smaller one's side in each direction.
GRAVLET_HD inline bool overlap(const Source& a, const Vector3& sides_a, const Source& b, const Vector3& sides_b) {
    const auto along = [](double from, double to, double one, double other) {
        return fabs(from - to) <= 0.5 * (one + other) - 0.01 * fmin(one, other);
    };
    return along(a.x, b.x, sides_a.x, sides_b.x) && along(a.y, b.y, sides_a.y, sides_b.y) &&
           along(a.z, b.z, sides_a.z, sides_b.z);
}

/// Points between two cells that are looked past at most: cells of a mesh have fewer between them, or a cluster would be searched
/// by one thread.
inline constexpr std::size_t most_points_between = 1024;

/// The sorted index of a cell after cell i that is at its place or overlaps it, or n. Looked at are the next one on the curve,
/// and those of the same key: equal positions have equal keys; and of a cell with its centre in another's cube, or with all of
/// its descendants there, one has the other beside it.
GRAVLET_HD inline std::size_t overlapping(const Keys& keys, const Source* bodies, const SortedSides& sides, std::size_t n,
                                          std::size_t i) {
    if (bodies[i].softening > 0.0f) return n;  // a point
    bool met = false;
    for (std::size_t j = i + 1; j < n && (met ? keys.equal(i, j) : j - i <= most_points_between || keys.equal(i, j)); ++j) {
        if (bodies[j].softening > 0.0f) continue;
        if (overlap(bodies[i], sides.of(i), bodies[j], sides.of(j))) return j;
        met = true;
    }
    return n;
}

struct CellPair {
    std::size_t first, second;
};

/// Whether a host hands over nothing but cubes, as far as that is seen without a look at each cell.
template <class Exec>
bool all_cubes(const Exec& exec, const GivenBodies& input) {
    const Block* const blocks = input.blocks;
    if (blocks == nullptr) return input.cells.dy.empty();
    return !any_of(exec, input.block_count, [=] GRAVLET_HD(std::size_t b) {
        const auto& h = blocks[b].cell_size;
        return h[0] != h[1] || h[0] != h[2];
    });
}

template <class Exec>
void reject_overlaps(const Exec& exec, const Input& input, const Frame& frame, const Bodies<Exec>& b) {
    if (input.cell_count == 0) return;
    const std::size_t n = b.count;
    const Keys keys = b.all_keys();
    const Source* const bodies = b.bodies.data();
    const SortedSides sides{b.sizes.data(), all_cubes(exec, input), input, b.order.data(), frame.per_unit};
    if (!any_of(exec, n, [=] GRAVLET_HD(std::size_t i) { return overlapping(keys, bodies, sides, n, i) < n; })) return;
    const CellPair pair = transform_reduce(
        exec, n,
        [=] GRAVLET_HD(std::size_t i) {
            const std::size_t j = overlapping(keys, bodies, sides, n, i);
            return j < n ? CellPair{i, j} : CellPair{n, n};
        },
        CellPair{n, n}, [] GRAVLET_HD(const CellPair& p, const CellPair& q) { return p.first <= q.first ? p : q; });
    const std::size_t one = read(exec, b.order.data() + pair.first), other = read(exec, b.order.data() + pair.second);
    const Body first = read_body(exec, input, one), second = read_body(exec, input, other);
    const bool at_one_place = first.x == second.x && first.y == second.y && first.z == second.z;
    if (at_one_place) reject_pair(input.as_given(), one, other, first);
    reject_overlap(input.as_given(), one, first, other, second);
}

/// Whether more than `leaf_size` bodies share a key: a tree over these could not divide them.
template <class Exec>
bool any_crowd(const Exec& exec, const Bodies<Exec>& b, std::size_t leaf_size) {
    const key_type* const keys = b.keys.data();
    return b.count > leaf_size &&
           any_of(exec, b.count - leaf_size, [=] GRAVLET_HD(std::size_t i) { return keys[i] == keys[i + leaf_size]; });
}

/// Gives all bodies, in the order of their keys, the lower ones too, and sorts those of equal keys by them: all by the lower
/// keys, and then by the upper ones again.
template <class Exec>
void sort_crowds(const Exec& exec, const GivenBodies& input, const Frame& frame, Bodies<Exec>& b) {
    const std::size_t n = b.count;
    const int levels = frame.used_levels - key_levels;
    auto sorted_lower = exec.template buffer<key_type>(), sorted_upper = exec.template buffer<key_type>();
    auto by_lower = exec.template buffer<cell_index>(), by_both = exec.template buffer<cell_index>();
    sorted_lower.resize_discard(n), sorted_upper.resize_discard(n);
    by_lower.resize_discard(n), by_both.resize_discard(n);
    b.lower_keys.resize_discard(n);
    const key_type* const keys = b.keys.data();
    key_type *const lower_keys = b.lower_keys.data(), *const lower = sorted_lower.data(), *const upper = sorted_upper.data();
    cell_index *const order = b.order.data(), *const first = by_lower.data(), *const second = by_both.data();
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Source s = to_source(input.body(order[i]), input.is_point(order[i]), frame);
        lower[i] = lower_hilbert_key(frame.cube.place(s), levels);
        first[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, lower, first, n, 3 * (key_levels - levels));
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        upper[i] = keys[first[i]];
        second[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, upper, second, n, 0);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        lower_keys[i] = lower[second[i]];
        second[i] = order[first[second[i]]];
    });
    std::swap(b.order, by_both);
}

/// Puts bodies of equal keys, no more than a leaf has, in the order of their lower keys: other ranks may have so many more there
/// that a merged tree divides them (physics/parts.hpp).
template <class Exec>
void sort_small_crowds(const Exec& exec, const GivenBodies& input, const Frame& frame, Bodies<Exec>& b) {
    const std::size_t n = b.count;
    const key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    const int levels = frame.used_levels - key_levels;
    for_each(exec, n, [=] GRAVLET_HD(std::size_t begin) {
        if (begin > 0 && keys[begin - 1] == keys[begin]) return;
        const auto lower_key = [&](cell_index i) {
            return lower_hilbert_key(frame.cube.place(to_source(input.body(i), input.is_point(i), frame)), levels);
        };
        for (std::size_t i = begin + 1; i < n && keys[i] == keys[begin]; ++i) {
            const cell_index body = order[i];
            const key_type key = lower_key(body);
            std::size_t to = i;
            for (; to > begin && lower_key(order[to - 1]) > key; --to) order[to] = order[to - 1];
            order[to] = body;
        }
    });
}

/// Refuses more bodies in one place of the finest grid than a leaf may sensibly have: all act on all. Those at the very same
/// place are no mistake.
template <class Exec>
void reject_crowds(const Exec& exec, const Input& input, const Frame& frame, const Bodies<Exec>& b) {
    constexpr std::size_t most = most_in_a_crowd;
    if (!b.crowded() || b.count <= most) return;
    const Keys keys = b.all_keys();
    const Source* const bodies = b.bodies.data();
    const std::size_t first = transform_reduce(
        exec, b.count - most,
        [=] GRAVLET_HD(std::size_t i) {
            const Source &one = bodies[i], &other = bodies[i + most];
            const bool apart = one.x != other.x || one.y != other.y || one.z != other.z;
            return keys.equal(i, i + most) && apart ? i : ~std::size_t{0};
        },
        ~std::size_t{0}, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
    if (first == ~std::size_t{0}) return;
    const std::size_t i = read(exec, b.order.data() + first);
    reject_crowd(input.as_given(), i, read_body(exec, input, i), frame.side);
}

/// Fills in keys, order, bodies and sizes.
template <class Exec>
void sort_one_by_one(const Exec& exec, const GivenBodies& input, const Frame& frame, std::size_t leaf_size, Bodies<Exec>& b) {
    const std::size_t n = b.count;
    float* const sizes = b.sizes.data();
    key_type* const keys = b.keys.data();
    cell_index* order = b.order.data();
    Source* const bodies = b.bodies.data();
    const int levels = levels_of_keys(frame);
    Source* const points = input.cell_count == 0 && n >= worth_moving_whole ? b.template moved_whole<Source>(n) : nullptr;
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Source s = to_source(input.body(i), input.is_point(i), frame);
        keys[i] = hilbert_key(frame.cube.place(s), levels);
        order[i] = static_cast<cell_index>(i);
        if (points != nullptr) points[i] = s;
    });
    sort_by_key(exec, keys, order, n, 3 * (key_levels - levels));
    if (frame.used_levels > key_levels && any_crowd(exec, b, leaf_size))
        sort_crowds(exec, input, frame, b);
    else if (frame.used_levels > key_levels && frame.several_ranks)
        sort_small_crowds(exec, input, frame, b);
    order = b.order.data();
    if (points != nullptr) {
        for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
            const Source s = points[order[i]];
            bodies[i] = s;
            sizes[i] = s.softening;
        });
        return;
    }
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Body body = input.body(order[i]);
        const bool is_point = input.is_point(order[i]);
        const Source s = to_source(body, is_point, frame);
        bodies[i] = s;
        sizes[i] = size_of(body, s, is_point, frame);
    });
}

/// Returns whether groups were made, too.
template <class Exec>
bool sort_bodies(const Exec& exec, const Input& input, const Frame& frame, std::size_t leaf_size, Bodies<Exec>& b) {
    const std::size_t n = b.count = input.size();
    b.keys.resize_discard(n);
    b.order.resize_discard(n);
    b.bodies.resize_discard(n);
    b.sizes.resize_discard(n);
    b.lower_keys.resize_discard(0);
    if (const ByBlocks by_blocks = sort_blocks(exec, input, frame, b); by_blocks.sorted) return by_blocks.grouped;
    sort_one_by_one(exec, input, frame, leaf_size, b);
    reject_overlaps(exec, input, frame, b);
    reject_crowds(exec, input, frame, b);
    return false;
}

/// Leaves in b.massive how many bodies of each run are the first of their source.
template <class Exec>
void count_places(const Exec& exec, const Group* runs, Bodies<Exec>& b) {
    const Source* const bodies = b.bodies.data();
    std::uint32_t* const sources = b.massive.data();
    for_each(exec, b.massive.size(), [=] GRAVLET_HD(std::size_t r) {
        std::uint32_t found = 0;
        for (std::uint32_t i = runs[r].begin; i < runs[r].begin + runs[r].count; ++i)
            found += bodies[i].mass > 0.0f && !joins_place(bodies, i) ? 1 : 0;
        sources[r] = found;
    });
}

/// Separates the sources from the other bodies of the runs that make_groups() has made.
template <class Exec>
void separate_sources(const Exec& exec, const Group* runs, std::size_t leaf_size, Bodies<Exec>& b) {
    bool places = any_place(exec, b, leaf_size);
    if (places) count_places(exec, runs, b);
    std::uint32_t* const begin = b.massive.data();
    b.source_count = exclusive_scan(exec, begin, begin, b.massive.size());
    places = places && !b.all_massive();  // else places too near to tell apart alternate along the curve
    b.place_begin.resize_discard(places ? b.source_count : 0);
    if (b.all_massive()) return;
    b.source_target.resize_discard(b.source_count);
    b.source_bodies.resize_discard(b.source_count);
    b.source_keys.resize_discard(b.source_count);
    b.source_lower_keys.resize_discard(b.crowded() ? b.source_count : 0);
    const Source* const bodies = b.bodies.data();
    cell_index *const target = b.source_target.data(), *const place = places ? b.place_begin.data() : nullptr;
    Source* const to = b.source_bodies.data();
    key_type *const to_key = b.source_keys.data(), *const to_lower_key = b.source_lower_keys.data();
    const Keys keys = b.all_keys();
    for_each_team<32>(exec, b.massive.size(), [=] GRAVLET_HD(std::size_t r, const typename Exec::template Team<32>& team) {
        std::uint32_t next = begin[r], found = 0;
        const std::uint32_t end = runs[r].begin + runs[r].count;
        for (std::uint32_t first = runs[r].begin; first < end; first += team.size, next += found) {
            const std::uint32_t i = first + team.rank();
            const Source body = bodies[i < end ? i : end - 1];
            const bool is_source = i < end && body.mass > 0.0f && (place == nullptr || !joins_place(bodies, i));
            const std::uint32_t at = next + team.count_before(is_source, found);
            if (!is_source) continue;
            target[at] = i;
            if (place != nullptr) place[at] = i;
            to[at] = body;
            to_key[at] = keys.upper[i];
            if (keys.lower != nullptr) to_lower_key[at] = keys.lower[i];
        }
    });
    if (places) merge_places(exec, b);
}

/// Local. Throws Error(invalid_input) if two cells are at one place, neighbours on the curve overlap, or too many bodies crowd.
/// `input` is in the backend's memory.
template <class Exec>
void sort(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& bodies) {
    bodies.group_size = Exec::group_size(options);
    const bool grouped = sort_bodies(exec, input, frame, static_cast<std::size_t>(options.leaf_size), bodies);
    const Group* const runs = grouped ? bodies.groups.data() : make_groups(exec, frame, bodies.group_size, bodies);
    separate_sources(exec, runs, static_cast<std::size_t>(options.leaf_size), bodies);
}

}  // namespace gravlet
