// SPDX-License-Identifier: Apache-2.0
// Cells that act as cuboids on near targets.
#pragma once

#include "gpu/execution/execution.hpp"
#include "solver/near/near_pairs.hpp"

#ifndef GRAVLET_NEAR  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_NEAR extern
#endif

namespace gravlet {

/// Instances for NearPairs' FindReach alone (gpu/execution/levels.cuh).
GRAVLET_NEAR template class NearPairs<Gpu>;

}  // namespace gravlet
