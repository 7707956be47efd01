// SPDX-License-Identifier: Apache-2.0
// From the caller's arrays to sorted bodies on the backend: keys, sort, gather, target groups, and the bodies with mass apart.
#pragma once

#include "solver/acceptance.hpp"
#include "solver/bodies.hpp"
#include "solver/input.hpp"
#include "solver/keys.hpp"
#include "solver/validate_input.hpp"

#include <cmath>
#include <cstring>
#include <utility>

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

GRAVLET_HD inline float distance_squared(const Source& a, const Source& b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return static_cast<float>(x * x + y * y + z * z);
}

/// The steps from one body to the next along a run.
class Steps {
public:
    GRAVLET_HD void add(float squared) {
        const float step = fmaxf(squared, 1e-30f);
        std::int32_t bits = 0;
        memcpy(&bits, &step, sizeof bits);
        sum_ += bits;
        ++count_;
        longest_ = fmaxf(longest_, step);
    }
    /// Square of the step that is too long for a group: 16 times the mean, the geometric one, which long steps hardly move. The
    /// mean is of the floats' bits as integers, which are nearly their logarithms.
    [[nodiscard]] GRAVLET_HD float limit() const {
        const std::int32_t mean = static_cast<std::int32_t>(sum_ / (count_ > 0 ? count_ : 1));
        float step = 0.0f;
        memcpy(&step, &mean, sizeof step);
        return 256.0f * step;
    }
    [[nodiscard]] GRAVLET_HD bool any_too_long() const { return longest_ > limit(); }

private:
    std::int64_t sum_ = 0;
    std::int32_t count_ = 0;
    float longest_ = 0.0f;
};

/// Whether two bodies are in different pieces of a periodic box, which a group may not be.
GRAVLET_HD inline bool in_two_pieces(const BoxPieces& pieces, const Source& a, const Source& b) {
    return pieces.side > 0.0 &&
           (pieces.corner(0, a.x) != pieces.corner(0, b.x) || pieces.corner(1, a.y) != pieces.corner(1, b.y) ||
            pieces.corner(2, a.z) != pieces.corner(2, b.z));
}

/// A body's part of Group::scale.
GRAVLET_HD inline double scale_of(const Input& input, std::size_t i, const Frame& frame) {
    if (input.is_point(i)) return frame.softening;
    const Body cell = input.body(i);
    return fmin(cell.dx, fmin(cell.dy, cell.dz)) / frame.side;
}

GRAVLET_HD inline Group empty_group(std::size_t begin) {
    return {{{2, 2, 2}, {-1, -1, -1}}, 1.0, static_cast<std::uint32_t>(begin), 0};
}

GRAVLET_HD inline void add_target(Group& group, const Source& s, double scale) {
    group.box = united(group.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
    group.scale = fmin(group.scale, scale);
    ++group.count;
}

/// Whether a run is cut between two bodies.
GRAVLET_HD inline bool is_cut(const Source& a, const Source& b, const Steps& steps, const BoxPieces& box) {
    return distance_squared(a, b) > steps.limit() || in_two_pieces(box, a, b);
}

/// Runs of `group_size` bodies, cut where the box's pieces meet, and where the curve leaves this rank's part of space and comes
/// back elsewhere: a group whose box spans both ends would open everything in between. Most runs stay whole.
template <class Exec>
void make_groups(const Exec& exec, const Input& input, const Frame& frame, std::size_t group_size, Bodies<Exec>& b) {
    const std::size_t n = b.count, run_count = (n + group_size - 1) / group_size;
    b.runs.resize_discard(run_count);
    b.first_group.resize_discard(run_count);
    Group* const runs = b.runs.data();
    std::uint32_t* const first = b.first_group.data();
    const Source* const bodies = b.bodies.data();
    const cell_index* const order = b.order.data();
    const BoxPieces box = frame.pieces;
    for_each(exec, run_count, [=] GRAVLET_HD(std::size_t r) {
        const std::size_t begin = r * group_size, end = begin + group_size < n ? begin + group_size : n;
        Group run = empty_group(begin);
        Steps steps;
        bool whole = true;
        Source last = bodies[begin];
        for (std::size_t i = begin; i < end; ++i) {
            const Source here = bodies[i];
            if (i > begin) steps.add(distance_squared(last, here));
            whole = whole && !in_two_pieces(box, last, here);
            add_target(run, here, scale_of(input, order[i], frame));
            last = here;
        }
        std::uint32_t pieces = 1;
        if (!whole || steps.any_too_long())
            for (std::size_t i = begin + 1; i < end; ++i) pieces += is_cut(bodies[i - 1], bodies[i], steps, box) ? 1 : 0;
        runs[r] = run;
        first[r] = pieces;
    });
    const std::uint32_t count = exclusive_scan(exec, first, first, run_count);
    if (count == run_count) {
        std::swap(b.runs, b.groups);
        return;
    }
    b.groups.resize_discard(count);
    Group* const groups = b.groups.data();
    for_each(exec, run_count, [=] GRAVLET_HD(std::size_t r) {
        const std::size_t begin = runs[r].begin, end = begin + runs[r].count;
        std::uint32_t g = first[r];
        if ((r + 1 < run_count ? first[r + 1] : count) == g + 1) {
            groups[g] = runs[r];
            return;
        }
        Steps steps;
        for (std::size_t i = begin + 1; i < end; ++i) steps.add(distance_squared(bodies[i - 1], bodies[i]));
        for (std::size_t i = begin; i < end; ++g) {
            Group group = empty_group(i);
            do {
                add_target(group, bodies[i], scale_of(input, order[i], frame));
                ++i;
            } while (i < end && !is_cut(bodies[i - 1], bodies[i], steps, box));
            groups[g] = group;
        }
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
