// SPDX-License-Identifier: Apache-2.0
// Shows every rank's records to every rank, in bounded memory: how the direct sums are distributed.
//   1. all ranks tell how many records they have (they may differ, and be 0);
//   2. each rank packs a piece of its own, and the pieces go around the ring: while a rank computes on the piece it holds, that
//      piece travels on to its right neighbour and the next one comes in from the left;
//   3. when every piece has been everywhere, the next ones are packed, until no rank has any left.
// A rank sees the pieces in an order that depends only on its rank and the counts: same input, same bits.
#pragma once

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace gravlet {

inline constexpr std::size_t ring_piece = std::size_t{1} << 16;  ///< records in a message, at most

/// Collective. `pack(begin, out)` fills `out` (a span of Record) with this rank's records from `begin` on, of `count` in all;
/// `visit(records)` is called with every piece of every rank, this one's included, once. Neither may throw.
template <class Record, class Pack, class Visit>
void ring(MPI_Comm comm, std::size_t count, Pack pack, Visit visit) {
    static_assert(std::is_trivially_copyable_v<Record>);
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);

    std::vector<unsigned long long> counts;
    std::vector<Record> here, coming;
    agree(comm, [&] {
        counts.resize(static_cast<std::size_t>(size));
        here.resize(ring_piece);
        coming.resize(ring_piece);
    });
    const unsigned long long mine = count;
    mpi_check(MPI_Allgather(&mine, 1, MPI_UNSIGNED_LONG_LONG, counts.data(), 1, MPI_UNSIGNED_LONG_LONG, comm), "MPI_Allgather");
    const std::size_t rounds_end = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));

    const RecordType type(sizeof(Record));
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (std::size_t begin = 0; begin < rounds_end; begin += ring_piece) {
        const auto piece_size = [&](int owner) {
            const std::size_t n = static_cast<std::size_t>(counts[static_cast<std::size_t>(owner)]);
            return n > begin ? std::min(n - begin, ring_piece) : 0;
        };
        pack(begin, std::span(here).first(piece_size(rank)));
        for (int hop = 0; hop < size; ++hop) {
            const int owner = (rank - hop + size) % size;
            const std::size_t n = piece_size(owner);
            std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
            if (hop + 1 < size) {
                const std::size_t n_coming = piece_size((owner + size - 1) % size);
                const int tag = static_cast<int>(Tag::ring);
                if (n_coming > 0) {
                    mpi_check(MPI_Irecv(coming.data(), static_cast<int>(n_coming), type.get(), left, tag, comm, &requests[0]),
                              "MPI_Irecv");
                }
                if (n > 0) {
                    mpi_check(MPI_Isend(here.data(), static_cast<int>(n), type.get(), right, tag, comm, &requests[1]),
                              "MPI_Isend");
                }
            }
            if (n > 0) {
                visit(std::span<const Record>(here).first(n));
            }
            mpi_check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
            std::swap(here, coming);
        }
    }
}

}  // namespace gravlet
