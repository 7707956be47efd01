// SPDX-License-Identifier: Apache-2.0
// The walk in double where many lanes run side by side: a team walks for a few targets of a group, a target a lane, and what acts
// is evaluated on the way. (A CPU collects it first: cpu/precise_walk.cpp.) Where targets are fewer than lanes, several lanes
// have one, and each a part of what acts on it.
#pragma once

#include "physics/close_pair.hpp"
#include "physics/order.hpp"
#include "physics/path_size.hpp"
#include "solver/precise/group_walk.hpp"
#include "solver/precise/lane_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace gravlet {

/// A lane's part of the sums of one target, as walk_group() calls it.
template <int P, bool softened, int D>
struct LaneSums {
    const PreciseWalk& work;
    ExactBody target;
    std::size_t number;         ///< sorted number of the target
    std::uint32_t part, parts;  ///< number of this lane's part, of how many
    double most;                ///< a walk that finds more is given up; 0: none is
    double found = 0.0;         ///< what all lanes have found
    std::uint32_t turn = 0;     ///< number of the part that the next node is for
    node_index mine{};          ///< what this lane has not evaluated yet
    Vector3 mine_shift{};
    Jet<double, D> sums{};
    InteractionCounts counts{};

    GRAVLET_HD bool node(node_index index, const Vector3& shift) {
        if (turn == part) mine = index, mine_shift = shift;
        if (++turn == parts) evaluate();
        return goes_on(1);
    }

    GRAVLET_HD bool sources(std::uint32_t first, std::uint32_t count, int image, const Vector3& shift) {
        for (std::uint32_t s = first + part; s < first + count; s += parts) {
            ++counts.cell;
            if (target_of(work.tree, s, image) == number) continue;
            if (!add_pair(sums, target, work.source(s), shift, work.targets.softening_kernel)) ++counts.coincident;
        }
        return goes_on(count);
    }

    /// The nodes that lanes have, at once.
    GRAVLET_HD void evaluate() {
        const bool has_one = part < turn;
        turn = 0;
        if (!has_one) return;
        constexpr std::size_t terms = expansion_count(P, softened);
        const double* const expansion = work.precise.expansions + mine * terms;
        const Vector3 r = separation(target, work.tree.nodes[mine], mine_shift);
        const double own2 = target.softening * target.softening, node2 = expansion[terms - 1],
                     softening2 = softened ? larger(own2, node2) : 0.0;
        add_expansion<P, softened>(sums, r.x, r.y, r.z, reciprocal_root(r.x * r.x + r.y * r.y + r.z * r.z + softening2),
                                   softening2, expansion, [](double v) { return v; });
        ++counts.node;
    }

private:
    GRAVLET_HD bool goes_on(std::uint32_t more) {
        found += more;
        return most == 0.0 || found <= most;
    }
};

/// What units are walked, and what came of each.
struct LaneUnits {
    const LaneUnit* units;
    std::size_t count;
    double most;  ///< what a unit may find before it is given up; 0: no end
    InteractionCounts* counts;
    std::uint8_t* given_up;
};

template <int P, bool softened, int D, class Team>
struct WalkByLanes {
    PreciseWalk work;
    LaneUnits of;

    GRAVLET_HD void operator()(std::size_t u, const Team& team) const {
        const LaneUnit unit = of.units[u];
        std::uint32_t width = 1;
        while (width < unit.count) width *= 2;
        const std::uint32_t t = team.rank() % width, last = unit.count - 1;
        const std::size_t i = unit.begin + (t < last ? t : last);
        LaneSums<P, softened, D> lane{work, work.target(i), i, team.rank() / width, Team::size / width, of.most};
        Group group = work.targets.groups[unit.group];
        group.box =
            united_of(team, Bounds{{lane.target.x, lane.target.y, lane.target.z}, {lane.target.x, lane.target.y, lane.target.z}});
        const bool done = walk_group(work, group, lane);
        lane.evaluate();
        InteractionCounts counts = t > last || !done ? InteractionCounts{} : lane.counts;
        counts.node = team.sum(counts.node), counts.cell = team.sum(counts.cell), counts.coincident = team.sum(counts.coincident);
        for (std::size_t k = 0; k < component_count(D); ++k) lane.sums.term[k] = team.sum_across(lane.sums.term[k], width);
        if (done && team.rank() <= last)
            for (std::size_t k = 0; k < component_count(work.targets.derivatives); ++k)
                work.targets.sums.of[k][i] += lane.sums.term[k];
        if (team.rank() == 0) of.counts[u] = counts, of.given_up[u] = done ? 0 : 1;
    }
};

template <int P, bool softened, class Exec>
void walk_by_lanes(const Exec& exec, const PreciseWalk& work, const LaneUnits& of) {
    using Team = typename Exec::template Team<32>;
    if (work.targets.derivatives > 1)
        for_each_team<32>(exec, of.count, WalkByLanes<P, softened, 2, Team>{work, of});
    else
        for_each_team<32>(exec, of.count, WalkByLanes<P, softened, 1, Team>{work, of});
}

/// Local. Adds to the targets' sums. Walks that find several times the usual are given up, and done again for fewer targets at a
/// time; or to their end, if they are too many for that to be rare.
template <class Exec>
InteractionCounts walk_in_double(const Exec& exec, const PreciseWalk& work, const std::function<void()>& /*poll*/) {
    InteractionCounts total;
    if (work.tree.node_count == 0 && !work.targets.one_by_one) return total;
    auto units = exec.template buffer<LaneUnit>(), next = exec.template buffer<LaneUnit>();
    auto counts = exec.template buffer<InteractionCounts>();
    auto given_up = exec.template buffer<std::uint8_t>();
    constexpr std::size_t few_targets = path_size(1 << 17, 512);  // with 32 a team they leave a device idle
    std::uint32_t size = work.targets.count < few_targets ? 8 : 32;
    double most = work.targets.one_by_one ? 0.0 : path_size(3072.0, 200.0) / std::pow(typical_theta(work.targets), 3);
    whole_groups(exec, work, units);
    const LaneUnit* const groups = units.data();
    cut_units(
        exec, groups, units.size(), size, [=] GRAVLET_HD(std::size_t g) { return groups[g].count > 0; }, next);
    while (next.size() > 0) {
        std::swap(units, next);
        const std::size_t n = units.size();
        counts.resize_discard(n), given_up.resize_discard(n);
        const LaneUnits of{units.data(), n, size == 1 ? 0.0 : most, counts.data(), given_up.data()};
        with_full_order(work.precise.order, [&](auto p) {
            constexpr int P = decltype(p)::value;
            work.precise.softened ? walk_by_lanes<P, true>(exec, work, of) : walk_by_lanes<P, false>(exec, work, of);
        });
        total.add(total_of(exec, of.counts, n));
        const std::size_t again = transform_reduce(
            exec, n, [=] GRAVLET_HD(std::size_t u) { return std::size_t{of.given_up[u]}; }, std::size_t{0},
            [] GRAVLET_HD(std::size_t a, std::size_t b) { return a + b; });
        const bool rare = again <= std::max<std::size_t>(64, n / 16);
        size = !rare ? size : size > 8 ? 8 : 1;
        most = rare ? most : 0.0;
        cut_units(
            exec, of.units, n, size, [=] GRAVLET_HD(std::size_t u) { return of.given_up[u] != 0; }, next);
    }
    return total;
}

}  // namespace gravlet
