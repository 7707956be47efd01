// SPDX-License-Identifier: Apache-2.0
#include "mpi/exchange.hpp"

namespace gravlet {

template <class F>
void EssentialExchange::for_messages(const PrunedTreeArrays& trees, std::size_t k, F f) const {
    const std::size_t begin = trees.node_begin[k], nodes = trees.node_begin[k + 1] - begin;
    const std::size_t source_begin = trees.source_begin[k], sources = trees.source_begin[k + 1] - source_begin;
    const PreciseArrays& precise = trees.precise;
    if (nodes == 0) return;
    f(trees.nodes + begin, nodes, node_, Tag::nodes);
    if (trees.moments_per_node > 0) f(trees.moments + begin * trees.moments_per_node, nodes, *moments_, Tag::moments);
    if (precise.per_node > 0) f(precise.moments + begin * precise.per_node, nodes, *precise_, Tag::precise_moments);
    if (sources == 0) return;
    f(trees.sources + source_begin, sources, source_, Tag::sources);
    if (precise.sources != nullptr) f(precise.sources + source_begin, sources, exact_, Tag::precise_sources);
}

EssentialExchange::EssentialExchange(MessageRounds& rounds)
    : rounds_(rounds),
      node_(sizeof(Node)),
      source_(sizeof(Source)),
      exact_(sizeof(ExactSource)),
      announcement_(sizeof(Announcement)) {}

void EssentialExchange::announce(const std::vector<int>& audience, const std::vector<int>& senders,
                                 const PrunedTreeArrays& send) {
    const auto set = [](std::optional<RecordType>& type, std::size_t bytes) {
        if (!type || type->bytes() != bytes) type.emplace(bytes);
    };
    set(moments_, sizeof(float) * send.moments_per_node);
    set(precise_, sizeof(double) * send.precise.per_node);
    audience_ = audience;
    senders_ = senders;
    outgoing_.resize(audience.size());
    incoming_.assign(senders.size(), {});
    bytes_sent_ = send.bytes();
    for (std::size_t k = 0; k < senders.size(); ++k)
        rounds_.receive(senders[k], &incoming_[k], 1, announcement_, Tag::announcements);
    for (std::size_t k = 0; k < audience.size(); ++k) {
        outgoing_[k] = {send.node_begin[k + 1] - send.node_begin[k],
                        send.source_begin[k + 1] - send.source_begin[k],
                        send.node_begin[k],
                        send.source_begin[k],
                        send.node_count(),
                        send.source_count()};
        rounds_.send(audience[k], &outgoing_[k], 1, announcement_, Tag::announcements);
    }
    rounds_.posted();
}

void EssentialExchange::receive_tree(std::size_t k, const PrunedTreeArrays& trees) {
    for_messages(trees, k, [&](auto* data, std::size_t count, const RecordType& type, Tag kind) {
        rounds_.receive(senders_[k], data, count, type, kind);
        bytes_awaited_ += count * type.bytes();
    });
}

void EssentialExchange::send_tree(std::size_t k, const PrunedTreeArrays& trees) {
    for_messages(trees, k, [&](const auto* data, std::size_t count, const RecordType& type, Tag kind) {
        rounds_.send(audience_[k], data, count, type, kind);
    });
}

}  // namespace gravlet
