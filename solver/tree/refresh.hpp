// SPDX-License-Identifier: Apache-2.0
// A mesh that is as it was in the last solve needs no sort and no tree: new masses go where the old ones are. Whether it is, is
// not taken on trust, unless the host has said so (Solver::only_changed()): the pass that fetches the masses compares every
// position and size with those that were sorted then.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/order/stage_in.hpp"

#include <algorithm>

namespace gravlet {

/// Whether equal positions of the caller's are equal ones in both frames. Masses may be in other units.
[[nodiscard]] inline bool same_places(const Frame& a, const Frame& b) {
    return std::equal(a.origin, a.origin + 3, b.origin) && a.side == b.side && a.used_levels == b.used_levels &&
           a.softening == b.softening && a.points == b.points && a.piece_level == b.piece_level;
}

/// Whether equal masses of the caller's are equal ones in both.
[[nodiscard]] inline bool same_masses(const Frame& a, const Frame& b) {
    return a.per_mass_unit == b.per_mass_unit && a.background == b.background && a.heavy_mass == b.heavy_mass;
}

/// Whether one is a source and the other is not.
GRAVLET_HD inline bool other_mass(const Source& a, const Source& b) { return (a.mass > 0.0f) != (b.mass > 0.0f); }

/// Whether a body has other places, or lengths, than the sorted one had whose size was `size`. Of a point without softening its
/// mark is the mass's.
GRAVLET_HD inline bool other_place(const Body& body, const Source& now, const Source& then, bool is_point, float size,
                                   const Frame& frame) {
    const bool unsoftened = is_mark(now.softening) && is_mark(then.softening);
    return now.x != then.x || now.y != then.y || now.z != then.z ||
           (!unsoftened && (now.softening != then.softening || size_of(body, now, is_point, frame) != size));
}

/// Local. `b` as sort() left it. If true, `b` is what sort() would make of `input`; if false, sort() must follow. A body counts
/// as changed if it is not where it was, has another size, or got or lost all its mass (those without are not in the tree); such
/// a one's mass stays as it was. `marks`: those of sorted bodies that have another mass become 1, all others' 0. `told`: only
/// what input.may_have_changed() is looked at.
template <class Exec>
bool refresh(const Exec& exec, const GivenBodies& input, const Frame& frame, bool told, Bodies<Exec>& b,
             typename Exec::template Buffer<std::uint8_t>& marks) {
    if (b.has_places()) return false;
    const cell_index* const order = b.order.data();
    const float* const sizes = b.sizes.data();
    Source* const bodies = b.bodies.data();
    marks.resize_discard(b.count);
    std::uint8_t* const mark = marks.data();
    const bool changed = any_of(exec, b.count, [=] GRAVLET_HD(std::size_t i) {
        mark[i] = 0;
        if (told && !input.may_have_changed(order[i])) return false;
        const Body body = input.body(order[i]);
        const bool is_point = input.is_point(order[i]);
        const Source now = to_source(body, is_point, frame), then = bodies[i];
        const bool unsoftened = is_mark(now.softening) && is_mark(then.softening);
        mark[i] = now.mass != then.mass || now.softening != then.softening ? 1 : 0;
        if (!other_mass(now, then)) bodies[i].mass = now.mass;
        if (unsoftened) bodies[i].softening = now.softening;  // of the mass, too
        return other_mass(now, then) || other_place(body, now, then, is_point, sizes[i], frame);
    });
    if (changed) return false;
    if (b.all_massive()) return true;
    const cell_index* const target = b.source_target.data();
    Source* const sources = b.source_bodies.data();
    for_each(exec, b.source_count, [=] GRAVLET_HD(std::size_t s) { sources[s] = bodies[target[s]]; });
    return true;
}

/// Local, before refresh(). The caller's number of the first body that is another one than in `b`, sorted in the units of
/// `frame`, without its host's having said so; or their number.
template <class Exec>
std::size_t first_untold(const Exec& exec, const GivenBodies& input, const Frame& frame, const Bodies<Exec>& b) {
    const cell_index* const order = b.order.data();
    const float* const sizes = b.sizes.data();
    const Source* const bodies = b.bodies.data();
    const std::size_t n = b.count;
    return transform_reduce(
        exec, n,
        [=] GRAVLET_HD(std::size_t i) {
            if (input.may_have_changed(order[i])) return n;
            const Body body = input.body(order[i]);
            const bool is_point = input.is_point(order[i]);
            const Source now = to_source(body, is_point, frame), then = bodies[i];
            const bool other = now.mass != then.mass || other_place(body, now, then, is_point, sizes[i], frame);
            return other ? std::size_t{order[i]} : n;
        },
        n, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
}

}  // namespace gravlet
