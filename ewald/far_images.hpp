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

/// Nodes along a side of a piece: evenly spaced, and as far beyond its one face as beyond the other.
struct FarNodes {
    int count;
    double steps;  ///< the piece's side, in units of the distance between them

    /// Distance of the first node from the face, in the same units.
    [[nodiscard]] GRAVLET_HD constexpr double margin() const { return 0.5 * (count - 1 - steps); }
    /// Differences of two nodes' numbers.
    [[nodiscard]] constexpr int differences() const { return 2 * count - 1; }
};

/// How many periods away, either way in direction d, an image is at most of which some piece is walked for some other.
int walked_periods(const PeriodicBox& box, const BoxPieces& pieces, std::size_t d);

/// Differences of pieces in y that a kernel has, and which of them is none. It is even in each direction; but in a sheared box in
/// x and y together, and those in y have a sign, that of x being positive.
struct KernelRows {
    bool sheared;
    int count, none;

    KernelRows(const PeriodicBox& box, const BoxPieces& pieces)
        : sheared(box.shear != 0.0),
          count(sheared ? 2 * pieces.count[1] - 1 : pieces.count[1]),
          none(sheared ? pieces.count[1] - 1 : 0) {}
};

/// The potential of the images that are not walked, at the differences of nodes: for each difference of pieces (x fastest;
/// absolute, but for KernelRows), differences()^3 values, the middle one where the nodes have equal numbers in their pieces.
/// Local.
std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, double softening,
                               int threads, Narrator& narrator);

}  // namespace gravlet
