// SPDX-License-Identifier: Apache-2.0
// A uniform mesh: the simplest host, and the one with the most cells.
#pragma once

#include "amr_adapter/files/block_set.hpp"

namespace gravlet::bench {

/// This rank's blocks of 8^3 cells of the unit box, `cells` (a multiple of 8) a side, along a Morton curve; density a positive
/// smooth bump.
[[nodiscard]] BlockSet make_grid(int rank, int ranks, int cells);

}  // namespace gravlet::bench
