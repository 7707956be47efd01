// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/primitives.cuh"
#include "gpu/walk/walk.hpp"
#include "physics/acceptance.hpp"

namespace gravlet {

void split_groups(const Gpu& gpu, const WalkTargets& targets, const WalkedGroup* given_up, std::size_t count, int size,
                  int per_group, DeviceBuffer<Group>& pieces) {
    pieces.resize_discard(count * static_cast<std::size_t>(per_group));
    Group* const to = pieces.data();
    const std::uint32_t length = static_cast<std::uint32_t>(size);
    for_each(gpu, pieces.size(), [=] GRAVLET_HD(std::size_t p) {
        const Group& whole = targets.groups[given_up[p / per_group].group];
        const std::uint32_t offset = static_cast<std::uint32_t>(p % per_group) * length;
        Group piece = whole;
        piece.box = empty_bounds();
        piece.begin += offset;
        piece.count = offset >= whole.count ? 0 : whole.count - offset < length ? whole.count - offset : length;
        for (std::uint32_t i = piece.begin; i < piece.begin + piece.count; ++i) {
            const Source& s = targets.bodies[i];
            piece.box = united(piece.box, {{s.x, s.y, s.z}, {s.x, s.y, s.z}});
        }
        to[p] = piece;
    });
}

}  // namespace gravlet
