// SPDX-License-Identifier: Apache-2.0
// The walk in double where many lanes run side by side: a team walks for a group, a target a lane, and what acts is evaluated on
// the way. (A CPU collects it first: cpu/precise_walk.cpp.)
#pragma once

#include "physics/close_pair.hpp"
#include "physics/order.hpp"
#include "solver/precise/group_walk.hpp"

#include <cstddef>

namespace gravlet {

/// Sums of one target, as walk_group() calls it.
template <int P, bool softened, int D>
struct LaneSums {
    const PreciseWalk& work;
    ExactBody target;
    std::size_t number;  ///< sorted
    Jet<double, D> sums{};
    InteractionCounts counts{};

    GRAVLET_HD void node(node_index index, const Vector3& shift) {
        constexpr std::size_t terms = expansion_count(P, softened);
        const double* const expansion = work.precise.expansions + index * terms;
        const Vector3 r = separation(target, work.tree.nodes[index], shift);
        const double own2 = target.softening * target.softening, node2 = expansion[terms - 1],
                     softening2 = softened ? larger(own2, node2) : 0.0;
        add_expansion<P, softened>(sums, r.x, r.y, r.z, reciprocal_root(r.x * r.x + r.y * r.y + r.z * r.z + softening2),
                                   softening2, expansion, [](double v) { return v; });
        ++counts.node;
    }

    GRAVLET_HD void sources(std::uint32_t first, std::uint32_t count, int image, const Vector3& shift) {
        for (std::uint32_t s = first; s < first + count; ++s) {
            if (target_of(work.tree, s, image) == number) continue;
            if (!add_pair(sums, target, work.source(s), shift, work.targets.softening_kernel)) ++counts.coincident;
        }
        counts.cell += count;
    }
};

/// For each group, its counts to counts[].
template <int P, bool softened, int D, class Team>
struct WalkByLanes {
    PreciseWalk work;
    InteractionCounts* counts;

    GRAVLET_HD void operator()(std::size_t g, const Team& team) const {
        InteractionCounts total;
        const Group& group = work.targets.groups[g];
        for (std::uint32_t begin = 0; work.is_wanted(g) && begin < group.count; begin += Team::size) {
            const std::uint32_t t = begin + team.rank(), last = group.count - 1;
            const std::size_t i = group.begin + (t < last ? t : last);
            LaneSums<P, softened, D> lane{work, work.target(i), i};
            walk_group(work, group, lane);
            if (t > last) continue;
            for (std::size_t k = 0; k < component_count(work.targets.derivatives); ++k)
                work.targets.sums.of[k][i] += lane.sums.term[k];
            total.add(lane.counts);
        }
        total.node = team.sum(total.node), total.cell = team.sum(total.cell), total.coincident = team.sum(total.coincident);
        if (team.rank() == 0) counts[g] = total;
    }
};

template <int P, bool softened, class Exec>
void walk_by_lanes(const Exec& exec, const PreciseWalk& work, InteractionCounts* counts) {
    using Team = typename Exec::template Team<32>;
    const std::size_t n = work.targets.group_count;
    if (work.targets.derivatives > 1)
        for_each_team<32>(exec, n, WalkByLanes<P, softened, 2, Team>{work, counts});
    else
        for_each_team<32>(exec, n, WalkByLanes<P, softened, 1, Team>{work, counts});
}

/// Local. Adds to the targets' sums.
template <class Exec>
InteractionCounts walk_in_double(const Exec& exec, const PreciseWalk& work) {
    if (work.tree.node_count == 0 && !work.targets.one_by_one) return {};
    auto buffer = exec.template buffer<InteractionCounts>();
    buffer.resize_discard(work.targets.group_count);
    InteractionCounts* const counts = buffer.data();
    with_full_order(work.precise.order, [&](auto p) {
        constexpr int P = decltype(p)::value;
        work.precise.softened ? walk_by_lanes<P, true>(exec, work, counts) : walk_by_lanes<P, false>(exec, work, counts);
    });
    return total_of(exec, counts, work.targets.group_count);
}

}  // namespace gravlet
