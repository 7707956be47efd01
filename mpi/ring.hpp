// SPDX-License-Identifier: Apache-2.0
// Shows every rank's records to every rank, in bounded memory: how the direct sums are distributed.
//   1. all ranks tell how many records they have (they may differ, and be 0);
//   2. each rank packs a packet of its own and looks at it; then the packets go around the ring, a hop at a time, each rank
//      looking at every packet that comes by;
//   3. when every packet has been everywhere, the next ones are packed, until no rank has any left.
// A rank sees the packets in an order that depends only on its rank and the counts: same input, same bits. A packet is looked at
// for far longer than it travels.
#pragma once

#include "mpi/stages.hpp"
#include "physics/path_size.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace gravlet {

inline constexpr std::size_t ring_packet = path_size(1 << 16, 20);  ///< records in a message, at most

/// Collective. `pack(begin, out)` fills `out` (a span of Record) with this rank's records from `begin` on, of `count` in all;
/// `visit(records, poll)` is called with every packet of every rank, this one's included, once. Both are local stages. poll(part)
/// is to be called now and then with how much of the visit is done; it throws where the host wants an end.
template <class Record, class Pack, class Visit>
void ring(Stages& stages, std::size_t count, Pack pack, Visit visit) {
    static_assert(std::is_trivially_copyable_v<Record>);
    std::vector<unsigned long long> counts;
    const unsigned long long mine = count;
    stages.local([&] { counts.resize(static_cast<std::size_t>(stages.size())); });
    stages.collective([&](const Agreed& all) {
        all.check(MPI_Allgather(&mine, 1, MPI_UNSIGNED_LONG_LONG, counts.data(), 1, MPI_UNSIGNED_LONG_LONG, all.get()),
                  "MPI_Allgather");
    });
    std::vector<Record> here, coming;
    std::optional<RecordType> type;
    stages.local([&] {
        here.resize(ring_packet);
        coming.resize(ring_packet);
        type.emplace(sizeof(Record));
    });
    stages.agree();  // from here on the counts say what all ranks do
    std::size_t packets = 0;
    for (const unsigned long long n : counts) packets += (static_cast<std::size_t>(n) + ring_packet - 1) / ring_packet;
    Progress progress(stages.narrator(), "direct sum", packets);

    const auto poll = [&](double part) {
        stages.narrator().stop_if_cancelled_now_and_then();
        if (part < 1.0) progress.within(part);  // step() tells the end
    };

    const int rank = stages.rank(), size = stages.size();
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    const std::size_t rounds_end = static_cast<std::size_t>(*std::ranges::max_element(counts));
    for (std::size_t begin = 0; begin < rounds_end; begin += ring_packet) {
        const auto packet_size = [&](int owner) {
            const std::size_t n = static_cast<std::size_t>(counts[static_cast<std::size_t>(owner)]);
            return n > begin ? std::min(n - begin, ring_packet) : 0;
        };
        stages.local([&] {
            stages.narrator().stop_if_cancelled();  // as where other stages begin
            if (packet_size(rank) > 0) pack(begin, std::span(here).first(packet_size(rank)));
        });
        for (int hop = 0; hop < size; ++hop) {
            const int owner = (rank - hop + size) % size;
            const std::size_t n = packet_size(owner), n_coming = packet_size((owner + size - 1) % size);
            if (n > 0) {
                stages.local([&] { visit(std::span<const Record>(here).first(n), poll); });
                progress.step();
            }
            if (hop + 1 == size) break;
            stages.collective([&](const Agreed& all) {
                const int tag = static_cast<int>(Tag::ring);
                all.check(MPI_Sendrecv(here.data(), static_cast<int>(n), type->get(), right, tag, coming.data(),
                                       static_cast<int>(n_coming), type->get(), left, tag, all.get(), MPI_STATUS_IGNORE),
                          "MPI_Sendrecv");
            });
            here.swap(coming);
        }
    }
}

}  // namespace gravlet
