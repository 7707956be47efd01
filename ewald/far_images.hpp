// SPDX-License-Identifier: Apache-2.0
// The images that no walk visits. The periodic box is cut into a few cubic pieces. Of a piece and its images a target sees those
// within the walk that are less than two pieces away; what all others add is smooth, and polynomials on the pieces' nodes carry
// it: masses are brought to the nodes, nodes act on each other through a kernel, and the result is read off at the targets
// (solver/periodic/far_images.hpp).
#pragma once

#include "ewald/box_pieces.hpp"
#include "ewald/lattice_sum.hpp"
#include "ewald/periodic_box.hpp"
#include "mpi/narrator.hpp"
#include "physics/types.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace gravlet {

/// Nodes along each side of a piece, its faces included: polynomials of degree 7.
inline constexpr int side_nodes = 8;
/// Differences of two nodes' numbers along a side.
inline constexpr int far_steps = 2 * side_nodes - 1;

/// The potential of the images that are not walked, at the differences of nodes: for each absolute difference of pieces (x
/// fastest), far_steps^3 values, the middle one where the nodes have equal numbers in their pieces. Local.
std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, double softening, int threads,
                               Progress& progress);
/// Steps of that progress.
std::size_t far_kernel_steps(const BoxPieces& pieces);

}  // namespace gravlet
