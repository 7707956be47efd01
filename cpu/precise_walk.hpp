// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/execution.hpp"
#include "solver/precise/group_walk.hpp"

#include <functional>

namespace gravlet {

/// Local. Adds to the targets' sums: a thread a group. Calls `poll` as CpuWalk does.
InteractionCounts walk_in_double(const Cpu& cpu, const PreciseWalk& work, const std::function<void()>& poll);

}  // namespace gravlet
