// SPDX-License-Identifier: Apache-2.0
// Target groups: runs of neighbours along the curve that walk the tree together.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/partition_point.hpp"
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
    /// Square of the step that is too long for a group: `times` the mean, the geometric one, which long steps hardly move. The
    /// mean is of the floats' bits as integers, which are nearly their logarithms.
    [[nodiscard]] GRAVLET_HD float limit(float times) const {
        const std::int32_t mean = static_cast<std::int32_t>(sum_ / (count_ > 0 ? count_ : 1));
        float step = 0.0f;
        memcpy(&step, &mean, sizeof step);
        return times * times * step;
    }
    [[nodiscard]] GRAVLET_HD bool any_too_long(float times) const { return longest_ > limit(times); }
    /// Takes together what the lanes of a team have.
    template <class Team>
    GRAVLET_HD void gather(const Team& team) {
        sum_ = team.sum(sum_);
        count_ = team.sum(count_);
        longest_ = team.most(longest_);
    }

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

/// How often a place's distance from the root cube's centre has doubled since it was two sides; 0 below that.
GRAVLET_HD inline int octave_of(const RootCube& cube, const Source& s) {
    const double half = 0.5 * cube.side, x = fabs(s.x - (cube.corner.x + half)), y = fabs(s.y - (cube.corner.y + half)),
                 z = fabs(s.z - (cube.corner.z + half)), distance = fmax(x, fmax(y, z)) / cube.side;
    return distance < 2.0 ? 0 : ilogb(distance);
}

GRAVLET_HD inline Group empty_group(std::size_t begin) {
    return {empty_bounds(), 1.0f, 0.0f, static_cast<std::uint32_t>(begin), 0, 1.0f, 0.0f};
}

