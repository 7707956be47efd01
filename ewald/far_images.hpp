// SPDX-License-Identifier: Apache-2.0
// The images that no walk visits. The periodic box is cut into a few cubic pieces. Of a piece and its images a target sees those
// within the walk that are less than two pieces away; what all others add is smooth, and polynomials on the pieces' nodes carry
// it: masses are brought to the nodes, nodes act on each other through a kernel, and the result is read off at the targets
// (solver/far_field.hpp).
#pragma once

#include "ewald/lattice_sum.hpp"
#include "ewald/periodic_box.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace gravlet {

/// Nodes along each side of a piece, its faces included: polynomials of degree 7.
inline constexpr int far_points = 8;
/// Differences of two nodes' numbers along a side.
inline constexpr int far_steps = 2 * far_points - 1;

/// A periodic box in cubic pieces, from its lower corner on (the origin); the last ones may reach beyond it.
struct BoxPieces {
    double side = 0.0;  ///< of a piece, in the unit of the box's sides; 0: there are none
    int count[3] = {};

    /// The lower corner of the piece that a coordinate is in. Sides are powers of two.
    [[nodiscard]] GRAVLET_HD double corner(int d, double coordinate) const {
        return fmin(floor(coordinate / side), count[d] - 1.0) * side;
    }
    /// Images of a piece that are walked for the targets of another one, `difference` pieces away in direction d: those less than
    /// two pieces from it. The walk decides by the same sum (is_walked()), to the bit.
    [[nodiscard]] ImageRange walked(const PeriodicBox& box, std::size_t d, int difference) const;
};

/// Whether an image is walked; all arguments along one direction: lower corners of the pieces of source and target, the image's
/// displacement. Multiples of a power of two, but for the last.
GRAVLET_HD inline bool is_walked(double source, double target, double displacement, double piece_side) {
    const double distance = (source - target) + displacement;
    return (distance < 0.0 ? -distance : distance) < 1.999 * piece_side;
}

/// The potential of the images that are not walked, at the differences of nodes: for each absolute difference of pieces (x
/// fastest), far_steps^3 values, the middle one where the nodes have equal numbers in their pieces. Local.
std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, double softening, int threads);

}  // namespace gravlet
