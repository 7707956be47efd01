// SPDX-License-Identifier: Apache-2.0
// From the caller's arrays to sorted bodies on the backend: keys, sort, gather, target groups, and the bodies with mass apart.
#pragma once

#include "solver/acceptance.hpp"
#include "solver/bodies.hpp"
#include "solver/input.hpp"
#include "solver/keys.hpp"
#include "solver/validate_input.hpp"

#include <fmt/format.h>

namespace gravlet {

/// Unsoftened points carry this instead of 0, so that a body with softening2 > 0 is a point. Negligible in any r^2.
inline constexpr float point_mark = 1e-37f;

/// Local. Throws Error(invalid_input) naming the first unacceptable body.
template <class Exec>
InputScan scan_input(const Exec& exec, const Input& input, const Box* domain) {
    const InputScan scan = transform_reduce(
        exec, (input.size() + scan_chunk - 1) / scan_chunk,
        [=] GRAVLET_HD(std::size_t chunk) { return scan_bodies(input, chunk, domain); }, empty_scan(),
        [] GRAVLET_HD(const InputScan& a, const InputScan& b) { return merge(a, b); });
    if (scan.first_bad < input.size()) reject_body(input, scan.first_bad, domain);
    return scan;
}

GRAVLET_HD inline Source to_source(const Input& input, std::size_t i, const Frame& frame) {
    const Body b = input.body(i);
    float softening2 = 0.0f;
    if (input.is_point(i)) {
        softening2 = static_cast<float>(frame.softening * frame.softening);
        if (softening2 < point_mark) softening2 = point_mark;
    }
    return {(b.x - frame.origin[0]) / frame.side, (b.y - frame.origin[1]) / frame.side, (b.z - frame.origin[2]) / frame.side,
            static_cast<float>(b.mass / frame.mass_unit), softening2};
}

/// Two cells (not points) at one place: their sorted indices, or equal numbers if there are none. Keys are sorted, so equal
/// positions lie in one run of equal keys.
template <class Exec>
void reject_equal_cells(const Exec& exec, const Input& input, const Bodies<Exec>& b) {
    const std::size_t n = b.count;
    const key_type* const keys = b.keys.data();
    const Source* const bodies = b.bodies.data();
    const auto twin = [=] GRAVLET_HD(std::size_t i) {
        if (bodies[i].softening2 > 0.0f) return n;
        for (std::size_t j = i + 1; j < n && keys[j] == keys[i]; ++j) {
            if (bodies[j].softening2 == 0.0f && bodies[j].x == bodies[i].x && bodies[j].y == bodies[i].y &&
                bodies[j].z == bodies[i].z)
                return j;
        }
        return n;
    };
    const std::size_t first = transform_reduce(
        exec, n, [=] GRAVLET_HD(std::size_t i) { return twin(i) < n ? i : n; }, n,
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
    if (first == n) return;
    const std::size_t one = read(exec, b.order.data() + first), other = read(exec, b.order.data() + twin(first));
    const Body at = input.body(one);
    throw Error(ErrorCode::invalid_input, fmt::format("{} and {} are at the same place ({}, {}, {})", describe_place(input, one),
                                                      describe_place(input, other), at.x, at.y, at.z));
}

template <class Exec>
void sort_bodies(const Exec& exec, const Input& input, const Frame& frame, Bodies<Exec>& b) {
    const std::size_t n = b.count = input.size();
    b.keys.resize_discard(n);
    b.order.resize_discard(n);
    b.bodies.resize_discard(n);
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Source s = to_source(input, i, frame);
        keys[i] = hilbert_key(s.x, s.y, s.z);
        order[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, keys, order, n);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) { bodies[i] = to_source(input, order[i], frame); });
    reject_equal_cells(exec, input, b);
}

template <class Exec>
void make_groups(const Exec& exec, const Input& input, const Frame& frame, std::size_t group_size, Bodies<Exec>& b) {
    const std::size_t n = b.count, count = (n + group_size - 1) / group_size;
    b.groups.resize_discard(count);
    Group* const groups = b.groups.data();
    const Source* const bodies = b.bodies.data();
    const cell_index* const order = b.order.data();
    for_each(exec, count, [=] GRAVLET_HD(std::size_t g) {
        const std::size_t begin = g * group_size, end = begin + group_size < n ? begin + group_size : n;
        Group group{{{2, 2, 2}, {-1, -1, -1}}, 1.0};
        for (std::size_t i = begin; i < end; ++i) {
            const Source& s = bodies[i];
            group.box = united(group.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
            double scale = frame.softening;
            if (!input.is_point(order[i])) {
                const Body cell = input.body(order[i]);
                scale = (cell.dx < cell.dy ? (cell.dx < cell.dz ? cell.dx : cell.dz) : (cell.dy < cell.dz ? cell.dy : cell.dz)) /
                        frame.side;
            }
            if (scale < group.scale) group.scale = scale;
        }
        groups[g] = group;
    });
}

template <class Exec>
void separate_sources(const Exec& exec, Bodies<Exec>& b) {
    const Source* const bodies = b.bodies.data();
    const auto massive = [=] GRAVLET_HD(std::size_t i) { return bodies[i].mass > 0.0f; };
    b.source_count = transform_reduce(
        exec, b.count, [=] GRAVLET_HD(std::size_t i) { return std::size_t{massive(i)}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    if (b.all_massive()) return;
    b.source_target.resize_discard(b.source_count);
    b.source_bodies.resize_discard(b.source_count);
    b.source_keys.resize_discard(b.source_count);
    cell_index* const target = b.source_target.data();
    select_indices(exec, b.count, target, massive);
    for_each(exec, b.source_count,
             [=, to = b.source_bodies.data(), to_key = b.source_keys.data(), keys = b.keys.data()] GRAVLET_HD(std::size_t i) {
                 to[i] = bodies[target[i]];
                 to_key[i] = keys[target[i]];
             });
}

/// Sums start at zero.
template <class Exec>
void clear_sums(const Exec& exec, bool acceleration, Bodies<Exec>& b) {
    const auto clear = [&](auto& buffer) {
        buffer.resize_discard(b.count);
        for_each(exec, b.count, [sums = buffer.data()] GRAVLET_HD(std::size_t i) { sums[i] = 0.0; });
    };
    clear(b.potential);
    if (!acceleration) return;
    for (auto& axis : b.field) clear(axis);
}

/// Local. Throws Error(invalid_input) if two cells are at one place.
template <class Exec>
void stage_in(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& bodies) {
    sort_bodies(exec, input, frame, bodies);
    make_groups(exec, input, frame, static_cast<std::size_t>(options.group_size), bodies);
    separate_sources(exec, bodies);
    clear_sums(exec, frame.acceleration, bodies);
}

}  // namespace gravlet
