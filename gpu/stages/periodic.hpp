// SPDX-License-Identifier: Apache-2.0
// Images of a periodic box.
#pragma once

#include "gpu/execution/execution.hpp"
#include "solver/periodic/far_images.hpp"
#include "solver/periodic/table_walk.hpp"

#ifndef GRAVLET_PERIODIC  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_PERIODIC extern
#endif

namespace gravlet {

GRAVLET_PERIODIC template class FarTransform<Gpu, CoarseNodes::side>;
GRAVLET_PERIODIC template class FarTransform<Gpu, MediumNodes::side>;
GRAVLET_PERIODIC template class FarTransform<Gpu, FineNodes::side>;
GRAVLET_PERIODIC template class FarImages<Gpu, CoarseNodes>;
GRAVLET_PERIODIC template class FarImages<Gpu, MediumNodes>;
GRAVLET_PERIODIC template class FarImages<Gpu, FineNodes>;
GRAVLET_PERIODIC template InteractionCounts run_table_walk(const Gpu&, const TableWalk&, int);
GRAVLET_PERIODIC template double sum_of_squares(const Gpu&, const Frame&, const TargetSet<Gpu>&);
GRAVLET_PERIODIC template void add_background(const Gpu&, const Frame&, double, TargetSet<Gpu>&);

}  // namespace gravlet
