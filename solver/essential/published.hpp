// SPDX-License-Identifier: Apache-2.0
// What a rank that very many are near to tells all of them at once. What is sparse or coarse around a core is opened all over the
// core, however many ranks that has: each would be sent about the same tree. So what many would open of it, and the sources that
// they would be sent, are told to all along with the virtual roots; few then need more, and are sent it as ever.
#pragma once

#include "mpi/virtual_roots.hpp"
#include "physics/path_size.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/roots.hpp"

#include <cstddef>
#include <span>

namespace gravlet {

/// When a rank tells all others more than its root.
struct TellingRule {
    std::size_t near = path_size<std::size_t>(512, 1);  ///< ranks near to one that tells no more
    std::size_t few = path_size<std::size_t>(64, 1);    ///< ranks that are sent trees rather than that a node is opened
    std::size_t most = 1024;                            ///< nodes at most; and sources
};

/// Local. The top of a finished tree, of `sources` in the backend's memory: all nodes that `opens(node)` names have their
/// children or sources with them. None if there are more than `most`.
template <int P, class Exec, class Opens>
RootParts top_of(const Exec& exec, const Tree<Exec>& tree, const Source* sources, const NearNeeds& near, std::size_t most,
                 const Opens& opens) {
    RootParts out{far_nodes<P>(exec, tree, 0, 1, near.reach), {}};
    for (std::size_t k = 0; k < out.nodes.size(); ++k) {
        Node& node = out.nodes[k].node;
        const std::size_t first = node.first, count = node.count;
        FarNode end = out.nodes[k];
        prune(end);
        const bool alone = node.leaf != 0 && count == 1;  // a source is itself, cheaper to tell and to evaluate
        if (!alone && !opens(end)) {
            out.nodes[k] = end;
        } else if (node.leaf != 0) {
            node.first = static_cast<std::uint32_t>(out.sources.size());
            out.sources.resize(out.sources.size() + count);
            Source* const here = out.sources.data() + node.first;
            copy_out(exec, sources + first, here, count);
            std::vector<float> sizes(near.sizes != nullptr ? count : 0);
            copy_out(exec, near.sizes + (sizes.empty() ? 0 : first), sizes.data(), sizes.size());
            for (std::size_t s = 0; s < sizes.size(); ++s)
                if (sizes[s] > 0.0f) here[s].softening = -sizes[s];
        } else {
            node.first = static_cast<std::uint32_t>(out.nodes.size());
            const std::vector<FarNode> below = far_nodes<P>(exec, tree, first, count, near.reach);
            out.nodes.insert(out.nodes.end(), below.begin(), below.end());
        }
        if (out.nodes.size() > most || out.sources.size() > most) return {};
    }
    return out;
}

/// Local. What all are told of this rank in place of the nodes `known` that stand for it; nothing if few ranks are near to these,
/// or if more than half of them still were. The ranks' ranges are bounded.
template <int P, class Exec>
RootParts published(const Exec& exec, const Tree<Exec>& tree, const Source* sources, const NearNeeds& near,
                    std::span<const FarNode> known, const VirtualRoots& roots, int rank, const TellingRule& rule = {}) {
    const std::size_t ranks = roots.all.size();
    const auto near_to = [&](std::span<const FarNode> nodes, std::size_t most) {
        return roots.near_to(nodes, rank, most).size();
    };
    const std::size_t before = near_to(known, ranks);
    if (before <= rule.near) return {};
    RootParts out = top_of<P>(exec, tree, sources, near, rule.most, [&](const FarNode& node) {
        return near_to({&node, 1}, rule.few + 1) > rule.few;
    });
    return 2 * near_to(out.nodes, ranks) <= before ? out : RootParts{};
}

}  // namespace gravlet
