// SPDX-License-Identifier: Apache-2.0
// A solve in double: what it has beside its tree, and its walk, whose kernels are in a file for each order.
#pragma once

#include "gpu/execution/execution.hpp"
#include "solver/precise/lane_walk.hpp"
#include "solver/precise/precise_tree.hpp"

#ifndef GRAVLET_PRECISE  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_PRECISE extern
#endif

namespace gravlet {

#define GRAVLET_WALK_BY_LANES(order)                                                                    \
    extern template void walk_by_lanes<order, false>(const Gpu&, const PreciseWalk&, const LaneUnits&); \
    extern template void walk_by_lanes<order, true>(const Gpu&, const PreciseWalk&, const LaneUnits&);
GRAVLET_WALK_BY_LANES(2)
GRAVLET_WALK_BY_LANES(4)
GRAVLET_WALK_BY_LANES(6)
GRAVLET_WALK_BY_LANES(8)
GRAVLET_WALK_BY_LANES(10)
#undef GRAVLET_WALK_BY_LANES

GRAVLET_PRECISE template class PreciseTree<Gpu>;
GRAVLET_PRECISE template InteractionCounts walk_in_double(const Gpu&, const PreciseWalk&, const std::function<void()>&);

}  // namespace gravlet
