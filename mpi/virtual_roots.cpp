// SPDX-License-Identifier: Apache-2.0
#include "mpi/virtual_roots.hpp"

#include <algorithm>

namespace gravlet {

std::span<const FarNode> VirtualRoots::nodes_of(int rank) const {
    const std::size_t r = static_cast<std::size_t>(rank);
    if (all[r].has_mass == 0) return {};
    if (all[r].parts == 0) return {&all[r].root, 1};
    return {parts.data() + part_begin[r], static_cast<std::size_t>(all[r].parts)};
}

bool VirtualRoots::may_need(int to, int from) const {
    const VirtualRoot& target = all[static_cast<std::size_t>(to)];
    return to != from && target.has_targets != 0 &&
           std::ranges::any_of(nodes_of(from), [&](const FarNode& far) { return !accepts(target.box, far, distance); });
}

void find_near(int rank, VirtualRoots& roots) {
    roots.audience.clear();
    roots.senders.clear();
    for (int other = 0; other < static_cast<int>(roots.all.size()); ++other) {
        if (roots.may_need(other, rank)) roots.audience.push_back(other);
        if (roots.may_need(rank, other)) roots.senders.push_back(other);
    }
}

void VirtualRootExchange::prepare(int ranks, VirtualRoots& roots) {
    roots.all.resize(static_cast<std::size_t>(ranks));
    counts_.resize(roots.all.size());
    offsets_.resize(roots.all.size());
}

void VirtualRootExchange::gather(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const {
    all.check(MPI_Allgather(&mine.root, 1, root_.get(), roots.all.data(), 1, root_.get(), all.get()), "MPI_Allgather");
    rounds_.open(all);
}

bool VirtualRootExchange::any_parts(const VirtualRoots& roots) {
    return std::ranges::any_of(roots.all, [](const VirtualRoot& root) { return root.parts > 0; });
}

void VirtualRootExchange::prepare_parts(VirtualRoots& roots) {
    roots.part_begin.assign(1, 0);
    for (std::size_t rank = 0; rank < roots.all.size(); ++rank) {
        counts_[rank] = roots.all[rank].parts;
        offsets_[rank] = static_cast<int>(roots.part_begin.back());
        roots.part_begin.push_back(roots.part_begin.back() + static_cast<std::size_t>(counts_[rank]));
    }
    roots.parts.resize(roots.part_begin.back());
}

void VirtualRootExchange::gather_parts(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const {
    all.check(MPI_Allgatherv(mine.parts.data(), mine.root.parts, node_.get(), roots.parts.data(), counts_.data(), offsets_.data(),
                             node_.get(), all.get()),
              "MPI_Allgatherv");
}

void VirtualRootExchange::post(int rank, const OwnVirtualRoot& mine, VirtualRoots& roots) const {
    find_near(rank, roots);
    roots.stride = mine.boxes.size();
    roots.boxes.resize(roots.audience.size() * roots.stride);
    for (std::size_t k = 0; k < roots.audience.size(); ++k)
        rounds_.receive(roots.audience[k], roots.boxes.data() + k * roots.stride, roots.stride, box_, Tag::boxes);
    for (const int sender : roots.senders) rounds_.send(sender, mine.boxes.data(), roots.stride, box_, Tag::boxes);
    rounds_.posted();
}

}  // namespace gravlet
