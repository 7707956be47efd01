// SPDX-License-Identifier: Apache-2.0
// What went wrong in a gathered solve, in the words of the ranks that passed their cells: without gathering, the same error would
// have the same message.
#pragma once

#include "mpi/rank_group.hpp"
#include "solver/gather/gather_view.hpp"

#include <gravlet/options.hpp>

#include <exception>
#include <optional>

namespace gravlet {

/// Local, on a leader: what it caught of the leaders' engine, whose ranks are those of the leaders' communicator.
Outcome in_callers_ranks(const std::exception_ptr& caught, const RankGroup& group, const Communicator& all) noexcept;

/// Collective. After an Error(invalid_input) of the leaders' engine: throws it, named by the first rank whose own bodies (`mine`)
/// are the cause. Returns if two ranks' bodies are, together.
void reject_own_bodies(Stages& stages, const std::optional<GatherView>& mine, const Options& options);

}  // namespace gravlet
