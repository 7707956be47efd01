// SPDX-License-Identifier: Apache-2.0
#include "mpi/exchange.hpp"

#include <gravlet/error.hpp>

#include <limits>

namespace gravlet {
namespace {

int checked_count(std::size_t n) {
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(ErrorCode::communication, "more than 2^31 essential nodes for one rank");
    return static_cast<int>(n);
}

/// Calls f(rank, array start, count, record type, tag) for the three arrays of each rank that has any.
template <class F>
void for_messages(const PrunedTreeArrays& trees, std::size_t moments_per_node, const RecordType& node, const RecordType& moments,
                  const RecordType& source, F f) {
    for (std::size_t rank = 0; rank + 1 < trees.node_begin.size(); ++rank) {
        const std::size_t begin = trees.node_begin[rank], nodes = trees.node_begin[rank + 1] - begin;
        const std::size_t source_begin = trees.source_begin[rank], sources = trees.source_begin[rank + 1] - source_begin;
        if (nodes == 0) continue;
        const int to = static_cast<int>(rank);
        f(to, trees.nodes + begin, checked_count(nodes), node.get(), Tag::nodes);
        if (moments_per_node > 0)
            f(to, trees.moments + begin * moments_per_node, checked_count(nodes), moments.get(), Tag::moments);
        if (sources > 0) f(to, trees.sources + source_begin, checked_count(sources), source.get(), Tag::sources);
    }
}

}  // namespace

EssentialExchange::~EssentialExchange() {
    // Only after an error: nothing may arrive in arrays that are about to go.
    for (MPI_Request& request : requests_) {
        if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void EssentialExchange::announce(const std::vector<std::size_t>& send_nodes, const std::vector<std::size_t>& send_sources,
                                 std::vector<std::size_t>& receive_nodes, std::vector<std::size_t>& receive_sources) {
    const std::size_t ranks = static_cast<std::size_t>(comm_.size());
    std::vector<long> send(2 * ranks), receive(2 * ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        send[2 * rank] = static_cast<long>(send_nodes[rank + 1] - send_nodes[rank]);
        send[2 * rank + 1] = static_cast<long>(send_sources[rank + 1] - send_sources[rank]);
    }
    mpi_check(MPI_Alltoall(send.data(), 2, MPI_LONG, receive.data(), 2, MPI_LONG, comm_.get()), "MPI_Alltoall");
    receive_nodes.assign(ranks + 1, 0);
    receive_sources.assign(ranks + 1, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        receive_nodes[rank + 1] = receive_nodes[rank] + static_cast<std::size_t>(receive[2 * rank]);
        receive_sources[rank + 1] = receive_sources[rank] + static_cast<std::size_t>(receive[2 * rank + 1]);
    }
}

void EssentialExchange::begin(const PrunedTreeArrays& send, const PrunedTreeArrays& receive, int moments_per_node) {
    const std::size_t moments_count = static_cast<std::size_t>(moments_per_node);
    const RecordType node(sizeof(Node)), moments(sizeof(float) * moments_count), source(sizeof(Source));
    requests_.clear();
    bytes_sent_ = 0;
    for_messages(receive, moments_count, node, moments, source, [&](int rank, auto* data, int count, MPI_Datatype type, Tag tag) {
        requests_.emplace_back();
        mpi_check(MPI_Irecv(data, count, type, rank, static_cast<int>(tag), comm_.get(), &requests_.back()), "MPI_Irecv");
    });
    for_messages(send, moments_count, node, moments, source, [&](int rank, auto* data, int count, MPI_Datatype type, Tag tag) {
        requests_.emplace_back();
        mpi_check(MPI_Isend(data, count, type, rank, static_cast<int>(tag), comm_.get(), &requests_.back()), "MPI_Isend");
        int bytes = 0;
        MPI_Type_size(type, &bytes);
        bytes_sent_ += static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes);
    });
}

void EssentialExchange::poll() {
    if (requests_.empty()) return;
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) requests_.clear();
}

void EssentialExchange::finish() {
    mpi_check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
}

}  // namespace gravlet
