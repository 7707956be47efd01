// SPDX-License-Identifier: Apache-2.0
// A tree whose points have moved, or that is merged with those of others.
#pragma once

#include "gpu/stages/bodies.hpp"
#include "gpu/stages/tree.hpp"
#include "solver/essential/complete.hpp"
#include "solver/essential/merge.hpp"
#include "solver/tree/moved.hpp"

#ifndef GRAVLET_CHANGED_TREE  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_CHANGED_TREE extern
#endif

namespace gravlet {

GRAVLET_CHANGED_TREE template std::size_t early_groups(const Gpu&, std::size_t, const Options&, bool, const TargetSet<Gpu>&);
GRAVLET_CHANGED_TREE template class MovedTree<Gpu>;
GRAVLET_CHANGED_TREE template void TreeCompletion<Gpu>::shift(std::size_t, std::size_t, std::size_t, Tree<Gpu>&);
GRAVLET_CHANGED_TREE template class TreeMerge<Gpu>;
GRAVLET_CHANGED_TREE template std::size_t first_astray(const Gpu&, const GivenBodies&, const Frame&, const Bodies<Gpu>&);

}  // namespace gravlet
