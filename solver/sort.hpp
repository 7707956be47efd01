// SPDX-License-Identifier: Apache-2.0
// Bodies in the order of the curve: keys, sort, gather, target groups, and the bodies with mass apart.
#pragma once

#include "solver/bodies.hpp"
#include "solver/groups.hpp"
#include "solver/keys.hpp"
#include "solver/stage_in.hpp"

namespace gravlet {

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
    b.sizes.resize_discard(n);
    float* const sizes = b.sizes.data();
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    const int unused_bits = 3 * (key_levels - frame.used_levels);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Source s = to_source(input.body(i), input.is_point(i), frame);
        keys[i] = hilbert_key(s.x, s.y, s.z, frame.used_levels);
        order[i] = static_cast<cell_index>(i);
    });
    sort_by_key(exec, keys, order, n, unused_bits);
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) {
        const Body body = input.body(order[i]);
        const bool is_point = input.is_point(order[i]);
        bodies[i] = to_source(body, is_point, frame);
        sizes[i] = size_of(body, is_point, frame);
    });
    reject_equal_cells(exec, input, named, b);
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

/// Local. Throws Error(invalid_input) if two cells are at one place. `input` is in the backend's memory, `named` as the caller
/// gave it.
template <class Exec>
void sort(const Exec& exec, const Input& input, const Input& named, const Frame& frame, const Options& options,
          Bodies<Exec>& bodies) {
    sort_bodies(exec, input, named, frame, bodies);
    bodies.group_size = Exec::group_size(options);
    make_groups(exec, frame.pieces, bodies.group_size, bodies);
    separate_sources(exec, bodies);
}

}  // namespace gravlet
