// SPDX-License-Identifier: Apache-2.0
// Every rank learns every rank's virtual root, and the finer boxes of those that may need more of it than its root.
#pragma once

#include "mpi/message_rounds.hpp"
#include "physics/virtual_root.hpp"

#include <vector>

namespace gravlet {

/// What a rank knows of all, in host memory, kept between solves.
struct VirtualRoots {
    std::vector<VirtualRoot> all;     ///< by rank
    std::vector<int> audience;        ///< ranks that may need more than this one's root, ascending
    std::vector<int> senders;         ///< ranks of which this one may need more than the root, ascending
    std::vector<TargetBox> boxes;     ///< of the audience, `stride` a rank
    std::size_t stride = 0;
    Distance distance{};

    [[nodiscard]] RemoteTargets targets() const { return {boxes.data(), stride, distance}; }
};

class VirtualRootExchange {
public:
    explicit VirtualRootExchange(MessageRounds& rounds) : rounds_(rounds), root_(sizeof(VirtualRoot)), box_(sizeof(TargetBox)) {}

    /// Collective. Fills roots.all, which has room for it. Opens a round.
    void gather(const Agreed& all, const VirtualRoot& mine, VirtualRoots& roots) const;
    /// Local. Finds who is near; posts the round in which they tell each other their finer boxes, all ranks as many.
    void post(int rank, const std::vector<TargetBox>& mine, VirtualRoots& roots) const;

private:
    MessageRounds& rounds_;
    RecordType root_, box_;
};

/// Local. The two lists, from roots.all.
void find_near(int rank, VirtualRoots& roots);

}  // namespace gravlet
