// SPDX-License-Identifier: Apache-2.0
// What a problem takes, against what the machines have: said by the key that asks for it, before it is made.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace gravlet {

class MemoryLimit {
public:
    /// Collective. Finds the smallest share of a machine's memory that a rank has.
    explicit MemoryLimit(MPI_Comm comm);

    /// Local, and the same on every rank: throws Error(out_of_memory) "problem.<key> is <value>: ..." if `bytes`, spread evenly
    /// over the ranks, are more than the memory of a machine (the smallest share counts, where machines differ).
    void require(const char* key, std::int64_t value, double bytes) const;

private:
    int ranks_ = 1, ranks_here_ = 1;
    double of_rank_ = 0.0;
};

}  // namespace gravlet
