// SPDX-License-Identifier: Apache-2.0
// Mirror images of targets (ewald/mirror.hpp): a set of its own, which is walked for as places are that are no bodies; what its
// sums come to is mirrored back, and added to those of the targets.
#pragma once

#include "ewald/mirror.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/order/targets.hpp"

#include <cstddef>

namespace gravlet {

template <class Exec>
class MirroredTargets {
public:
    explicit MirroredTargets(const Exec& exec) : exec_(exec), targets_(exec) {}

    /// Local. Becomes an image of the targets, in their order and in groups as theirs, with sums of 0; with their masses, by
    /// which close pairs are told, if they are bodies. `mirror`: in solver units.
    void mirror(const Mirror& mirror, Reflection by, const Frame& frame, bool are_bodies, TargetSet<Exec>& of);
    /// Local. Adds the sums, mirrored back, to those of the targets.
    void give_back(Reflection by, const Frame& frame, TargetSet<Exec>& to);
    [[nodiscard]] TargetSet<Exec>& targets() { return targets_; }

    // The parts of these; public because CUDA's extended lambdas may not be in private functions.

    void mirror_groups(const Mirror& mirror, Reflection by, const typename Exec::template Buffer<Group>& of,
                       typename Exec::template Buffer<Group>& to) const;
    void give_back(Reflection by, std::size_t components, const SumArrays& from, const SumArrays& to) const;

private:
    Exec exec_;
    TargetSet<Exec> targets_;
};

template <class Exec>
void MirroredTargets<Exec>::mirror(const Mirror& mirror, Reflection by, const Frame& frame, bool are_bodies,
                                   TargetSet<Exec>& of) {
    TargetSet<Exec>& b = targets_;
    const std::size_t n = b.count = of.count;
    b.group_size = of.group_size, b.anywhere = of.anywhere;
    b.all_active = of.all_active, b.active_count = of.active_count;
    b.bodies.resize_discard(n), b.sizes.resize_discard(n), b.order.resize_discard(n);
    const Source* const from = of.bodies.data();
    Source* const to = b.bodies.data();
    const float* const sizes = of.sizes.data();
    float* const own_sizes = b.sizes.data();
    const cell_index* const order = of.order.data();
    cell_index* const own_order = b.order.data();
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t t) {
        to[t] = mirror.image(from[t], by);
        if (!are_bodies) to[t].mass = 0.0f;
        own_sizes[t] = sizes[t], own_order[t] = order[t];
    });
    mirror_groups(mirror, by, of.groups, b.groups);
    if (!b.all_active) {
        mirror_groups(mirror, by, of.walked, b.walked);
        b.walked_active.resize_discard(of.walked_active.size());
        const std::uint8_t* const active = of.walked_active.data();
        std::uint8_t* const own_active = b.walked_active.data();
        for_each(exec_, b.walked_active.size(), [=] GRAVLET_HD(std::size_t g) { own_active[g] = active[g]; });
    }
    clear_sums(exec_, frame.derivatives, b);
    if (of.has_near_sums())
        for (std::size_t k = 0; k < component_count(frame.derivatives); ++k) clear(exec_, n, b.near_sums[k]);
}

template <class Exec>
void MirroredTargets<Exec>::mirror_groups(const Mirror& mirror, Reflection by, const typename Exec::template Buffer<Group>& of,
                                          typename Exec::template Buffer<Group>& to) const {
    to.resize_discard(of.size());
    const Group* const from = of.data();
    Group* const own = to.data();
    for_each(exec_, of.size(), [=] GRAVLET_HD(std::size_t g) {
        own[g] = from[g];
        own[g].box = mirror.image(from[g].box, by);
    });
}

template <class Exec>
void MirroredTargets<Exec>::give_back(Reflection by, const Frame& frame, TargetSet<Exec>& to) {
    const std::size_t components = component_count(frame.derivatives);
    give_back(by, components, targets_.sum_arrays(), to.sum_arrays());
    if (to.has_near_sums()) give_back(by, components, arrays_of(targets_.near_sums), arrays_of(to.near_sums));
}

template <class Exec>
void MirroredTargets<Exec>::give_back(Reflection by, std::size_t components, const SumArrays& from, const SumArrays& to) const {
    for_each(exec_, targets_.count, [=] GRAVLET_HD(std::size_t t) {
        for (std::size_t k = 0; k < components; ++k) to.of[k][t] += sign_of_image(k, by) * from.of[k][t];
    });
}

/// The bodies, whose images a round is for, as places that are no bodies.
template <class Exec>
struct BodyPlaces {
    static constexpr const char* stage = "mirror";
    static constexpr bool are_bodies = true;

    void find_cells(const Frame&, const Bodies<Exec>&, const Source*, std::size_t, TargetSet<Exec>&) {}
    void add_self_potentials(const Input&, const Frame&, const Options&, TargetSet<Exec>&) {}
    [[nodiscard]] WalkTargets walk_targets(const Frame& frame, const Options& options, TargetSet<Exec>& set) const {
        return gravlet::walk_targets(set, frame, options);
    }
};

}  // namespace gravlet
