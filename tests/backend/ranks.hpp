// SPDX-License-Identifier: Apache-2.0
// What ranks send each other, by the stages of a solve between `roots` and `complete`, without a solve around them.
#pragma once

#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/roots.hpp"
#include "tests/backend/local.hpp"

#include <vector>

namespace gravlet::test {

/// Pruned trees, from all ranks that sent one, and what is known of all ranks.
struct Arrived {
    OwnVirtualRoot own;
    VirtualRoots roots;
    std::vector<Node> nodes;
    std::vector<Source> sources;
    std::vector<std::size_t> node_begin, source_begin;  ///< of each sender's
};

/// Collective. `look(trees, roots)` sees what this rank sends.
template <int P, class Look>
Arrived exchange_between_ranks(const Communicator& comm, LocalTree& local, std::size_t boxes, const Look& look) {
    constexpr std::size_t moments = moment_count(P);
    Arrived out;
    Stages stages(comm);
    if (is_adaptive(local.options)) {
        GroupScales<Backend> scales(local.exec);
        scales.prepare(comm.size(), local.tree.count() > 0 ? read(local.exec, local.tree.nodes.data()) : Node{});
        stages.collective([&](const Agreed& all) { scales.gather(all); });
        scales.promise(comm.rank(), local.view(), period_of(local.frame), local.opening(), local.bodies);
    }
    out.own = make_virtual_root<P>(local.exec, local.bodies, local.tree, local.frame.cube, local.opening(), boxes);
    VirtualRoots& roots = out.roots;
    roots.distance = distance_of(local.options, local.frame);
    MessageRounds rounds(comm);
    VirtualRootExchange root_exchange(rounds);
    EssentialExchange exchange(rounds);
    Backend::Messages messages(local.exec);
    messages.prepare(stages);
    stages.local([&] { root_exchange.prepare(comm.size(), roots); });
    stages.collective([&](const Agreed& all) { root_exchange.gather(all, out.own, roots); });
    stages.local([&] { root_exchange.prepare_parts(roots); });
    stages.collective([&](const Agreed& all) { root_exchange.gather_parts(all, out.own.parts, roots); });
    stages.local([&] { root_exchange.post(comm.rank(), out.own, roots); });
    stages.collective([&](const Agreed& all) {
        rounds.finish(all);
        rounds.open(all);
    });
    EssentialWalk<Backend> walk(local.exec);
    PrunedTrees<Backend> send(local.exec), receive(local.exec);
    stages.local([&] {
        walk.run(local.view(), moments, roots.nodes_of(comm.rank()), roots.targets(), roots.audience.size(), send);
        look(send, roots);
        messages.offer(send.arrays(moments), roots.audience);
        exchange.announce(roots.audience, roots.senders, send.arrays(moments));
    });
    stages.collective([&](const Agreed& all) {
        rounds.finish(all);
        rounds.open(all);
        messages.share(all);
    });
    stages.local([&] {
        receive.node_begin.assign(1, 0);
        receive.source_begin.assign(1, 0);
        for (const Announcement& one : exchange.expected()) {
            receive.node_begin.push_back(receive.node_begin.back() + one.nodes);
            receive.source_begin.push_back(receive.source_begin.back() + one.sources);
        }
        receive.nodes.resize_discard(receive.node_begin.back());
        receive.moments.resize_discard(receive.node_begin.back() * moments);
        receive.sources.resize_discard(receive.source_begin.back());
        const PrunedTreeArrays leaving = messages.outgoing(send.arrays(moments), roots.audience);
        exchange.post(messages, leaving, messages.incoming(receive.arrays(moments), roots.senders));
        messages.read(receive.arrays(moments), roots.senders, exchange.expected());
    });
    stages.collective([&](const Agreed& all) { rounds.finish(all); });
    stages.local([&] { messages.arrived(receive.arrays(moments), roots.senders); });
    stages.agree();
    out.nodes = on_host(local.exec, receive.nodes);
    out.sources = on_host(local.exec, receive.sources);
    out.node_begin = receive.node_begin, out.source_begin = receive.source_begin;
    return out;
}

}  // namespace gravlet::test
