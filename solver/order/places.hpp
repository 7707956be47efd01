// SPDX-License-Identifier: Apache-2.0
// Sources that stand for several points at one place: no tree could divide these, and all would act on all. They are made where
// more than a leaf has are at one place, of neighbours on the curve there with mass and of one softening length. On all others
// one acts as its points do. A point is not acted upon by itself, so that what it has of its own place is made right afterwards.
#pragma once

#include "physics/close_pair.hpp"
#include "physics/partition_point.hpp"
#include "physics/precise/exact_source.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_types.hpp"

#include <cstdint>

namespace gravlet {

GRAVLET_HD inline bool at_same_place(const Source& a, const Source& b) {
    const bool unsoftened = is_mark(a.softening) && is_mark(b.softening);
    return a.x == b.x && a.y == b.y && a.z == b.z && (unsoftened || a.softening == b.softening);
}

/// Whether a body is of the source that the one before it on the curve is of.
GRAVLET_HD inline bool joins_place(const Source* bodies, std::size_t i) {
    return i > 0 && bodies[i].mass > 0.0f && bodies[i - 1].mass > 0.0f && at_same_place(bodies[i - 1], bodies[i]);
}

/// Whether some sources are to stand for several bodies: more than `leaf_size` are at one place.
template <class Exec>
bool any_place(const Exec& exec, const Bodies<Exec>& b, std::size_t leaf_size) {
    if (!b.crowded() || b.count <= leaf_size) return false;
    const Source* const bodies = b.bodies.data();
    return any_of(exec, b.count - leaf_size,
                  [=] GRAVLET_HD(std::size_t i) { return at_same_place(bodies[i], bodies[i + leaf_size]); });
}

/// Gives sources, whose first bodies are known, the masses of all of theirs, and takes from those of several the number of a
/// target: none is what they are.
template <class Exec>
void merge_places(const Exec& exec, Bodies<Exec>& b) {
    b.place_count.resize_discard(b.source_count);
    const Source* const bodies = b.bodies.data();
    const cell_index* const first = b.place_begin.data();
    cell_index *const target = b.source_target.data(), *const count = b.place_count.data();
    Source* const sources = b.source_bodies.data();
    const std::size_t source_count = b.source_count, n = b.count;
    for_each_team<32>(exec, source_count, [=] GRAVLET_HD(std::size_t s, const typename Exec::template Team<32>& team) {
        const std::size_t end = s + 1 < source_count ? first[s + 1] : n;  // those without mass behind the source's count as 0
        double mass = 0.0;
        std::size_t joined = 0;
        for (std::size_t i = first[s] + team.rank(); i < end; i += team.size) {
            mass += exact_mass(bodies[i]);
            joined += i > first[s] && joins_place(bodies, i) ? 1 : 0;
        }
        mass = team.sum(mass), joined = team.sum(joined);
        if (team.rank() != 0) return;
        count[s] = static_cast<cell_index>(1 + joined);
        if (joined == 0) return;
        target[s] = no_target;
        sources[s].mass = static_cast<float>(mass);
        if (is_mark(sources[s].softening)) sources[s].softening = mark_of(mass, sources[s].mass);
    });
}

/// Local, after all walks for bodies. Takes from targets what the sources that they are of did to them as themselves. Returns how
/// many pairs at distance zero were left out beyond those that the walks have counted, one a target. `body_of_target`: null if
/// all bodies are targets. `exact`: exact values of bodies in a solve in double, else null.
template <class Exec>
std::uint64_t leave_out_own(const Exec& exec, const Bodies<Exec>& b, TargetSet<Exec>& targets, const cell_index* body_of_target,
                            const ExactSource* exact, SofteningKernel kernel, int derivatives) {
    const Source* const bodies = b.bodies.data();
    const cell_index *const first = b.place_begin.data(), *const count = b.place_count.data();
    const std::size_t source_count = b.source_count, components = component_count(derivatives);
    const WalkedFor walked = targets.walked_for();
    const SumArrays sums = targets.sum_arrays();
    return transform_reduce(
        exec, walked.count,
        [=] GRAVLET_HD(std::size_t number) {
            const std::size_t t = walked[number];
            if (t == WalkedFor::nobody) return std::uint64_t{0};
            const std::size_t i = body_of_target != nullptr ? body_of_target[t] : t;
            const std::size_t after = partition_point(std::size_t{0}, source_count, [=](std::size_t s) { return first[s] <= i; });
            if (after == 0 || bodies[i].mass == 0.0f || count[after - 1] == 1) return std::uint64_t{0};
            const bool softened = !is_mark(bodies[i].softening);
            ExactBody own{bodies[i].x, bodies[i].y, bodies[i].z, exact_mass(bodies[i]), softened ? bodies[i].softening : 0.0};
            if (exact != nullptr) own = exact_body(bodies[i], exact[i]);
            Jet<double, 2> sum{};
            if (!add_pair(sum, own, own, Vector3{0.0, 0.0, 0.0}, kernel)) return std::uint64_t{count[after - 1]} - 2;
            for (std::size_t k = 0; k < components; ++k) sums.of[k][t] -= sum.term[k];
            return std::uint64_t{0};
        },
        std::uint64_t{0}, [] GRAVLET_HD(std::uint64_t p, std::uint64_t q) { return p + q; });
}

}  // namespace gravlet
