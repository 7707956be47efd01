// SPDX-License-Identifier: Apache-2.0
// Several ranks' trees in one process: what the others send one of them, and the locally essential tree that it makes of it.
#pragma once

#include "solver/essential/complete.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/roots.hpp"
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
    VirtualRoots roots;
    std::vector<TargetBox> boxes;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const LocalTree& local = *ranks[rank];
        const OwnVirtualRoot root =
            make_virtual_root<P>(local.exec, local.bodies, local.tree, local.frame.cube, local.opening(), box_count);
        roots.all.push_back(root.root);
        roots.part_begin.push_back(roots.parts.size());
        roots.parts.insert(roots.parts.end(), root.parts.begin(), root.parts.end());
        if (rank == to) boxes = root.boxes;
    }
    find_near(static_cast<int>(to), roots);
    const RemoteTargets targets{boxes.data(), boxes.size(), {}};
    LocalTree& here = *ranks[to];
    std::vector<Node> nodes;
    std::vector<float> moments;
    std::vector<Source> sources;
    std::vector<Announcement> announced;
    for (const int sender : roots.senders) {
        const LocalTree& there = *ranks[static_cast<std::size_t>(sender)];
        EssentialWalk<Backend> essential(there.exec);
        PrunedTrees<Backend> sent(there.exec);
        essential.run(there.view(), moment_count(P), roots.nodes_of(sender), targets, 1, sent);
        const auto append = [&](const auto& all, auto& received) {
            const auto on_this_host = on_host(there.exec, all);
            received.insert(received.end(), on_this_host.begin(), on_this_host.end());
        };
        append(sent.nodes, nodes);
        append(sent.moments, moments);
        append(sent.sources, sources);
        announced.push_back({sent.nodes.size(), sent.sources.size(), 0, 0, 0, 0});
    }
    const PrunedTreeArrays room = completion.make_room(announced, moment_count(P), here.bodies, here.tree);
    copy_in(here.exec, nodes.data(), room.nodes, nodes.size());
    copy_in(here.exec, moments.data(), room.moments, moments.size());
    copy_in(here.exec, sources.data(), room.sources, sources.size());
    completion.take_in(P, roots, static_cast<int>(to), here.bodies, here.tree);
}

inline TreeView completed(LocalTree& here, TreeCompletion<Backend>& completion, bool own) {
    const TreeView view = completion.merge(own, here.bodies, here.frame, here.options, here.tree);
    here.exec.synchronize();
    return view;
}

}  // namespace gravlet::test
