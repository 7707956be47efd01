// SPDX-License-Identifier: Apache-2.0
// Points to ranks by recursive bisection (Dubinski 1996): the ranks are halved, and the box with them where their shares of the
// points part, across x, y, z in turn, until each rank has a box of its own. Shares are exact (but where many points have
// the coordinate of a cut: they stay together), so that a benchmark's ranks are equally loaded:
// 1. coordinates are taken as integers that are ordered alike;
// 2. the cut of every box of one level is found byte by byte, from the bytes' counts over all ranks;
// 3. at the end each point is sent to its rank.
#pragma once

#include "amr_adapter/files/point_file.hpp"

#include <mpi.h>

namespace gravlet {

/// Collective. Replaces this rank's points. One rank: nothing changes.
void distribute_in_boxes(MPI_Comm comm, PointSet& points);

}  // namespace gravlet
