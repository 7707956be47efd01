// SPDX-License-Identifier: Apache-2.0
// Several ranks' trees in one process: what the others send one of them, and the locally essential tree that it makes of it.
#pragma once

#include "solver/complete.hpp"
#include "solver/essential.hpp"
#include "solver/roots.hpp"
#include "tests/backend/local.hpp"

#include <memory>
#include <vector>

namespace gravlet::test {

/// A tree a rank.
template <class Owner>
std::vector<std::unique_ptr<LocalTree>> dealt_out(const BodyArrays& all, std::size_t ranks, Owner owner, const Options& options) {
    std::vector<BodyArrays> parts(ranks);
    for (std::size_t i = 0; i < all.size(); ++i) {
        BodyArrays& part = parts[owner(i)];
        part.add(all.x[i], all.y[i], all.z[i], all.mass[i]);
        if (!all.side.empty()) part.side.push_back(all.side[i]);
    }
    std::vector<std::unique_ptr<LocalTree>> trees;
    for (const BodyArrays& part : parts) trees.push_back(std::make_unique<LocalTree>(part, options));
    return trees;
}

/// Gives rank `to` what all others send it.
template <int P>
void exchange(const std::vector<std::unique_ptr<LocalTree>>& ranks, std::size_t to, TreeCompletion<Backend>& completion,
              std::size_t box_count = 16) {
    std::vector<VirtualRootHeader> headers;
    std::vector<TargetBox> boxes, all_boxes;
    for (const auto& local : ranks) {
        headers.push_back(make_virtual_root(local->exec, local->bodies, local->tree, moment_count(P), box_count, boxes));
        all_boxes.insert(all_boxes.end(), boxes.begin(), boxes.end());
    }
    const VirtualRoots roots{headers.data(), all_boxes.data(), box_count, static_cast<int>(ranks.size())};
    LocalTree& here = *ranks[to];
    std::vector<Node> nodes;
    std::vector<float> moments;
    std::vector<Source> sources;
    completion.node_begin.assign(1, 0);
    completion.source_begin.assign(1, 0);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        EssentialWalk<Backend> essential(ranks[rank]->exec);
        PrunedTrees<Backend> sent(ranks[rank]->exec);
        essential.run(ranks[rank]->view(), moment_count(P), roots, static_cast<int>(rank), sent);
        const auto append = [&](const auto& all, auto& received, std::size_t begin, std::size_t end) {
            const auto on_this_host = on_host(ranks[rank]->exec, all);
            received.insert(received.end(), on_this_host.begin() + static_cast<std::ptrdiff_t>(begin),
                            on_this_host.begin() + static_cast<std::ptrdiff_t>(end));
        };
        append(sent.nodes, nodes, sent.node_begin[to], sent.node_begin[to + 1]);
        append(sent.moments, moments, sent.node_begin[to] * moment_count(P), sent.node_begin[to + 1] * moment_count(P));
        append(sent.sources, sources, sent.source_begin[to], sent.source_begin[to + 1]);
        completion.node_begin.push_back(nodes.size());
        completion.source_begin.push_back(sources.size());
    }
    const PrunedTreeArrays room = completion.make_room(moment_count(P), here.bodies, here.tree);
    copy_in(here.exec, nodes.data(), room.nodes, nodes.size());
    copy_in(here.exec, moments.data(), room.moments, moments.size());
    copy_in(here.exec, sources.data(), room.sources, sources.size());
    completion.take_in<P>(roots, static_cast<int>(to), here.bodies, here.tree);
}

template <int P>
TreeView completed(LocalTree& here, TreeCompletion<Backend>& completion, bool own) {
    const TreeView view = completion.merge<P>(own, here.bodies, here.frame, here.options, here.tree);
    here.exec.synchronize();
    return view;
}

}  // namespace gravlet::test
