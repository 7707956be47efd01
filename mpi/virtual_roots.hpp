// SPDX-License-Identifier: Apache-2.0
// Every rank learns every rank's virtual root, and the finer boxes of those that may need more of it.
#pragma once

#include "mpi/message_rounds.hpp"
#include "physics/virtual_root.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace gravlet {

/// What stands for a root in its place, in host memory: some pruned nodes, or a tree of which some are.
struct RootParts {
    std::vector<FarNode> nodes;   ///< a tree's first is its root; children and sources are counted from the first here
    std::vector<Source> sources;  ///< sources of those leaves that are not pruned
};

/// What a rank tells of itself, in host memory.
struct OwnVirtualRoot {
    VirtualRoot root{};
    RootParts parts;               ///< root.parts nodes
    std::vector<TargetBox> boxes;  ///< the finer ones: on all ranks as many
};

/// What a rank knows of all, in host memory, kept between solves.
struct VirtualRoots {
    std::vector<VirtualRoot> all;           ///< virtual roots, by rank
    RootParts parts;                        ///< parts of those roots that have any
    std::vector<std::size_t> part_begin;    ///< first node of the parts by rank, and the end
    std::vector<std::size_t> source_begin;  ///< first source of the parts by rank, and the end
    std::vector<int> audience;              ///< ranks that may need more than this one's root, ascending
    std::vector<int> senders;               ///< ranks of which this one may need more than the root, ascending
    std::vector<TargetBox> boxes;           ///< boxes of the audience's targets, `stride` a rank
    std::size_t stride = 0;
    Distance distance{};
    /// Boxes around the targets of 8 consecutive ranks, of 64, and so on up to all: bound_ranges()'s.
    std::vector<std::vector<TargetBox>> ranges;

    [[nodiscard]] RemoteTargets targets() const { return {boxes.data(), stride, distance}; }
    /// The nodes that stand for a rank's mass to all ranks; and to this rank, which may accept the root.
    [[nodiscard]] std::span<const FarNode> nodes_of(int rank) const;
    [[nodiscard]] std::span<const FarNode> nodes_of(int rank, int to) const;
    [[nodiscard]] std::span<const Source> sources_of(int rank) const;
    /// Whether one rank may need more of another than these: decided alike on both.
    [[nodiscard]] bool may_need(int to, int from) const;
    /// The first ranks, so many at most and without `rank`, that may need more than these nodes of that one, or its root. Many
    /// that accept a node are found by one box around all of them.
    [[nodiscard]] std::vector<int> near_to(std::span<const FarNode> nodes, int rank, std::size_t most) const;

private:
    /// Whether that rank accepts a node, as near_to() finds it: to the last bit.
    [[nodiscard]] bool accepts(int to, const FarNode& far) const;
    void add_near(std::size_t level, std::size_t index, std::span<const FarNode* const> nodes, int rank, std::size_t most,
                  std::vector<int>& out) const;
};

/// Local, once the roots are there. Bounds the ranges of ranks.
void bound_ranges(VirtualRoots& roots);
/// Local. The two lists.
void find_near(int rank, VirtualRoots& roots);

class VirtualRootExchange {
public:
    explicit VirtualRootExchange(MessageRounds& rounds)
        : rounds_(rounds), root_(sizeof(VirtualRoot)), node_(sizeof(FarNode)), source_(sizeof(Source)), box_(sizeof(TargetBox)) {}

    /// Local. Room for the roots of so many ranks.
    void prepare(int ranks, VirtualRoots& roots);
    /// Collective. Fills roots.all, and opens a message round.
    void gather(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const;
    /// Collective, after gather(). Lets so many parts stand for this rank's root, whatever it said.
    void gather_counts(const Agreed& all, const RootParts& mine, VirtualRoots& roots);
    /// Local, after gather(). Makes room for the parts.
    void prepare_parts(VirtualRoots& roots);
    /// Whether there are parts, after gather(). Alike on all ranks, whatever else has failed on one.
    [[nodiscard]] static bool any_parts(const VirtualRoots& roots);
    /// Collective, if there are parts. Fills roots.parts.
    void gather_parts(const Agreed& all, const RootParts& mine, VirtualRoots& roots) const;
    /// Local. Finds who is near; posts the message round in which they tell each other their finer boxes.
    void post(int rank, const OwnVirtualRoot& mine, VirtualRoots& roots) const;

private:
    MessageRounds& rounds_;
    RecordType root_, node_, source_, box_;
    // Of the parts, by rank.
    std::vector<std::array<int, 2>> counts_;
    std::vector<int> nodes_, sources_, node_offsets_, source_offsets_;
};

}  // namespace gravlet
