// SPDX-License-Identifier: Apache-2.0
// The invariants of every tree, local or pruned, whoever built it. Builds with assertions look at all trees of a solve.
#pragma once

#include "mpi/virtual_roots.hpp"
#include "physics/acceptance.hpp"
#include "solver/essential/essential.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gravlet {

/// What is wrong with a tree in host memory, "node 5: mass"; empty if nothing is. Every source is in exactly one leaf, every node
/// but the root the child of exactly one, and each node's mass, centre of mass, spread and open radius are those of the sources
/// below it, all of which lie in its cube.
[[nodiscard]] std::string tree_flaw(const TreeView& tree, int order, std::uint32_t leaf_size, const RootCube& cube,
                                    const Opening& opening);

/// What is wrong with a pruned tree for the k-th rank of `targets`, or "": indices in range, every node and source met once, what
/// ends it accepted by all boxes of the rank or a source, opened nodes not (unless near cells are cuboids), and the masses of its
/// ends those of the root.
[[nodiscard]] std::string pruned_tree_flaw(const Node* nodes, std::size_t node_count, const Source* sources,
                                           std::size_t source_count, const RemoteTargets& targets, std::size_t k,
                                           bool near = false);

#if defined(NDEBUG)
inline constexpr bool assertions = false;
#else
inline constexpr bool assertions = true;
#endif

/// Local. Throws Error(internal) if a tree has a flaw, in builds with assertions.
template <class Exec>
void assert_invariants(const Exec& exec, TreeView tree, int order, const Options& options, const RootCube& cube,
                       const Opening& opening) {
    if constexpr (!assertions) return;
    const auto on_host = [&](auto*& data, std::size_t n, auto& copy) {
        copy.resize(n);
        copy_out(exec, data, copy.data(), n);
        data = copy.data();
    };
    std::vector<Node> nodes;
    std::vector<Source> sources;
    std::vector<float> moments;
    on_host(tree.nodes, tree.node_count, nodes);
    on_host(tree.sources, tree.source_count, sources);
    on_host(tree.moments, tree.node_count * static_cast<std::size_t>(moment_count(order)), moments);
    const std::string flaw = tree_flaw(tree, order, static_cast<std::uint32_t>(options.leaf_size), cube, opening);
    if (!flaw.empty()) throw Error(ErrorCode::internal, "the tree is not what it must be: " + flaw);
}

/// Local. Throws Error(internal) if a pruned tree that this rank sends has a flaw, in builds with assertions.
template <class Exec>
void assert_invariants(const Exec& exec, const PrunedTrees<Exec>& trees, const VirtualRoots& roots, bool near) {
    if constexpr (!assertions) return;
    std::vector<Node> nodes(trees.nodes.size());
    std::vector<Source> sources(trees.sources.size());
    copy_out(exec, trees.nodes.data(), nodes.data(), nodes.size());
    copy_out(exec, trees.sources.data(), sources.data(), sources.size());
    for (std::size_t k = 0; k < roots.audience.size(); ++k) {
        const std::size_t begin = trees.node_begin[k], source_begin = trees.source_begin[k];
        if (trees.node_begin[k + 1] == begin) continue;
        const std::string flaw =
            pruned_tree_flaw(nodes.data() + begin, trees.node_begin[k + 1] - begin, sources.data() + source_begin,
                             trees.source_begin[k + 1] - source_begin, roots.targets(), k, near);
        if (!flaw.empty())
            throw Error(ErrorCode::internal,
                        "what rank " + std::to_string(roots.audience[k]) + " is sent is not what it must be: " + flaw);
    }
}

}  // namespace gravlet
