// SPDX-License-Identifier: Apache-2.0
// A uniform mesh: the simplest host, and the one with the most cells.
#pragma once

#include "amr_adapter/files/block_set.hpp"

namespace gravlet::bench {

/// This rank's blocks, `block` cells a side, of the unit box, `cells` (a multiple of that) a side, along a Morton curve; density
/// a positive smooth bump.
[[nodiscard]] BlockSet make_grid(int rank, int ranks, int cells, int block);

}  // namespace gravlet::bench
