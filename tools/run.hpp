// SPDX-License-Identifier: Apache-2.0
// `gravlet run`: make the problem, solve it some times, compare, tell, write. A signal to end (tools/present/stop_signal.hpp) is
// heard between solves: what the solves till then have found is told and written, without a comparison.
#pragma once

#include "tools/config/config.hpp"
#include "tools/result.hpp"

#include <mpi.h>

#include <functional>

namespace gravlet {

/// Collective. tell(), collective, is called with the result before outputs are written, so that it is told whatever becomes of
/// them. Throws Error, the same on every rank; that of tell() or of an output, or all of theirs in one, after all others were
/// written.
RunResult run(MPI_Comm comm, const RunConfig& config, const std::function<void(const RunResult&)>& tell = {});

}  // namespace gravlet
