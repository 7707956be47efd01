// SPDX-License-Identifier: Apache-2.0
// The exchange of essential nodes, nonblocking, so that the local walk runs while messages travel.
//   1. announce(): every rank tells every other how many nodes and sources to expect;
//   2. begin(): receives are posted where the data will stay, then sends;
//   3. poll(): lets MPI move data, from the walking thread, now and then;
//   4. finish(): waits for what is still under way.
// Three messages a pair of ranks: nodes, moments, sources. Ranks whose roots accept each other exchange nothing.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/types.hpp"

#include <vector>

namespace gravlet {

/// Host arrays of pruned trees by rank, as in PrunedTrees.
struct PrunedTreeArrays {
    Node* nodes;
    float* moments;
    Source* sources;
    const std::vector<std::size_t>& node_begin;
    const std::vector<std::size_t>& source_begin;
};

/// The arrays of a PrunedTrees where they are.
template <class Trees>
PrunedTreeArrays arrays_of(Trees& trees) {
    return {trees.nodes.data(), trees.moments.data(), trees.sources.data(), trees.node_begin, trees.source_begin};
}

class EssentialExchange {
public:
    explicit EssentialExchange(const Communicator& comm) : comm_(comm) {}
    ~EssentialExchange();
    EssentialExchange(const EssentialExchange&) = delete;
    EssentialExchange& operator=(const EssentialExchange&) = delete;

    /// Collective. From the offsets of what goes to each rank, those of what comes from each (ranks + 1 elements each).
    void announce(const std::vector<std::size_t>& send_nodes, const std::vector<std::size_t>& send_sources,
                  std::vector<std::size_t>& receive_nodes, std::vector<std::size_t>& receive_sources);

    /// Arrays must stay where they are until finish().
    void begin(const PrunedTreeArrays& send, const PrunedTreeArrays& receive, int moments_per_node);
    void poll();
    void finish();

    /// By this rank, in the last exchange.
    [[nodiscard]] std::size_t bytes_sent() const { return bytes_sent_; }

private:
    const Communicator& comm_;
    std::vector<MPI_Request> requests_;
    std::size_t bytes_sent_ = 0;
};

}  // namespace gravlet
