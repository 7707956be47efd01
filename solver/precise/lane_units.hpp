// SPDX-License-Identifier: Apache-2.0
// Who walks together where a team has a lane for each target (solver/precise/lane_walk.hpp): a few targets of a group, so that
// enough teams have work, and a group in thin air, whose box touches a dense region, does not open all of it.
#pragma once

#include "solver/precise/group_walk.hpp"

#include <cstddef>
#include <cstdint>

namespace gravlet {

/// Consecutive targets of a group.
struct LaneUnit {
    std::uint32_t group, begin, count;
};

/// Local. Cuts those units of `from` (`count` of them, backend memory) of which wanted(i) holds into units of at most `size`
/// targets, in `to`.
template <class Exec, class Wanted>
void cut_units(const Exec& exec, const LaneUnit* from, std::size_t count, std::uint32_t size, Wanted wanted,
               typename Exec::template Buffer<LaneUnit>& to) {
    auto buffer = exec.template buffer<std::uint32_t>();
    buffer.resize_discard(count);
    std::uint32_t* const first = buffer.data();
    for_each(exec, count, [=] GRAVLET_HD(std::size_t i) { first[i] = wanted(i) ? (from[i].count + size - 1) / size : 0; });
    to.resize_discard(exclusive_scan(exec, first, first, count));
    LaneUnit* const out = to.data();
    for_each(exec, count, [=] GRAVLET_HD(std::size_t i) {
        if (!wanted(i)) return;
        const LaneUnit unit = from[i];
        for (std::uint32_t done = 0, k = first[i]; done < unit.count; done += size, ++k) {
            const std::uint32_t left = unit.count - done;
            out[k] = {unit.group, unit.begin + done, left < size ? left : size};
        }
    });
}

/// Local. Makes a unit of each group with targets whose results are wanted.
template <class Exec>
void whole_groups(const Exec& exec, const PreciseWalk& work, typename Exec::template Buffer<LaneUnit>& to) {
    to.resize_discard(work.targets.group_count);
    LaneUnit* const out = to.data();
    for_each(exec, to.size(), [=] GRAVLET_HD(std::size_t g) {
        const Group& group = work.targets.groups[g];
        out[g] = {static_cast<std::uint32_t>(g), group.begin, work.is_wanted(g) ? group.count : 0};
    });
}

}  // namespace gravlet
