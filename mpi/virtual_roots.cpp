// SPDX-License-Identifier: Apache-2.0
#include "mpi/virtual_roots.hpp"

namespace gravlet {

VirtualRoots VirtualRootTable::gather(const Communicator& comm, const VirtualRootHeader& mine, const std::vector<Bounds>& boxes,
                                      const Period& period) {
    const std::size_t ranks = static_cast<std::size_t>(comm.size());
    headers_.resize(ranks);
    boxes_.resize(ranks * boxes.size());
    const RecordType header_type(sizeof(VirtualRootHeader)), boxes_type(sizeof(Bounds) * boxes.size());
    MPI_Request requests[2];
    mpi_check(MPI_Iallgather(&mine, 1, header_type.get(), headers_.data(), 1, header_type.get(), comm.get(), &requests[0]),
              "MPI_Iallgather");
    mpi_check(MPI_Iallgather(boxes.data(), 1, boxes_type.get(), boxes_.data(), 1, boxes_type.get(), comm.get(), &requests[1]),
              "MPI_Iallgather");
    mpi_check(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    return {headers_.data(), boxes_.data(), boxes.size(), comm.size(), period};
}

}  // namespace gravlet
