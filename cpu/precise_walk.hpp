// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/execution.hpp"
#include "solver/precise/group_walk.hpp"

namespace gravlet {

/// Local. Adds to the targets' sums: a thread a group.
InteractionCounts walk_in_double(const Cpu& cpu, const PreciseWalk& work);

}  // namespace gravlet
