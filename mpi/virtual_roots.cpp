// SPDX-License-Identifier: Apache-2.0
#include "mpi/virtual_roots.hpp"

namespace gravlet {

void VirtualRootTable::prepare(int ranks, std::size_t stride) {
    headers_.resize(static_cast<std::size_t>(ranks));
    boxes_.resize(headers_.size() * stride);
}

VirtualRoots VirtualRootTable::gather(const Agreed& all, const VirtualRootHeader& mine, const std::vector<TargetBox>& boxes,
                                      const Period& period, double softening_margin) {
    const int stride = static_cast<int>(boxes.size());
    all.check(MPI_Allgather(&mine, 1, header_.get(), headers_.data(), 1, header_.get(), all.get()), "MPI_Allgather");
    all.check(MPI_Allgather(boxes.data(), stride, box_.get(), boxes_.data(), stride, box_.get(), all.get()), "MPI_Allgather");
    return {headers_.data(), boxes_.data(), boxes.size(), all.size(), period, softening_margin};
}

}  // namespace gravlet
