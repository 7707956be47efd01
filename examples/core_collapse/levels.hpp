// SPDX-License-Identifier: Apache-2.0
// Where a block becomes eight, or eight become one: mass and momentum are kept.
#pragma once

#include "block.hpp"

namespace core_collapse {

/// The child's part of a block, by the block's slopes. Bit d of `child`: whether it is the upper one in direction d.
void refine_block(const State& parent, int child, State& out);

/// The means of a child's cells, into its part of the block.
void coarsen_block(const State& child_state, int child, State& out);

}  // namespace core_collapse
