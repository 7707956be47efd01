// SPDX-License-Identifier: Apache-2.0
// The walk of near cells: what those do to a few target groups that lie together, over what they have done as points. Where the
// targets are cells of one size on a lattice, as nearly all are, the masses of cells on that lattice are put beside each other,
// and 26 neighbours act on each target by weights; cells of other sizes, and all cells elsewhere, pair by pair.
#pragma once

#include "physics/cuboid/near_cells.hpp"
#include "physics/path_size.hpp"
#include "physics/precise/exact_source.hpp"
#include "solver/data/walk_types.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gravlet {

GRAVLET_HD inline bool overlap(const Bounds& a, const Bounds& b) {
    return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) & (b.lower.y <= a.upper.y) &
           (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

GRAVLET_HD inline Bounds moved(const Bounds& box, const Vector3& by) {
    return {{box.lower.x + by.x, box.lower.y + by.y, box.lower.z + by.z},
            {box.upper.x + by.x, box.upper.y + by.y, box.upper.z + by.z}};
}

/// Groups that are walked for together by a team: the more, the fewer cells around them; but a warp has lanes for one.
template <class Team>
inline constexpr std::size_t near_groups = Team::size == 1 ? 16 : 1;

/// Cells of a lattice around some targets, those beside them included.
inline constexpr int most_near_places = path_size(1024, 150);

/// The lattice that some targets are on, from the cell before the first one on.
struct TargetLattice {
    double origin[3], per_side[3];
    int count[3];
    float size;  ///< size of the cells on the lattice; 0: there is none

    /// Whether cells of that size are (hosts' blocks round them each for itself).
    [[nodiscard]] GRAVLET_HD bool is_of(float other) const { return size > 0.0f && fabsf(other - size) <= 1e-6f * size; }

    /// Finds the place on the lattice, by direction; false if (x, y, z) is elsewhere between the places.
    [[nodiscard]] GRAVLET_HD bool find(double x, double y, double z, int (&place)[3]) const {
        constexpr double rounding = 1e-3;
        const double at[3] = {(x - origin[0]) * per_side[0], (y - origin[1]) * per_side[1], (z - origin[2]) * per_side[2]};
        bool on = true;
        for (int a = 0; a < 3; ++a) {
            place[a] = static_cast<int>(clamped(at[a]) + 1.5) - 1;  // rounded: conversion is faster than floor()
            on = on & (fabs(clamped(at[a]) - place[a]) <= rounding);
        }
        return on;
    }
    /// Places outside of the lattice are all one.
    [[nodiscard]] GRAVLET_HD static double clamped(double at) { return at > -1.0 ? at < 1e6 ? at : 1e6 : -1.0; }
    [[nodiscard]] GRAVLET_HD bool holds(const int (&place)[3]) const {
        bool inside = true;
        for (int a = 0; a < 3; ++a) inside = inside & (place[a] >= 0) & (place[a] < count[a]);
        return inside;
    }
    [[nodiscard]] GRAVLET_HD int index(int i, int j, int k) const { return (k * count[1] + j) * count[0] + i; }
    [[nodiscard]] GRAVLET_HD int places() const { return count[0] * count[1] * count[2]; }
};

/// What a neighbour of mass and shortest side 1 adds, by the directions in which it is a side away: bit a stands for direction a.
/// Derivatives are those of a target behind it.
struct NeighbourWeights {
    double of[8][component_count(1)] = {};
    bool all = false;  ///< whether of cells on a lattice these are all that are near

    explicit NeighbourWeights(const NearLaw& law) : all(true) {
        for (int a = 0; a < 3; ++a) all = all && law.reach[a] < 1.99 * law.shape[a];
        for (int c = 1; c < 8; ++c) {
            const Jet<double, 1> jet =
                law.difference_at<1>({(c & 1) * law.shape[0], (c >> 1 & 1) * law.shape[1], (c >> 2) * law.shape[2]});
            for (std::size_t k = 0; k < component_count(1); ++k) of[c][k] = jet.term[k];
        }
    }
};

template <int D>
struct NearWalk {
    TreeView tree;
    const Bounds* reach;  ///< reaches of the tree's nodes
    const float* sizes;   ///< sizes of the tree's sources; 0: a point
    NearLaw law;
    NeighbourWeights weights;
    const Vector3* images;
    int image_count;
    WalkTargets targets;
    const float* target_sizes;
    double* masses;                      ///< most_near_places and one more a team; null: a lone lane has its own
    SumArrays apart;                     ///< where the difference goes as well; null: nowhere
    const ExactSource* exact = nullptr;  ///< exact values of the tree's sources, in a solve in double
    double root_side = 1.0;

    /// Groups from near_groups * unit on.
    template <class Team>
    GRAVLET_HD void operator()(std::size_t unit, const Team& team) const {
        constexpr std::size_t together = near_groups<Team>;
        const std::size_t first = unit * together,
                          end = first + together < targets.group_count ? first + together : targets.group_count;
        if (act_together(unit, first, end, team) || together == 1) return;
        constexpr std::size_t fewer = together > 4 ? together / 4 : 1;
        for (std::size_t k = first; k < end; k += fewer) {
            const std::size_t last = k + fewer < end ? k + fewer : end;
            if (act_together(unit, k, last, team)) continue;
            for (std::size_t g = k; g < last; ++g) act_together(unit, g, g + 1, team);
        }
    }

private:
    [[nodiscard]] GRAVLET_HD double mass_of(std::uint32_t source) const {
        return exact != nullptr ? exact[source].mass : double{tree.sources[source].mass};
    }
    /// A size in double, of cells that halve: their sides are the root cube's halved.
    [[nodiscard]] GRAVLET_HD double exact_size(float size) const {
        if (exact == nullptr) return size;
        const double halved = ldexp(root_side, -static_cast<int>(rint(log2(root_side / size))));
        return fabs(halved - size) <= 1e-6 * size ? halved : size;
    }

    /// Targets that are walked for together, and what is known of them. `masses`, `target_at`: of each place of their lattice;
    /// the latter is a target's number plus one, and `next` that of the next at its place (guard cells of several blocks may be
    /// at one), by number.
    struct Targets {
        Bounds box;
        std::uint32_t begin, end;
        TargetLattice lattice;
        double* masses;
        std::uint16_t *target_at, *next;
    };

    /// Acts on several groups together; false if they are better walked for one by one.
    template <class Team>
    GRAVLET_HD bool act_together(std::size_t unit, std::size_t first, std::size_t end, const Team& team) const {
        Targets some{empty_bounds(), targets.groups[first].begin, targets.groups[first].begin, {}, nullptr, nullptr, nullptr};
        bool active = targets.active == nullptr, row = true;
        for (std::size_t g = first; g < end; ++g) {
            const Group& group = targets.groups[g];
            row = row && group.begin == some.end;
            some.end = group.begin + group.count;
            some.box = united(some.box, group.box);
            active = active || targets.active[g] != 0;
        }
        if (!active) return true;
        if constexpr (Team::size == 1) {
            double own_masses[most_near_places + 1];
            std::uint16_t own_targets[most_near_places], own_next[most_near_places];
            some.masses = own_masses, some.target_at = own_targets, some.next = own_next;
            return act_together(some, row, end - first > 1, team);
        } else {
            some.masses = masses + unit * (most_near_places + 1);
            return act_together(some, row, end - first > 1, team);
        }
    }
    template <class Team>
    GRAVLET_HD bool act_together(Targets& some, bool row, bool several, const Team& team) const {
        if (row) find_lattice(some, team);
        if (several && some.lattice.size == 0.0f) return false;
        act(some, team);
        return true;
    }

    template <class Team>
    GRAVLET_HD void find_lattice(Targets& some, const Team& team) const {
        TargetLattice& lattice = some.lattice;
        const float size = target_sizes[some.begin];
        if (!weights.all || D > 1 || !(size > 0.0f)) return;
        const double low[3] = {some.box.lower.x, some.box.lower.y, some.box.lower.z},
                     high[3] = {some.box.upper.x, some.box.upper.y, some.box.upper.z};
        double places = 1.0;
        for (int a = 0; a < 3; ++a) {
            const double side = size * law.shape[a];
            lattice.per_side[a] = 1.0 / side;
            lattice.origin[a] = low[a] - side;
            const double count = floor((high[a] - low[a]) / side + 0.5) + 3.0;
            places *= count;
            lattice.count[a] = static_cast<int>(fmin(count, 1e6));
        }
        if (places <= most_near_places && some.end - some.begin <= most_near_places && place_all(some, size, team))
            lattice.size = size;
    }

    /// Puts the targets on their lattice, with their masses if they are sources. False if some are elsewhere, or of other sizes.
    template <class Team>
    GRAVLET_HD bool place_all(const Targets& some, float size, const Team& team) const {
        const TargetLattice& lattice = some.lattice;
        for (int k = static_cast<int>(team.rank()); k < lattice.places(); k += static_cast<int>(team.size)) {
            some.masses[k] = 0.0;
            if constexpr (Team::size == 1) some.target_at[k] = 0;
        }
        team.join();
        std::uint32_t off = 0;
        for (std::uint32_t i = some.begin + team.rank(); i < some.end; i += team.size) {
            int place[3];
            const Source& target = targets.bodies[i];
            const bool on = lattice.find(target.x, target.y, target.z, place) && lattice.holds(place) &&
                            target.softening == 0.0f && fabsf(target_sizes[i] - size) <= 1e-6f * size;
            off |= on ? 0u : 1u;
            if (!on) continue;
            const int index = lattice.index(place[0], place[1], place[2]);
            if (targets_are_sources()) some.masses[index] = mass_of(i);
            if constexpr (Team::size == 1) {
                some.next[i - some.begin] = some.target_at[index];
                some.target_at[index] = static_cast<std::uint16_t>(i - some.begin + 1);
            }
        }
        return team.most(off) == 0;
    }

    /// Whether targets are sources, which have the same numbers then, those of this rank.
    [[nodiscard]] GRAVLET_HD bool targets_are_sources() const { return tree.sources == targets.bodies; }

    template <class Team>
    GRAVLET_HD void act(const Targets& some, const Team& team) const {
        const TargetLattice& lattice = some.lattice;
        for (int image = 0; image < image_count; ++image) {
            const Vector3 shift = images[image];
            const Bounds box = moved(some.box, {-shift.x, -shift.y, -shift.z});
            if (targets.one_by_one) {
                add_leaf(0, static_cast<std::uint32_t>(tree.source_count), some, box, shift, team);
            } else if (tree.node_count > 0 && overlap(reach[tree.root], box)) {
                walk(some, box, shift, team);
            }
        }
        if (!(lattice.size > 0.0f)) return;
        team.join();
        add_neighbours(some, team);
        team.join();
    }

    template <class Team>
    GRAVLET_HD void walk(const Targets& some, const Bounds& box, const Vector3& shift, const Team& team) const {
        node_index stack[8 * 2 * (deepest_level + 9)];  // a level's nodes are together on it: at most eight
        int top = 0;
        stack[top++] = tree.root;
        while (top > 0) {
            const Node& node = tree.nodes[stack[--top]];
            const std::uint32_t first = node.first, end = first + node.count;
            if (node.leaf != 0) {
                add_leaf(first, end, some, box, shift, team);
            } else {
                for (std::uint32_t c = first; c < end; ++c)
                    if (overlap(reach[c], box)) stack[top++] = c;
            }
        }
    }

    /// Sources of a leaf: each lane puts those on the lattice there; all lanes go through the others.
    template <class Team>
    GRAVLET_HD void add_leaf(std::uint32_t begin, std::uint32_t end, const Targets& some, const Bounds& box, const Vector3& shift,
                             const Team& team) const {
        const TargetLattice& lattice = some.lattice;
        const bool placed = lattice.size > 0.0f && targets_are_sources() && shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0;
        if (placed && begin >= some.begin && end <= some.end) return;  // with the targets
        std::uint32_t others = 0;
        for (std::uint32_t s = begin + team.rank(); s < end; s += team.size) {
            const float size = sizes[s];
            int place[3] = {-1, 0, 0};
            const bool on = lattice.is_of(size) && find(lattice, s, shift, place);
            // Half of all are not beside targets: without a branch.
            const int index = on && lattice.holds(place) ? lattice.index(place[0], place[1], place[2]) : most_near_places;
            some.masses[index] = mass_of(s);
            others |= !on && size > 0.0f ? 1u : 0u;
        }
        if (team.most(others) == 0) return;
        for (std::uint32_t s = begin; s < end; ++s) {
            const float size = sizes[s];
            int place[3];
            if (!(size > 0.0f) || (lattice.is_of(size) && find(lattice, s, shift, place)) ||
                !overlap(law.reach_of(tree.sources[s], size), box))
                continue;
            add_source(s, size, some, shift, team);
        }
    }

    [[nodiscard]] GRAVLET_HD bool find(const TargetLattice& lattice, std::uint32_t s, const Vector3& shift,
                                       int (&place)[3]) const {
        const Source& source = tree.sources[s];
        return lattice.find(source.x + shift.x, source.y + shift.y, source.z + shift.z, place);
    }
    [[nodiscard]] GRAVLET_HD int place_of(const TargetLattice& lattice, std::uint32_t target) const {
        int place[3];
        const Source& at = targets.bodies[target];
        static_cast<void>(lattice.find(at.x, at.y, at.z, place));
        return lattice.index(place[0], place[1], place[2]);
    }

    /// A cell that is elsewhere, on all of a team's targets.
    template <class Team>
    GRAVLET_HD void add_source(std::uint32_t s, float size, const Targets& some, const Vector3& shift, const Team& team) const {
        const Source& source = tree.sources[s];
        const Vector3 at{source.x + shift.x, source.y + shift.y, source.z + shift.z};
        const double per_size = 1.0 / exact_size(size), mass = mass_of(s);
        const TargetLattice& lattice = some.lattice;
        if (!(lattice.size > 0.0f) || some.target_at == nullptr) {
            for (std::uint32_t i = some.begin + team.rank(); i < some.end; i += team.size) add_pair(i, at, mass, per_size);
            return;
        }
        int low[3], high[3];  // the targets' places in reach
        const double centre[3] = {at.x, at.y, at.z};
        for (int a = 0; a < 3; ++a) {
            const double from = (centre[a] - lattice.origin[a]) * lattice.per_side[a],
                         far = law.reach[a] * size * lattice.per_side[a] + 0.01;
            low[a] = static_cast<int>(from - far < 1.0 ? 1.0 : from - far < 1e6 ? from - far + 0.999999 : 1e6);
            high[a] = static_cast<int>(from + far < 0.0 ? 0.0 : from + far < 1e6 ? from + far : 1e6);
            if (high[a] > lattice.count[a] - 2) high[a] = lattice.count[a] - 2;
        }
        for (int k = low[2]; k <= high[2]; ++k) {
            for (int j = low[1]; j <= high[1]; ++j) {
                for (int i = low[0]; i <= high[0]; ++i)
                    for (std::uint32_t t = some.target_at[lattice.index(i, j, k)]; t > 0; t = some.next[t - 1])
                        add_pair(some.begin + t - 1, at, mass, per_size);
            }
        }
    }

    GRAVLET_HD void add_pair(std::uint32_t i, const Vector3& source, double mass, double per_size) const {
        const Source& target = targets.bodies[i];
        const Vector3 d{target.x - source.x, target.y - source.y, target.z - source.z};
        const NearLaw::Steps steps = law.steps(d, per_size);
        if (!law.is_near(steps) || target.softening != 0.0f) return;
        Jet<double, D> sum{};
        if (targets.in_cells)
            law.add_anywhere(sum, d, mass, per_size);
        else
            law.add(sum, d, steps, mass, per_size);
        add_to(i, sum);
    }

    /// Neighbours on the lattice.
    template <class Team>
    GRAVLET_HD void add_neighbours(const Targets& some, const Team& team) const {
        const TargetLattice& lattice = some.lattice;
        if constexpr (Team::size > 1) {
            for (std::uint32_t i = some.begin + team.rank(); i < some.end; i += team.size)
                add_neighbours(lattice, some.masses + place_of(lattice, i), i);
        } else {
            for (int k = 1; k < lattice.count[2] - 1; ++k) {
                for (int j = 1; j < lattice.count[1] - 1; ++j) {
                    for (int p = lattice.index(1, j, k); p < lattice.index(lattice.count[0] - 1, j, k); ++p)
                        for (std::uint32_t t = some.target_at[p]; t > 0; t = some.next[t - 1])
                            add_neighbours(lattice, some.masses + p, some.begin + t - 1);
                }
            }
        }
    }

    GRAVLET_HD void add_neighbours(const TargetLattice& lattice, const double* here, std::uint32_t i) const {
        const int along[3] = {1, lattice.count[0], lattice.count[0] * lattice.count[1]};
        // Sums over classes. Of each row along x: its middle, its ends together, and their difference.
        double potential[8] = {}, x[8] = {}, y[8] = {}, z[8] = {};
        for (int k = -1; k <= 1; ++k) {
            for (int j = -1; j <= 1; ++j) {
                const double* const row = here + j * along[1] + k * along[2];
                const int c = (j != 0 ? 2 : 0) + (k != 0 ? 4 : 0);
                const double middle = row[0], ends = row[-1] + row[1], difference = row[1] - row[-1];
                potential[c] += middle, potential[c + 1] += ends;
                if constexpr (D > 0) {
                    x[c + 1] += difference;
                    y[c] += j * middle, y[c + 1] += j * ends;
                    z[c] += k * middle, z[c + 1] += k * ends;
                }
            }
        }
        Jet<double, D> sum{};
        const double per_size = 1.0 / exact_size(lattice.size);
        for (int c = 1; c < 8; ++c) {
            const double* const of = weights.of[c];
            sum.term[0] += of[0] * potential[c];
            if constexpr (D > 0) {  // these are before it
                sum.term[1] -= of[1] * x[c];
                sum.term[2] -= of[2] * y[c];
                sum.term[3] -= of[3] * z[c];
            }
        }
        sum.term[0] *= per_size;
        if constexpr (D > 0)
            for (std::size_t c = 1; c < component_count(1); ++c) sum.term[c] *= per_size * per_size;
        add_to(i, sum);
    }

    GRAVLET_HD void add_to(std::uint32_t i, const Jet<double, D>& sum) const {
        for (std::size_t c = 0; c < component_count(D); ++c) {
            targets.sums.of[c][i] += sum.term[c];
            if (apart.of[0] != nullptr) apart.of[c][i] += sum.term[c];
        }
    }
};

}  // namespace gravlet
