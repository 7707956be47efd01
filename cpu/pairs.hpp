// SPDX-License-Identifier: Apache-2.0
// Few bodies act one by one, in double: that takes no longer than a walk would.
#pragma once

#include "solver/data/walk_types.hpp"

namespace gravlet {

/// Local. Lets all sources act on the targets of active groups.
InteractionCounts add_pairs(int threads, const TreeView& tree, const WalkTargets& targets);

}  // namespace gravlet
