// SPDX-License-Identifier: Apache-2.0
// This rank's tree, and what others need of it.
#pragma once

#include "gpu/execution/execution.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/essential/essential.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"

#include <vector>

#ifndef GRAVLET_TREE  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_TREE extern
#endif

namespace gravlet {

/// Instances for build_tree()'s GrowLevel alone (gpu/execution/levels.cuh).
template <class Grow>
std::vector<node_index> first_levels(const Gpu&, const Grow&, node_index room);

GRAVLET_TREE template std::vector<node_index> first_levels(const Gpu&, const GrowLevel&, node_index);
GRAVLET_TREE template void build_tree(const Gpu&, const Keys&, std::uint32_t, std::uint32_t, int, float, bool, Tree<Gpu>&,
                                      node_index);
GRAVLET_TREE template void compute_moments(const Gpu&, int, const Source*, const RootCube&, const Opening&, Tree<Gpu>&);
GRAVLET_TREE template void update_moments(const Gpu&, int, const std::uint8_t*, const cell_index*, const Source*, const RootCube&,
                                          const Opening&, Tree<Gpu>&);
GRAVLET_TREE template void renew_radii(const Gpu&, const Opening&, Tree<Gpu>&);
GRAVLET_TREE template void widen(const Gpu&, const Opening&, const std::vector<node_index>&, Node*, Gpu::Buffer<float>&);
GRAVLET_TREE template class EssentialWalk<Gpu>;

}  // namespace gravlet
