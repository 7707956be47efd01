// SPDX-License-Identifier: Apache-2.0
// A mesh that is as it was in the last solve needs no sort and no tree: new masses go where the old ones are. Whether it is, is
// not taken on trust: the pass that fetches the masses compares every place and size with those that were sorted then.
#pragma once

#include "solver/bodies.hpp"
#include "solver/groups.hpp"
#include "solver/stage_in.hpp"

#include <algorithm>

namespace gravlet {

/// Whether equal places of the caller's are equal ones in both frames. Masses may be in other units.
[[nodiscard]] inline bool same_places(const Frame& a, const Frame& b) {
    return std::equal(a.origin, a.origin + 3, b.origin) && a.side == b.side && a.used_levels == b.used_levels &&
           a.softening == b.softening && a.points == b.points && a.piece_level == b.piece_level;
}

/// Brings one group's masses up to date. False if one of its bodies is not where it was, has another size, or got or lost all its
/// mass (bodies without are not in the tree).
GRAVLET_HD inline bool refresh_group(const Input& input, const Frame& frame, const Group& group, const cell_index* order,
                                     Source* bodies) {
    bool same = true;
    double scale = 1.0;
    for (std::uint32_t i = group.begin; i < group.begin + group.count; ++i) {
        const Source now = to_source(input, order[i], frame);
        const Source& then = bodies[i];
        same = same && now.x == then.x && now.y == then.y && now.z == then.z && now.softening2 == then.softening2 &&
               (now.mass > 0.0f) == (then.mass > 0.0f);
        scale = fmin(scale, scale_of(input, order[i], frame));
        bodies[i].mass = now.mass;
    }
    return same && scale == group.scale;
}

/// Local. `b` as sort() left it. If true, `b` is what sort() would make of `input`; if false, sort() must follow.
template <class Exec>
bool refresh(const Exec& exec, const Input& input, const Frame& frame, Bodies<Exec>& b) {
    const std::size_t group_count = b.groups.size();
    b.changed.resize_discard(group_count);
    std::uint8_t* const changed = b.changed.data();
    const Group* const groups = b.groups.data();
    const cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    for_each(exec, group_count,
             [=] GRAVLET_HD(std::size_t g) { changed[g] = refresh_group(input, frame, groups[g], order, bodies) ? 0 : 1; });
    const std::size_t changes = transform_reduce(
        exec, group_count, [=] GRAVLET_HD(std::size_t g) { return std::size_t{changed[g]}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    if (changes > 0) return false;
    if (b.all_massive()) return true;
    const cell_index* const target = b.source_target.data();
    Source* const sources = b.source_bodies.data();
    for_each(exec, b.source_count, [=] GRAVLET_HD(std::size_t s) { sources[s].mass = bodies[target[s]].mass; });
    return true;
}

}  // namespace gravlet