GRAVLET_HD inline void add_target(Group& group, const Source& s, float size) {
    group.box = united(group.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
    group.scale = fminf(group.scale, size);
    group.softening = fmaxf(group.softening, s.softening);
    ++group.count;
}

/// What the lanes of a team have added.
template <class Team>
GRAVLET_HD void gather(const Team& team, Group& group) {
    group.box = united_of(team, group.box);
    group.scale = team.least(group.scale);
    group.softening = team.most(group.softening);
    group.count = team.sum(group.count);
}

/// What cuts runs.
struct Cuts {
    BoxPieces box;
    RootCube cube;
    bool by_octave;      ///< whether one group's distances from the root cube are in one octave
    float longest_step;  ///< longest step within a group, in mean steps
};

/// Whether a run is cut between two bodies wherever the others are.
GRAVLET_HD inline bool must_be_cut(const Source& a, const Source& b, const Cuts& cuts) {
    return in_two_pieces(cuts.box, a, b) || (cuts.by_octave && octave_of(cuts.cube, a) != octave_of(cuts.cube, b));
}
/// Whether a run is cut between two bodies.
GRAVLET_HD inline bool is_cut(const Source& a, const Source& b, const Steps& steps, const Cuts& cuts) {
    return distance_squared(a, b) > steps.limit(cuts.longest_step) || must_be_cut(a, b, cuts);
}

/// The number of what has none.
inline constexpr key_type no_number = ~key_type{0};

/// The number of a cell along the curve through all cells of its size, where these are the octree's cubes.
GRAVLET_HD inline key_type number_of_cell(key_type key, float size, const RootCube& cube) {
    const float sides = static_cast<float>(cube.side) / size;
    const int level = ilogbf(sides * 1.0001f);
    const bool is_cube = level <= key_levels && fabsf(ldexpf(sides, -level) - 1.0f) < 1e-3f;
    return is_cube ? key >> (3 * (key_levels - level)) : no_number;
}

/// Bodies [body, ...) up to the next stretch are cut into runs: number `run` and those after it. Of the first one `missing` are
/// not here.
struct Stretch {
    std::uint32_t body, run, missing;
};

/// `count` stretches begin where `begins` says. `number`: a body's along the curve, or no_number. Returns the number of runs.
template <class Exec, class Begins, class Number>
std::size_t cut_into_stretches(const Exec& exec, std::size_t group_size, TargetSet<Exec>& b, std::size_t count,
                               const Begins& begins, const Number& number, typename Exec::template Buffer<Stretch>& stretches) {
    const std::size_t n = b.count;
    b.first_group.resize_discard(2 * count);
    std::uint32_t *const runs = b.first_group.data(), *const first = runs + count;
    select_indices(exec, n, first, begins);
    stretches.resize_discard(count);
    Stretch* const to = stretches.data();
    for_each(exec, count, [=] GRAVLET_HD(std::size_t s) {
        const key_type here = number(first[s]);
        const std::uint32_t missing = here == no_number ? 0 : static_cast<std::uint32_t>(here % group_size);
        to[s] = {first[s], 0, missing};
        runs[s] =
            static_cast<std::uint32_t>(((s + 1 < count ? first[s + 1] : n) - first[s] + missing + group_size - 1) / group_size);
    });
    const std::size_t total = exclusive_scan(exec, runs, runs, count);
    for_each(exec, count, [=] GRAVLET_HD(std::size_t s) { to[s].run = runs[s]; });
    return total;
}

/// How many begin.
template <class Exec, class Begins>
std::size_t count_stretches(const Exec& exec, std::size_t n, const Begins& begins) {
    return transform_reduce(
        exec, n, [=] GRAVLET_HD(std::size_t i) { return std::size_t{begins(i)}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
}

/// Cells of one size that follow each other on the curve fill a box if the number of the first is a multiple of theirs. So where
/// ranks share out a mesh without regard to its blocks, runs are counted along the whole curve, and after gaps anew: a stretch
/// begins. Else all bodies are one; as with gaps in every other run, of cells that are scattered. Returns the number of runs.
template <class Exec>
std::size_t find_stretches(const Exec& exec, const Frame& frame, std::size_t group_size, TargetSet<Exec>& b,
                           typename Exec::template Buffer<Stretch>& stretches) {
    const std::size_t n = b.count, most = n / (2 * group_size);
    const key_type* const keys = b.keys.data();
    const float* const sizes = b.sizes.data();
    const RootCube cube = frame.cube;
    const auto number = [=] GRAVLET_HD(std::size_t i) { return number_of_cell(keys[i], sizes[i], cube); };
    const auto begins = [=] GRAVLET_HD(std::size_t i) {
        if (i == 0) return true;
        const key_type here = number(i), before = number(i - 1);
        return sizes[i] == sizes[i - 1] && here != no_number && (here - before - 1) % group_size != 0;
    };
    const bool by_numbers = frame.several_ranks && !frame.points && most > 0;
    std::size_t count = 1;
    if (by_numbers) count = count_stretches(exec, n, begins);
    const bool numbered = by_numbers && count <= most;
    if (!numbered || count == 1) {  // as most are
        const key_type first = numbered ? number_of_cell(read(exec, keys), read(exec, sizes), cube) : no_number;
        const Stretch all{0, 0, first == no_number ? 0 : static_cast<std::uint32_t>(first % group_size)};
        stretches.resize_discard(1);
        copy_in(exec, &all, stretches.data(), 1);
        return (n + all.missing + group_size - 1) / group_size;
    }
    return cut_into_stretches(exec, group_size, b, count, begins, number, stretches);
}

/// The bodies of a run: [begin, end).
struct RunRange {
    std::size_t begin, end;
};

GRAVLET_HD inline RunRange range_of_run(const Stretch* stretches, std::size_t count, std::size_t n, std::size_t group_size,
                                        std::size_t run) {
    const std::size_t low = partition_point(std::size_t{1}, count, [=](std::size_t s) { return stretches[s].run <= run; }) - 1;
    const Stretch s = stretches[low];
    const std::size_t end = low + 1 < count ? stretches[low + 1].body : n, place = run - s.run;
    const std::size_t next = s.body + (place + 1) * group_size - s.missing;
    return {place == 0 ? s.body : next - group_size, next < end ? next : end};
}

/// The runs become groups, cut where the box's pieces meet, and where the curve leaves this rank's part of space and comes
/// back elsewhere: a group whose box spans both ends would open everything in between. Most runs stay whole. Returns the runs,
/// and leaves in b.massive how many bodies of each have mass.
template <class Exec>
const Group* groups_of_runs(const Exec& exec, const Frame& frame, std::size_t group_size, std::size_t run_count,
                            const typename Exec::template Buffer<Stretch>& stretches, TargetSet<Exec>& b) {
    // Ranks part space: there the curve leaves this one's part again and again, to come back not far away.
    const Cuts cuts{frame.pieces, frame.cube, b.anywhere, frame.several_ranks ? 8.0f : 16.0f};
    const std::size_t n = b.count;
    const std::size_t stretch_count = stretches.size();
    const Stretch* const stretch = stretches.data();
    std::swap(b.runs, b.groups);  // those of the solve before are where these go
    b.runs.resize_discard(run_count);
    b.first_group.resize_discard(run_count);
    b.massive.resize_discard(run_count);
    Group* const runs = b.runs.data();
    std::uint32_t *const first = b.first_group.data(), *const massive = b.massive.data();
    const Source* const bodies = b.bodies.data();
    const float* const sizes = b.sizes.data();
    for_each_team<32>(exec, run_count, [=] GRAVLET_HD(std::size_t r, const typename Exec::template Team<32>& team) {
        const auto [begin, end] = range_of_run(stretch, stretch_count, n, group_size, r);
        Group run = empty_group(begin);
        Steps steps;
        std::uint32_t cut = 0, with_mass = 0;
        for (std::size_t i = begin + team.rank(); i < end; i += team.size) {
            const Source here = bodies[i], last = bodies[i > begin ? i - 1 : i];
            if (i > begin) steps.add(distance_squared(last, here));
            cut |= must_be_cut(last, here, cuts) ? 1 : 0;
            add_target(run, here, sizes[i]);
            with_mass += here.mass > 0.0f ? 1 : 0;
        }
        gather(team, run);
        with_mass = team.sum(with_mass);
        steps.gather(team);
        std::uint32_t parts = 0;
        if (team.most(cut) > 0 || steps.any_too_long(cuts.longest_step))
            for (std::size_t i = begin + 1 + team.rank(); i < end; i += team.size)
                parts += is_cut(bodies[i - 1], bodies[i], steps, cuts) ? 1 : 0;
        parts = 1 + team.sum(parts);
        if (team.rank() != 0) return;
        runs[r] = run;
        first[r] = parts;
        massive[r] = with_mass;
    });
    const std::uint32_t count = exclusive_scan(exec, first, first, run_count);
    if (count == run_count) {
        std::swap(b.runs, b.groups);
        return b.groups.data();
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
            } while (i < end && !is_cut(bodies[i - 1], bodies[i], steps, cuts));
            groups[g] = group;
        }
    });
    return runs;
}

/// Runs of `group_size` bodies become groups.
template <class Exec>
const Group* make_groups(const Exec& exec, const Frame& frame, std::size_t group_size, TargetSet<Exec>& b) {
    auto stretches = exec.template buffer<Stretch>();
    const std::size_t runs = b.count == 0 ? 0 : find_stretches(exec, frame, group_size, b, stretches);
    return groups_of_runs(exec, frame, group_size, runs, stretches, b);
}

/// So do runs within spans: span(i) is that of target i.
template <class Exec, class Span>
void make_groups_within(const Exec& exec, const Frame& frame, std::size_t group_size, const Span& span, TargetSet<Exec>& b) {
    auto stretches = exec.template buffer<Stretch>();
    const auto begins = [=] GRAVLET_HD(std::size_t i) { return i == 0 || span(i) != span(i - 1); };
    const auto number = [] GRAVLET_HD(std::size_t) { return no_number; };
    const std::size_t spans = count_stretches(exec, b.count, begins),
                      runs = cut_into_stretches(exec, group_size, b, spans, begins, number, stretches);
    groups_of_runs(exec, frame, group_size, runs, stretches, b);
}

}  // namespace gravlet
