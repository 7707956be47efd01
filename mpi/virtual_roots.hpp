// SPDX-License-Identifier: Apache-2.0
// Every rank learns every rank's virtual root, and the finer boxes of those that may need more of it.
#pragma once

#include "mpi/message_rounds.hpp"
#include "physics/virtual_root.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gravlet {

/// What a rank tells of itself, in host memory.
struct OwnVirtualRoot {
    VirtualRoot root{};
    std::vector<FarNode> parts;    ///< root.parts of them
    std::vector<TargetBox> boxes;  ///< the finer ones: on all ranks as many
};

/// What a rank knows of all, in host memory, kept between solves.
struct VirtualRoots {
    std::vector<VirtualRoot> all;         ///< virtual roots, by rank
    std::vector<FarNode> parts;           ///< parts of those roots that have any
    std::vector<std::size_t> part_begin;  ///< first part by rank, and the end
    std::vector<int> audience;            ///< ranks that may need more than this one's root, ascending
    std::vector<int> senders;             ///< ranks of which this one may need more than the root, ascending
    std::vector<TargetBox> boxes;         ///< boxes of the audience's targets, `stride` a rank
    std::size_t stride = 0;
    Distance distance{};

    [[nodiscard]] RemoteTargets targets() const { return {boxes.data(), stride, distance}; }
    /// The nodes that stand for a rank's mass.
    [[nodiscard]] std::span<const FarNode> nodes_of(int rank) const;
    /// Whether one rank may need more of another than these: decided alike on both.
    [[nodiscard]] bool may_need(int to, int from) const;
};

/// Local. The two lists.
void find_near(int rank, VirtualRoots& roots);

class VirtualRootExchange {
public:
    explicit VirtualRootExchange(MessageRounds& rounds)
        : rounds_(rounds), root_(sizeof(VirtualRoot)), node_(sizeof(FarNode)), box_(sizeof(TargetBox)) {}

    /// Local. Room for the roots of so many ranks.
    void prepare(int ranks, VirtualRoots& roots);
    /// Collective. Fills roots.all, and opens a message round.
    void gather(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const;
    /// Local, after gather(). Makes room for the parts.
    void prepare_parts(VirtualRoots& roots);
    /// Whether there are parts, after gather(). Alike on all ranks, whatever else has failed on one.
    [[nodiscard]] static bool any_parts(const VirtualRoots& roots);
    /// Collective, if there are parts. Fills roots.parts.
    void gather_parts(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const;
    /// Local. Finds who is near; posts the message round in which they tell each other their finer boxes.
    void post(int rank, const OwnVirtualRoot& mine, VirtualRoots& roots) const;

private:
    MessageRounds& rounds_;
    RecordType root_, node_, box_;
    std::vector<int> counts_, offsets_;  ///< counts and offsets of parts, by rank
};

}  // namespace gravlet
