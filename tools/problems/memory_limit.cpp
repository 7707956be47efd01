// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/memory_limit.hpp"

#include "hdf5/machine_memory.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

namespace gravlet {

MemoryLimit::MemoryLimit(MPI_Comm comm) {
    const Communicator communicator(comm);
    ranks_ = communicator.size();
    ranks_here_ = all_reduce(comm, communicator.ranks_on_node(), MPI_MAX);
    of_rank_ = all_reduce(comm, machine_memory() / communicator.ranks_on_node(), MPI_MIN);
}

void MemoryLimit::require(const char* key, std::int64_t value, double bytes) const {
    const double each = bytes / ranks_;
    if (each <= of_rank_) return;
    throw Error(ErrorCode::out_of_memory, fmt::format("problem.{} is {}: that takes {:.1f} GB a rank, this machine has {:.1f} GB "
                                                      "for {} rank(s)",
                                                      key, value, each * 1e-9, of_rank_ * ranks_here_ * 1e-9, ranks_here_));
}

}  // namespace gravlet
