// SPDX-License-Identifier: Apache-2.0
// From the caller's arrays to sorted bodies on the backend: keys, sort, gather, target groups, and the bodies with mass apart.
#pragma once

#include "solver/acceptance.hpp"
#include "solver/bodies.hpp"
#include "solver/input.hpp"
#include "solver/keys.hpp"
#include "solver/validate_input.hpp"

namespace gravlet {

/// Unsoftened points carry this instead of 0, so that a body with softening2 > 0 is a point. Negligible in any r^2.
inline constexpr float point_mark = 1e-37f;

/// A body of the caller's, wherever its arrays are.
template <class Exec>
Body read_body(const Exec& exec, const Input& input, std::size_t i) {
    auto body = exec.template buffer<Body>();
    body.resize_discard(1);
    Body* const to = body.data();
    for_each(exec, 1, [=] GRAVLET_HD(std::size_t) { to[0] = input.body(i); });
    return read(exec, body.data());
}

/// Local. Throws Error(invalid_input) naming the first unacceptable body. `input` is in the backend's memory, `named` as the
/// caller gave it.
template <class Exec>
InputScan scan_input(const Exec& exec, const Input& input, const Input& named, const Domain& domain) {
    const std::size_t chunks = (input.size() + scan_chunk - 1) / scan_chunk;
    const InputScan scan = transform_reduce(
        exec, chunks, [=] GRAVLET_HD(std::size_t chunk) { return scan_bodies(input, chunk, chunks, Exec::strided, domain); },
        empty_scan(), [] GRAVLET_HD(const InputScan& a, const InputScan& b) { return merge(a, b); });
    if (scan.first_bad < input.size()) reject_body(named, scan.first_bad, read_body(exec, input, scan.first_bad), domain);
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

/// The sorted index of a cell (not a point) at the place of cell i and after it, or n. Keys are sorted, so equal positions lie in
/// one run of equal keys.
GRAVLET_HD inline std::size_t twin(const key_type* keys, const Source* bodies, std::size_t n, std::size_t i) {
    if (bodies[i].softening2 > 0.0f) return n;
    for (std::size_t j = i + 1; j < n && keys[j] == keys[i]; ++j) {
        if (bodies[j].softening2 == 0.0f && bodies[j].x == bodies[i].x && bodies[j].y == bodies[i].y &&
            bodies[j].z == bodies[i].z)
            return j;
    }
    return n;
}

struct TwinPair {
    std::size_t first, second;
};

template <class Exec>
void reject_equal_cells(const Exec& exec, const Input& input, const Input& named, const Bodies<Exec>& b) {
    const std::size_t n = b.count;
    const key_type* const keys = b.keys.data();
    const Source* const bodies = b.bodies.data();
    const TwinPair twins = transform_reduce(
        exec, n,
        [=] GRAVLET_HD(std::size_t i) {
            const std::size_t j = twin(keys, bodies, n, i);
            return j < n ? TwinPair{i, j} : TwinPair{n, n};
        },
        TwinPair{n, n}, [] GRAVLET_HD(const TwinPair& p, const TwinPair& q) { return p.first <= q.first ? p : q; });
    if (twins.first == n) return;
    const std::size_t one = read(exec, b.order.data() + twins.first), other = read(exec, b.order.data() + twins.second);
    reject_pair(named, one, other, read_body(exec, input, one));
}

template <class Exec>
void sort_bodies(const Exec& exec, const Input& input, const Input& named, const Frame& frame, Bodies<Exec>& b) {
    const std::size_t n = b.count = input.size();
    b.keys.resize_discard(n);
    b.order.resize_discard(n);
    b.bodies.resize_discard(n);
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    const int unused_bits = 3 * (key_levels - frame.used_levels);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Source s = to_source(input, i, frame);
        keys[i] = hilbert_key(s.x, s.y, s.z, frame.used_levels);
        order[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, keys, order, n, unused_bits);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) { bodies[i] = to_source(input, order[i], frame); });
    reject_equal_cells(exec, input, named, b);
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
    b.source_count = transform_reduce(
        exec, b.count, [=] GRAVLET_HD(std::size_t i) { return std::size_t{bodies[i].mass > 0.0f}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    if (b.all_massive()) return;
    b.source_target.resize_discard(b.source_count);
    b.source_bodies.resize_discard(b.source_count);
    b.source_keys.resize_discard(b.source_count);
    cell_index* const target = b.source_target.data();
    select_indices(exec, b.count, target, [=] GRAVLET_HD(std::size_t i) { return bodies[i].mass > 0.0f; });
    Source* const to = b.source_bodies.data();
    key_type* const to_key = b.source_keys.data();
    const key_type* const keys = b.keys.data();
    for_each(exec, b.source_count, [=] GRAVLET_HD(std::size_t i) {
        to[i] = bodies[target[i]];
        to_key[i] = keys[target[i]];
    });
}

/// Sums start at zero.
template <class Exec>
void clear_sums(const Exec& exec, bool acceleration, Bodies<Exec>& b) {
    for (auto* const buffer : {&b.potential, &b.field[0], &b.field[1], &b.field[2]}) {
        if (buffer != &b.potential && !acceleration) break;
        buffer->resize_discard(b.count);
        double* const sums = buffer->data();
        for_each(exec, b.count, [=] GRAVLET_HD(std::size_t i) { sums[i] = 0.0; });
    }
}

/// Local. Throws Error(invalid_input) if two cells are at one place. `input` is in the backend's memory, `named` as the caller
/// gave it.
template <class Exec>
void stage_in(const Exec& exec, const Input& input, const Input& named, const Frame& frame, const Options& options,
              Bodies<Exec>& bodies) {
    sort_bodies(exec, input, named, frame, bodies);
    bodies.group_size = Exec::group_size(options);
    make_groups(exec, input, frame, bodies.group_size, bodies);
    separate_sources(exec, bodies);
    clear_sums(exec, frame.acceleration, bodies);
}

}  // namespace gravlet
