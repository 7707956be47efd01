// SPDX-License-Identifier: Apache-2.0
// All ranks' items, on each of them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace core_collapse {

/// Collective. All items in the order of the ranks, copied byte by byte.
template <class Item>
std::vector<Item> gather(const std::vector<Item>& mine, MPI_Comm comm) {
    int ranks = 0, bytes = static_cast<int>(mine.size() * sizeof(Item));
    MPI_Comm_size(comm, &ranks);
    std::vector<int> counts(static_cast<std::size_t>(ranks)), starts(counts.size() + 1, 0);
    MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
    for (std::size_t r = 0; r < counts.size(); ++r) starts[r + 1] = starts[r] + counts[r];
    std::vector<Item> all(static_cast<std::size_t>(starts.back()) / sizeof(Item));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, comm);
    return all;
}

}  // namespace core_collapse
