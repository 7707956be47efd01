// SPDX-License-Identifier: Apache-2.0
// Places for which a solve finds sums: a rank's bodies, or guard cells and faces. They are in the order of the curve, in groups,
// and know nothing of what they are to the caller.
#pragma once

#include "physics/components.hpp"
#include "physics/keys.hpp"
#include "physics/types.hpp"
#include "solver/data/walked_for.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gravlet {

template <class Buffer>
[[nodiscard]] SumArrays arrays_of(std::array<Buffer, result_count>& sums) {
    SumArrays out;
    for (std::size_t k = 0; k < result_count; ++k) out.of[k] = sums[k].data();
    return out;
}

template <class Exec>
struct TargetSet {
    template <class T>
    using Buffer = typename Exec::template Buffer<T>;

    explicit TargetSet(const Exec& exec)
        : keys(exec.template buffer<key_type>()),
          bodies(exec.template buffer<Source>()),
          sizes(exec.template buffer<float>()),
          order(exec.template buffer<cell_index>()),
          groups(exec.template buffer<Group>()),
          runs(exec.template buffer<Group>()),
          first_group(exec.template buffer<std::uint32_t>()),
          massive(exec.template buffer<std::uint32_t>()),
          walked(exec.template buffer<Group>()),
          walked_active(exec.template buffer<std::uint8_t>()),
          active(exec.template buffer<std::uint32_t>()),
          set(exec.template buffer<std::uint32_t>()),
          near_sums(empty_sums(exec, std::make_index_sequence<result_count>())),
          sums(empty_sums(exec, std::make_index_sequence<result_count>())) {}

    std::size_t count = 0;
    Buffer<key_type> keys;     ///< keys of the targets, sorted
    Buffer<Source> bodies;     ///< the targets, sorted; those that are no bodies without mass
    Buffer<float> sizes;       ///< sizes of the sorted targets, as size_of() has them
    Buffer<cell_index> order;  ///< the caller's index of each

    std::size_t group_size = 0;
    /// Whether they may be far from the root cube. Lengths in a group are in single precision, so none is of a place near it and
    /// one far away.
    bool anywhere = false;
    Buffer<Group> groups;
    Buffer<Group> runs;                 ///< runs of group_size targets each, before they are cut
    Buffer<std::uint32_t> first_group;  ///< first group of each run
    Buffer<std::uint32_t> massive;      ///< bodies with mass of each run; then (solver/order/sort.hpp) of those before it

    /// Targets that are asked for: all of them, or (solver/order/targets.hpp) those in `walked` groups with a flag.
    bool all_active = true;
    std::size_t active_count = 0;
    Buffer<Group> walked;
    Buffer<std::uint8_t> walked_active;
    [[nodiscard]] std::size_t walked_groups() const { return all_active ? groups.size() : walked.size(); }
    [[nodiscard]] WalkedFor walked_for() const {
        if (all_active) return {.count = count};
        return {walked.data(), walked_active.data(), group_size, walked.size() * group_size};
    }
    Buffer<std::uint32_t> active;  ///< active targets of each group
    Buffer<std::uint32_t> set;     ///< numbers of the sets of groups that are walked

    /// What near cells have added to sums as cuboids, where it is asked for apart (solver/near/near_pairs.hpp); else empty.
    std::array<Buffer<double>, result_count> near_sums;

    /// What the walks add to, sorted, by component: sum m/r and its derivatives, as many as are wanted.
    std::array<Buffer<double>, result_count> sums;
    [[nodiscard]] SumArrays sum_arrays() { return arrays_of(sums); }
    [[nodiscard]] bool has_near_sums() const { return count > 0 && near_sums[0].size() == count; }

private:
    template <std::size_t... K>
    static std::array<Buffer<double>, result_count> empty_sums(const Exec& exec, std::index_sequence<K...>) {
        return {(static_cast<void>(K), exec.template buffer<double>())...};
    }
};

/// The bodies of a rank that a solve is for.
template <class Exec>
struct SolvedBodies {
    const TargetSet<Exec>& targets;
    const cell_index* target_of_body;  ///< the target that each sorted body is, or no_target; null: of the same number
};

}  // namespace gravlet
