// SPDX-License-Identifier: Apache-2.0
// Ranks of one machine that work as one: the first of them leads, and the leaders of all groups have a communicator of their own.
#pragma once

#include "mpi/stages.hpp"

#include <vector>

namespace gravlet {

class RankGroup {
public:
    /// Collective. Ranks of one machine with one colour (>= 0) are a group, in the order of their ranks in the stages'
    /// communicator.
    void form(Stages& stages, int colour);

    [[nodiscard]] const Communicator& members() const { return members_; }
    [[nodiscard]] bool leads() const { return members_.rank() == 0; }
    /// The leaders' communicator; leaders only.
    [[nodiscard]] const Communicator& leaders() const { return leaders_; }
    /// Rank of each leader in the stages' communicator; leaders only.
    [[nodiscard]] const std::vector<int>& leader_ranks() const { return leader_ranks_; }

    /// Waits for the leader: until it calls, the others sleep rather than spin, so that its threads have their cores.
    void wait_for_leader(const Agreed& all) const noexcept;

private:
    Communicator members_, leaders_;
    std::vector<int> leader_ranks_;
};

}  // namespace gravlet
