// SPDX-License-Identifier: Apache-2.0
// What went wrong in a gathered solve, in the words of the ranks that passed their cells: without gathering, the same error would
// have the same message.
#pragma once

#include "mpi/rank_group.hpp"
#include "solver/input.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>

namespace gravlet {

/// Local, on a leader: an error of the leaders' engine, which names ranks of the leaders' communicator.
Error in_callers_ranks(const Error& error, const RankGroup& group, const Communicator& all);

/// Collective. After an Error(invalid_input) of the leaders' engine: throws it, named by the first rank whose own bodies (`mine`)
/// are the cause. Returns if two ranks' bodies are, together.
void reject_own_bodies(const Communicator& all, const Input& mine, const Options& options);

}  // namespace gravlet
