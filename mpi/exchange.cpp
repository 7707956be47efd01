// SPDX-License-Identifier: Apache-2.0
#include "mpi/exchange.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
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
void for_messages(const PrunedTreeArrays& trees, const RecordType& node, const RecordType& moments, const RecordType& source,
                  F f) {
    for (std::size_t rank = 0; rank + 1 < trees.node_begin.size(); ++rank) {
        const std::size_t begin = trees.node_begin[rank], nodes = trees.node_begin[rank + 1] - begin;
        const std::size_t source_begin = trees.source_begin[rank], sources = trees.source_begin[rank + 1] - source_begin;
        if (nodes == 0) continue;
        const int to = static_cast<int>(rank);
        f(to, trees.nodes + begin, checked_count(nodes), node, Tag::nodes);
        if (trees.moments_per_node > 0)
            f(to, trees.moments + begin * trees.moments_per_node, checked_count(nodes), moments, Tag::moments);
        if (sources > 0) f(to, trees.sources + source_begin, checked_count(sources), source, Tag::sources);
    }
}

}  // namespace

EssentialExchange::EssentialExchange(const Communicator& comm)
    : comm_(comm),
      node_(sizeof(Node)),
      source_(sizeof(Source)),
      outgoing_(2 * static_cast<std::size_t>(comm.size())),
      incoming_(outgoing_.size()) {
    requests_.reserve(6 * static_cast<std::size_t>(comm.size()));
}

void EssentialExchange::count(const std::vector<std::size_t>& send_nodes, const std::vector<std::size_t>& send_sources,
                              int moments_per_node) {
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(moments_per_node);
    if (!moments_ || moments_->bytes() != bytes) moments_.emplace(bytes);
    for (std::size_t rank = 0; rank + 1 < send_nodes.size(); ++rank) {
        outgoing_[2 * rank] = static_cast<long>(send_nodes[rank + 1] - send_nodes[rank]);
        outgoing_[2 * rank + 1] = static_cast<long>(send_sources[rank + 1] - send_sources[rank]);
    }
}

void EssentialExchange::announce(const Agreed& all) {
    all.check(MPI_Alltoall(outgoing_.data(), 2, MPI_LONG, incoming_.data(), 2, MPI_LONG, all.get()), "MPI_Alltoall");
    state_ = State::announced;
}

void EssentialExchange::expect(std::vector<std::size_t>& receive_nodes, std::vector<std::size_t>& receive_sources) const {
    const std::size_t ranks = incoming_.size() / 2;
    receive_nodes.assign(ranks + 1, 0);
    receive_sources.assign(ranks + 1, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        receive_nodes[rank + 1] = receive_nodes[rank] + static_cast<std::size_t>(incoming_[2 * rank]);
        receive_sources[rank + 1] = receive_sources[rank] + static_cast<std::size_t>(incoming_[2 * rank + 1]);
    }
}

void EssentialExchange::post(const PrunedTreeArrays& send, const PrunedTreeArrays& receive) {
    requests_.clear();
    receives_ = requests_.max_size();
    bytes_sent_ = 0;
    for_messages(receive, node_, *moments_, source_, [&](int rank, auto* data, int count, const RecordType& type, Tag kind) {
        MPI_Request request = MPI_REQUEST_NULL;
        mpi_check(MPI_Irecv(data, count, type.get(), rank, tag(kind), comm_.get(), &request), "MPI_Irecv");
        requests_.push_back(request);
    });
    receives_ = requests_.size();
    for_messages(send, node_, *moments_, source_, [&](int rank, auto* data, int count, const RecordType& type, Tag kind) {
        MPI_Request request = MPI_REQUEST_NULL;
        mpi_check(MPI_Isend(data, count, type.get(), rank, tag(kind), comm_.get(), &request), "MPI_Isend");
        requests_.push_back(request);
        bytes_sent_ += static_cast<std::size_t>(count) * type.bytes();
    });
    state_ = State::posted;
}

void EssentialExchange::poll() {
    if (requests_.empty()) return;
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) requests_.clear();
}

void EssentialExchange::finish(const Agreed& all) {
    all.check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
    state_ = State::idle;
}

void EssentialExchange::settle() noexcept {
    if (state_ == State::idle) return;  // alike on all ranks
    int all_posted = state_ == State::posted ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all_posted, 1, MPI_INT, MPI_MIN, comm_.get());
    if (all_posted != 0) {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    } else {
        drop();
    }
    requests_.clear();
    state_ = State::idle;
}

void EssentialExchange::drop() noexcept {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        MPI_Request& request = requests_[i];
        if (request == MPI_REQUEST_NULL) continue;
        if (i < receives_) {
            MPI_Cancel(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Request_free(&request);
        }
    }
    MPI_Barrier(comm_.get());
    epoch_ = (epoch_ + 1) % epochs;
}

}  // namespace gravlet
