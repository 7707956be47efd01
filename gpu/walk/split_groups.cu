// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/loops.cuh"
#include "gpu/walk/walk.hpp"
#include "physics/acceptance.hpp"

namespace gravlet {

void split_groups(const Gpu& gpu, const WalkTargets& targets, const WalkedGroup* given_up, std::size_t count, int size,
                  int per_group, DeviceBuffer<Group>& subgroups) {
    subgroups.resize_discard(count * static_cast<std::size_t>(per_group));
    Group* const to = subgroups.data();
    const std::uint32_t length = static_cast<std::uint32_t>(size);
    for_each(gpu, subgroups.size(), [=] GRAVLET_HD(std::size_t p) {
        const Group& whole = targets.groups[given_up[p / per_group].group];
        const std::uint32_t offset = static_cast<std::uint32_t>(p % per_group) * length;
        Group subgroup = whole;
        subgroup.box = empty_bounds();
        subgroup.side = fmaxf(whole.side, static_cast<float>(longest_side(whole.box)));
        subgroup.begin += offset;
        subgroup.count = offset >= whole.count ? 0 : whole.count - offset < length ? whole.count - offset : length;
        for (std::uint32_t i = subgroup.begin; i < subgroup.begin + subgroup.count; ++i) {
            const Source& s = targets.bodies[i];
            subgroup.box = united(subgroup.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
        }
        to[p] = subgroup;
    });
}

}  // namespace gravlet
