// SPDX-License-Identifier: Apache-2.0
// The images that no walk visits. The periodic box is cut into a few cubic pieces. Of a piece and its images a target sees those
// within the walk that are less than two pieces away; what all others add is smooth, and polynomials on the pieces' nodes carry
// it: masses are brought to the nodes, nodes act on each other through a kernel, and the result is read off at the targets
// (solver/periodic/far_images.hpp).
#pragma once

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

/// A periodic box in cubic pieces, from its lower corner on; the last ones may reach beyond it. Pieces are cubes of the octree.
struct BoxPieces {
    double side = 0.0;  ///< of a piece, in the unit of the box's sides; 0: there are none
    int count[3] = {};
    RootCube cube{};      ///< whose places end with the last pieces
    double in_row = 1.0;  ///< pieces along that cube's side: a power of two

    /// Which piece a coordinate is in, counted from the corner. Keys part where these numbers do: both are of places.
    [[nodiscard]] GRAVLET_HD double index(int d, double coordinate) const { return floor(cube.place(d, coordinate) * in_row); }
    /// Images of a piece that are walked for the targets of another one, `difference` pieces away in direction d: those less than
    /// two pieces from it. The walk decides by the same sum (is_walked()), to the bit.
    [[nodiscard]] ImageRange walked(const PeriodicBox& box, std::size_t d, int difference) const;
};

/// Whether some of a row of pieces in an image are walked for a target, along one direction: the first is `first` pieces beyond
/// the target's, the last `last`.
GRAVLET_HD inline bool is_walked(double first, double last, double displacement, double piece_side) {
    const double reach = 1.999 * piece_side;
    return first * piece_side + displacement < reach && last * piece_side + displacement > -reach;
}

/// The potential of the images that are not walked, at the differences of nodes: for each absolute difference of pieces (x
/// fastest), far_steps^3 values, the middle one where the nodes have equal numbers in their pieces. Local.
std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, double softening, int threads,
                               Progress& progress);
/// Steps of that progress.
std::size_t far_kernel_steps(const BoxPieces& pieces);

}  // namespace gravlet
