// SPDX-License-Identifier: Apache-2.0
// Target groups: runs of neighbours along the curve that walk the tree together.
#pragma once

#include "physics/acceptance.hpp"
#include "solver/data/bodies.hpp"

#include <cmath>
#include <cstring>
#include <utility>

namespace gravlet {

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
    /// Square of the step that is too long for a group: 8 times the mean, the geometric one, which long steps hardly move. The
    /// mean is of the floats' bits as integers, which are nearly their logarithms.
    [[nodiscard]] GRAVLET_HD float limit() const {
        const std::int32_t mean = static_cast<std::int32_t>(sum_ / (count_ > 0 ? count_ : 1));
        float step = 0.0f;
        memcpy(&step, &mean, sizeof step);
        return 64.0f * step;
    }
    [[nodiscard]] GRAVLET_HD bool any_too_long() const { return longest_ > limit(); }

private:
    std::int64_t sum_ = 0;
    std::int32_t count_ = 0;
    float longest_ = 0.0f;
};

/// Whether two bodies are in different pieces of a periodic box, which a group may not be.
GRAVLET_HD inline bool in_two_pieces(const BoxPieces& pieces, const Source& a, const Source& b) {
    return pieces.side > 0.0 && (pieces.index(0, a.x) != pieces.index(0, b.x) || pieces.index(1, a.y) != pieces.index(1, b.y) ||
                                 pieces.index(2, a.z) != pieces.index(2, b.z));
}

GRAVLET_HD inline Group empty_group(std::size_t begin) {
    return {empty_bounds(), 1.0f, 0.0f, static_cast<std::uint32_t>(begin), 0};
}

GRAVLET_HD inline void add_target(Group& group, const Source& s, float size) {
    group.box = united(group.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
    group.scale = fminf(group.scale, size);
    group.softening = fmaxf(group.softening, s.softening);
    ++group.count;
}

/// Whether a run is cut between two bodies.
GRAVLET_HD inline bool is_cut(const Source& a, const Source& b, const Steps& steps, const BoxPieces& box) {
    return distance_squared(a, b) > steps.limit() || in_two_pieces(box, a, b);
}

/// How many cells of the first run other ranks have, where ranks share a mesh out without regard to its blocks: counted along the
/// whole curve, runs of cells of one size are boxes, and from wherever a rank's cells begin they are not.
template <class Exec>
std::size_t missing_in_first_run(const Exec& exec, const Frame& frame, std::size_t group_size, const Bodies<Exec>& b) {
    if (!frame.several_ranks || frame.points || b.count == 0) return 0;
    const double sides = frame.cube.side / read(exec, b.sizes.data());
    const int level = static_cast<int>(std::lround(std::log2(sides)));
    if (level > key_levels || std::abs(sides / std::exp2(level) - 1.0) > 1e-3) return 0;
    return (read(exec, b.keys.data()) >> (3 * (key_levels - level))) % group_size;
}

/// Runs of `group_size` bodies, cut where the box's pieces meet, and where the curve leaves this rank's part of space and comes
/// back elsewhere: a group whose box spans both ends would open everything in between. Most runs stay whole.
template <class Exec>
void make_groups(const Exec& exec, const Frame& frame, std::size_t group_size, Bodies<Exec>& b) {
    const BoxPieces box = frame.pieces;
    const std::size_t n = b.count, missing = missing_in_first_run(exec, frame, group_size, b);
    const std::size_t run_count = n == 0 ? 0 : (n + missing + group_size - 1) / group_size;
    b.runs.resize_discard(run_count);
    b.first_group.resize_discard(run_count);
    Group* const runs = b.runs.data();
    std::uint32_t* const first = b.first_group.data();
    const Source* const bodies = b.bodies.data();
    const float* const sizes = b.sizes.data();
    for_each(exec, run_count, [=] GRAVLET_HD(std::size_t r) {
        const std::size_t begin = r == 0 ? 0 : r * group_size - missing, next = (r + 1) * group_size - missing;
        const std::size_t end = next < n ? next : n;
        Group run = empty_group(begin);
        Steps steps;
        bool whole = true;
        Source last = bodies[begin];
        for (std::size_t i = begin; i < end; ++i) {
            const Source here = bodies[i];
            if (i > begin) steps.add(distance_squared(last, here));
            whole = whole && !in_two_pieces(box, last, here);
            add_target(run, here, sizes[i]);
            last = here;
        }
        std::uint32_t parts = 1;
        if (!whole || steps.any_too_long())
            for (std::size_t i = begin + 1; i < end; ++i) parts += is_cut(bodies[i - 1], bodies[i], steps, box) ? 1 : 0;
        runs[r] = run;
        first[r] = parts;
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
                add_target(group, bodies[i], sizes[i]);
                ++i;
            } while (i < end && !is_cut(bodies[i - 1], bodies[i], steps, box));
            groups[g] = group;
        }
    });
}

}  // namespace gravlet
