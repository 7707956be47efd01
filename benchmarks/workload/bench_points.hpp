// SPDX-License-Identifier: Apache-2.0
// Points of a cube, an even, a Plummer, a Hernquist or an NFW sphere or a disc in its halo, each rank's in a box of its own, as a
// host's domain decomposition yields.
#pragma once

#include "amr_adapter/files/point_file.hpp"
#include "benchmarks/workload/bench_settings.hpp"

#include <mpi.h>

#include <cstddef>

namespace gravlet::bench {

/// Collective. n on each rank, of mass 1 in all: those of the unit box, of a sphere of radius 1 around the origin, evenly, of a
/// Plummer sphere of scale radius 1 without its outermost thousandth, or of the command's problems hernquist, nfw and disc. Of
/// so many points in all, any number of ranks has the same. Each rank's are in random order, or, along_curve, in that of a
/// Hilbert curve.
[[nodiscard]] PointSet make_points(MPI_Comm comm, ProblemKind kind, std::size_t n, bool along_curve);

}  // namespace gravlet::bench
