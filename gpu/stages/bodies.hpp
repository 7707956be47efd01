// SPDX-License-Identifier: Apache-2.0
// Bodies, guard cells, probes and mirror images in the order of the curve, their groups, and which of them walk.
#pragma once

#include "gpu/stages/caller.hpp"
#include "solver/criterion/scales.hpp"
#include "solver/data/target_boxes.hpp"
#include "solver/heavy/heavy.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/packed_targets.hpp"
#include "solver/order/places.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"
#include "solver/targets/guards.hpp"
#include "solver/targets/mirrored.hpp"
#include "solver/targets/probes.hpp"

#ifndef GRAVLET_BODIES  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_BODIES extern
#endif

namespace gravlet {

GRAVLET_BODIES template void sort(const Gpu&, const Input&, const Frame&, const Options&, Bodies<Gpu>&);
GRAVLET_BODIES template std::uint64_t leave_out_own(const Gpu&, const Bodies<Gpu>&, TargetSet<Gpu>&, const cell_index*,
                                                    const ExactSource*, SofteningKernel, int);
GRAVLET_BODIES template ByBlocks sort_blocks(const Gpu&, const Input&, const Frame&, Bodies<Gpu>&);
GRAVLET_BODIES template void sort_one_by_one(const Gpu&, const GivenBodies&, const Frame&, std::size_t, Bodies<Gpu>&);
GRAVLET_BODIES template bool sort_bodies(const Gpu&, const Input&, const Frame&, std::size_t, Bodies<Gpu>&);
GRAVLET_BODIES template const Group* make_groups(const Gpu&, const Frame&, std::size_t, TargetSet<Gpu>&);
GRAVLET_BODIES template void clear(const Gpu&, std::size_t, Gpu::Buffer<double>&);
GRAVLET_BODIES template void clear_sums(const Gpu&, int, TargetSet<Gpu>&);
GRAVLET_BODIES template void choose_targets(const Gpu&, const Input&, int, Bodies<Gpu>&);
GRAVLET_BODIES template std::vector<TargetBox> target_boxes(const Gpu&, const TargetSet<Gpu>&, std::size_t);
GRAVLET_BODIES template class GroupScales<Gpu>;
GRAVLET_BODIES template class CellLookup<Gpu>;
GRAVLET_BODIES template class GuardCells<Gpu>;
GRAVLET_BODIES template class PackedTargets<Gpu>;
GRAVLET_BODIES template class ProbeTargets<Gpu>;
GRAVLET_BODIES template class MirroredTargets<Gpu>;
GRAVLET_BODIES template class HeavyBodies<Gpu>;

}  // namespace gravlet
