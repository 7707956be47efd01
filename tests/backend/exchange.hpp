// SPDX-License-Identifier: Apache-2.0
// Several ranks' trees in one process: what the others send one of them, and the locally essential tree that it makes of it.
#pragma once

#include "solver/essential/complete.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/published.hpp"
#include "solver/essential/roots.hpp"
#include "tests/backend/local.hpp"

#include <memory>
#include <utility>
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

/// All ranks' roots, and what all are told by those that few would need more of then.
template <int P>
VirtualRoots gathered_roots(const std::vector<std::unique_ptr<LocalTree>>& ranks, const TellingRule& rule = {}) {
    VirtualRoots roots;
    std::vector<RootParts> parts;
    for (const auto& local : ranks) {
        const OwnVirtualRoot own =
            make_virtual_root<P>(local->exec, local->bodies, local->tree, local->frame.cube, local->opening(), 1);
        roots.all.push_back(own.root), parts.push_back(own.parts);
    }
    bound_ranges(roots);
    roots.part_begin = roots.source_begin = {0};
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const LocalTree& local = *ranks[r];
        const std::vector<FarNode> own = parts[r].nodes.empty() ? std::vector{roots.all[r].root} : parts[r].nodes;
        if (roots.all[r].has_mass != 0) {
            RootParts told =
                published<P>(local.exec, local.tree, local.bodies.sources(), {}, own, roots, static_cast<int>(r), rule);
            if (!told.nodes.empty()) parts[r] = std::move(told);
        }
        roots.parts.nodes.insert(roots.parts.nodes.end(), parts[r].nodes.begin(), parts[r].nodes.end());
        roots.parts.sources.insert(roots.parts.sources.end(), parts[r].sources.begin(), parts[r].sources.end());
        roots.part_begin.push_back(roots.parts.nodes.size()), roots.source_begin.push_back(roots.parts.sources.size());
    }
    for (std::size_t r = 0; r < ranks.size(); ++r) roots.all[r].parts = static_cast<std::int32_t>(parts[r].nodes.size());
    return roots;
}

/// Gives rank `to` what all others send it, and what it is told.
template <int P>
void exchange(const std::vector<std::unique_ptr<LocalTree>>& ranks, std::size_t to, TreeCompletion<Backend>& completion,
              const TellingRule& rule = {}) {
    VirtualRoots roots = gathered_roots<P>(ranks, rule);
    LocalTree& here = *ranks[to];
    const std::vector<TargetBox> boxes = target_boxes(here.exec, here.bodies, 16);
    find_near(static_cast<int>(to), roots);
    const RemoteTargets targets{boxes.data(), boxes.size(), {}};
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
    const PrunedTreeArrays room =
        completion.make_room(announced, roots, static_cast<int>(to), moment_count(P), here.bodies, here.tree);
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
