// SPDX-License-Identifier: Apache-2.0
// The exchange of essential nodes, nonblocking, so that groups walk while messages travel.
//   1. announce(): every rank tells those that may need it how many nodes and sources they get;
//   2. post(): receives are posted where the data will stay, then sends;
//   3. poll() and finish() are those of the message rounds.
// Three messages a pair of ranks: nodes, moments, sources; and two in a solve in double. Ranks whose roots accept each other
// exchange nothing, and those that read each other's memory (a backend's messages say which) send no such messages.
#pragma once

#include "mpi/message_rounds.hpp"
#include "physics/precise/exact_source.hpp"
#include "physics/types.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace gravlet {

/// Pruned trees, one a rank: the k-th rank's nodes are [node_begin[k], node_begin[k + 1]), its sources likewise.
struct PrunedTreeArrays {
    Node* nodes;
    float* moments;
    Source* sources;
    const std::vector<std::size_t>& node_begin;
    const std::vector<std::size_t>& source_begin;
    std::size_t moments_per_node;
    PreciseArrays precise{};

    [[nodiscard]] std::size_t node_count() const { return node_begin.back(); }
    [[nodiscard]] std::size_t moment_count() const { return node_begin.back() * moments_per_node; }
    [[nodiscard]] std::size_t source_count() const { return source_begin.back(); }
    [[nodiscard]] std::size_t bytes() const {
        return node_count() * (sizeof(Node) + precise.per_node * sizeof(double)) + moment_count() * sizeof(float) +
               source_count() * (sizeof(Source) + (precise.sources != nullptr ? sizeof(ExactSource) : 0));
    }
};

/// What one rank tells another of the tree that it has for it.
struct Announcement {
    std::uint64_t nodes, sources;
    std::uint64_t first_node, first_source;  ///< first ones in the sender's arrays
    std::uint64_t all_nodes, all_sources;    ///< nodes and sources that these arrays hold
};

class EssentialExchange {
public:
    explicit EssentialExchange(MessageRounds& rounds);

    /// Local. Announces what goes to each of the audience, from its offsets. Posts a message round.
    void announce(const std::vector<int>& audience, const std::vector<int>& senders, const PrunedTreeArrays& send);
    /// Local, after the message round of announce(). Announcements of what each sender has, in their order.
    [[nodiscard]] const std::vector<Announcement>& expected() const { return incoming_; }

    /// Local. Arrays must be in memory that MPI can use. `messages` (a backend's) says which ranks read each other's memory, and
    /// sees to it that what goes to the audience's k-th is ready. Posts a message round.
    template <class Messages>
    void post(Messages& messages, const PrunedTreeArrays& send, const PrunedTreeArrays& receive) {
        bytes_awaited_ = 0;
        for (std::size_t k = 0; k < senders_.size(); ++k)
            if (!messages.reads(senders_[k])) receive_tree(k, receive);
        for (std::size_t k = 0; k < audience_.size(); ++k) {
            if (messages.reads(audience_[k])) continue;
            messages.ready(k);
            send_tree(k, send);
        }
        rounds_.posted();
    }

    // Of this rank, in the last exchange.
    [[nodiscard]] std::size_t bytes_sent() const { return bytes_sent_; }        ///< bytes sent, or read by others
    [[nodiscard]] std::size_t bytes_awaited() const { return bytes_awaited_; }  ///< bytes that come in messages

private:
    /// Calls f(array start, count, record type, tag) for the arrays of the k-th rank's tree.
    template <class F>
    void for_messages(const PrunedTreeArrays& trees, std::size_t k, F f) const;
    void receive_tree(std::size_t k, const PrunedTreeArrays& trees);
    void send_tree(std::size_t k, const PrunedTreeArrays& trees);

    MessageRounds& rounds_;
    RecordType node_, source_, exact_, announcement_;
    std::optional<RecordType> moments_, precise_;  ///< moments of a node, in single precision and in double
    std::vector<int> audience_, senders_;
    std::vector<Announcement> outgoing_, incoming_;
    std::size_t bytes_sent_ = 0, bytes_awaited_ = 0;
};

}  // namespace gravlet
