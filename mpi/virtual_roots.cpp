// SPDX-License-Identifier: Apache-2.0
#include "mpi/virtual_roots.hpp"

namespace gravlet {

void find_near(int rank, VirtualRoots& roots) {
    const VirtualRoot& mine = roots.all[static_cast<std::size_t>(rank)];
    roots.audience.clear();
    roots.senders.clear();
    for (int other = 0; other < static_cast<int>(roots.all.size()); ++other) {
        if (other == rank) continue;
        const VirtualRoot& theirs = roots.all[static_cast<std::size_t>(other)];
        if (may_need(theirs, mine, roots.distance)) roots.audience.push_back(other);
        if (may_need(mine, theirs, roots.distance)) roots.senders.push_back(other);
    }
}

void VirtualRootExchange::gather(const Agreed& all, const VirtualRoot& mine, VirtualRoots& roots) const {
    all.check(MPI_Allgather(&mine, 1, root_.get(), roots.all.data(), 1, root_.get(), all.get()), "MPI_Allgather");
    rounds_.open(all);
}

void VirtualRootExchange::post(int rank, const std::vector<TargetBox>& mine, VirtualRoots& roots) const {
    find_near(rank, roots);
    roots.stride = mine.size();
    roots.boxes.resize(roots.audience.size() * roots.stride);
    for (std::size_t k = 0; k < roots.audience.size(); ++k)
        rounds_.receive(roots.audience[k], roots.boxes.data() + k * roots.stride, roots.stride, box_, Tag::boxes);
    for (const int sender : roots.senders) rounds_.send(sender, mine.data(), mine.size(), box_, Tag::boxes);
    rounds_.posted();
}

}  // namespace gravlet
