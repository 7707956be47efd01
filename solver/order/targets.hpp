// SPDX-License-Identifier: Apache-2.0
// Who is solved for: sums start at zero, and groups without an active target are left out of the walks. Groups are not made anew
// for it, and those that walk together stay together: an active target gets the same bits as if all were. (packed_targets.hpp: it
// need not.)
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"

namespace gravlet {

/// `count` zeros.
template <class Exec>
void clear(const Exec& exec, std::size_t count, typename Exec::template Buffer<double>& buffer) {
    buffer.resize_discard(count);
    double* const sums = buffer.data();
    for_each(exec, count, [=] GRAVLET_HD(std::size_t i) { sums[i] = 0.0; });
}

template <class Exec>
void clear_sums(const Exec& exec, int derivatives, TargetSet<Exec>& b) {
    const std::size_t components = component_count(derivatives);
    for (std::size_t k = 0; k < components; ++k) b.sums[k].resize_discard(b.count);
    const SumArrays sums = b.sum_arrays();
    for_each(exec, b.count, [=] GRAVLET_HD(std::size_t i) {
        unrolled<result_count>([&](auto k) GRAVLET_INLINE_LAMBDA {
            if (static_cast<std::size_t>(k.value) < components) sums.of[k.value][i] = 0.0;
        });
    });
    b.near_sums[0].resize_discard(0);  // not told apart, unless they come to be
}

/// The sums of one target, where accelerations are wanted but no tides.
struct alignas(32) FieldSums {
    double of[component_count(1)];
};
/// Whether they go to the caller's places as a whole. Those of a block's cells are together as they are.
template <class Exec>
[[nodiscard]] bool leave_whole(const Input& input, int derivatives, const Bodies<Exec>& b) {
    return derivatives == 1 && input.blocks == nullptr && b.count >= worth_moving_whole;
}

GRAVLET_HD inline std::uint32_t active_targets(const GivenBodies& input, const Group& group, const cell_index* order) {
    std::uint32_t count = 0;
    for (std::uint32_t i = group.begin; i < group.begin + group.count; ++i) count += input.active(order[i]) ? 1 : 0;
    return count;
}

/// The groups with active targets, and those that walk together with one: Exec::groups_together of them, counted from the first.
template <class Exec>
void select_groups(const Exec& exec, const GivenBodies& input, TargetSet<Exec>& b) {
    constexpr std::size_t together = Exec::groups_together;
    const std::size_t n = b.groups.size(), sets = (n + together - 1) / together;
    b.active.resize_discard(n);
    b.set.resize_discard(sets);
    std::uint32_t *const active = b.active.data(), *const set = b.set.data();
    const Group* const groups = b.groups.data();
    const cell_index* const order = b.order.data();
    for_each(exec, n, [=] GRAVLET_HD(std::size_t g) { active[g] = active_targets(input, groups[g], order); });
    b.active_count = transform_reduce(
        exec, n, [=] GRAVLET_HD(std::size_t g) { return std::size_t{active[g]}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    const std::size_t chosen = select_indices(exec, sets, set, [=] GRAVLET_HD(std::uint32_t s) {
        for (std::size_t g = s * together; g < (s + 1) * together && g < n; ++g)
            if (active[g] > 0) return true;
        return false;
    });
    // All sets are full but the very last one, and that stays the last.
    const std::size_t missing = sets * together - n;
    const bool short_set = chosen > 0 && missing > 0 && read(exec, set + chosen - 1) == sets - 1;
    b.walked.resize_discard(chosen * together - (short_set ? missing : 0));
    b.walked_active.resize_discard(b.walked.size());
    Group* const to = b.walked.data();
    std::uint8_t* const to_active = b.walked_active.data();
    for_each(exec, b.walked.size(), [=] GRAVLET_HD(std::size_t k) {
        const std::size_t g = set[k / together] * together + k % together;
        to[k] = groups[g];
        to_active[k] = active[g] > 0 ? 1 : 0;
    });
}

/// Local. Bodies as the solve's targets. `input` is in the backend's memory.
template <class Exec>
void choose_targets(const Exec& exec, const Input& input, int derivatives, Bodies<Exec>& b) {
    clear_sums(exec, derivatives, b);
    if (leave_whole(input, derivatives, b)) b.in_transit.resize_discard(b.count);  // stage_out() may not allocate
    b.all_active = !input.as_given().any_inactive();
    b.active_count = b.count;
    if (!b.all_active) select_groups(exec, input, b);
    b.all_active = b.all_active || b.active_count == b.count;
}

}  // namespace gravlet
