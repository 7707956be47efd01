// SPDX-License-Identifier: Apache-2.0
// The exchange of essential nodes, nonblocking, so that the local walk runs while messages travel.
//   1. count() and announce(): every rank tells every other how many nodes and sources to expect;
//   2. post(): receives are posted where the data will stay, then sends;
//   3. poll(): lets MPI move data, from the walking thread, now and then;
//   4. finish(): waits for what is still under way.
// Three messages a pair of ranks: nodes, moments, sources. Ranks whose roots accept each other exchange nothing. A solve that
// fails on the way calls settle().
#pragma once

#include "mpi/stages.hpp"
#include "physics/types.hpp"

#include <optional>
#include <vector>

namespace gravlet {

/// Pruned trees, one a rank: rank r's nodes are [node_begin[r], node_begin[r + 1]), its sources likewise.
struct PrunedTreeArrays {
    Node* nodes;
    float* moments;
    Source* sources;
    const std::vector<std::size_t>& node_begin;
    const std::vector<std::size_t>& source_begin;
    std::size_t moments_per_node;

    [[nodiscard]] std::size_t node_count() const { return node_begin.back(); }
    [[nodiscard]] std::size_t moment_count() const { return node_begin.back() * moments_per_node; }
    [[nodiscard]] std::size_t source_count() const { return source_begin.back(); }
    [[nodiscard]] std::size_t bytes() const {
        return node_count() * sizeof(Node) + moment_count() * sizeof(float) + source_count() * sizeof(Source);
    }
};

class EssentialExchange {
public:
    /// Local, as all but announce(), finish() and settle().
    explicit EssentialExchange(const Communicator& comm);
    EssentialExchange(const EssentialExchange&) = delete;
    EssentialExchange& operator=(const EssentialExchange&) = delete;

    /// From the offsets of what goes to each rank (ranks + 1 elements each).
    void count(const std::vector<std::size_t>& send_nodes, const std::vector<std::size_t>& send_sources, int moments_per_node);
    void announce(const Agreed& all);
    /// The offsets of what will come from each rank.
    void expect(std::vector<std::size_t>& receive_nodes, std::vector<std::size_t>& receive_sources) const;

    /// Arrays must be in memory that MPI can use, and stay where they are until finish() or settle().
    void post(const PrunedTreeArrays& send, const PrunedTreeArrays& receive);
    void poll();
    void finish(const Agreed& all);

    /// Collective, after an error that all ranks share: no message is under way when it returns. Where all ranks had posted
    /// theirs they are waited for; else nobody waits for what was never sent, and what was is never looked at.
    void settle() noexcept;

    /// By this rank, in the last exchange.
    [[nodiscard]] std::size_t bytes_sent() const { return bytes_sent_; }

private:
    enum class State { idle, announced, posted };

    [[nodiscard]] int tag(Tag kind) const { return static_cast<int>(kind) + tags * epoch_; }
    void drop() noexcept;

    static constexpr int tags = 8, epochs = 1024;
    const Communicator& comm_;
    RecordType node_, source_;
    std::optional<RecordType> moments_;      ///< of a node
    std::vector<long> outgoing_, incoming_;  ///< nodes and sources, a pair a rank
    std::vector<MPI_Request> requests_;
    State state_ = State::idle;
    std::size_t receives_ = 0;  ///< of the requests, which come first
    int epoch_ = 0;             ///< messages that were dropped have tags of an earlier one
    std::size_t bytes_sent_ = 0;
};

}  // namespace gravlet
