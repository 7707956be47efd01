// SPDX-License-Identifier: Apache-2.0
// The pieces of a periodic box, and which of their images are walked (ewald/far_images.hpp). Apart from all else about images, as
// kernels of walks include it.
#pragma once

#include "physics/types.hpp"

#include <cmath>
#include <cstddef>

namespace gravlet {

struct ImageRange;
struct PeriodicBox;

/// A periodic box in cubic pieces, from its lower corner on; the last ones may reach beyond it. Pieces are cubes of the octree.
struct BoxPieces {
    double side = 0.0;  ///< side of a piece, in the unit of the box's sides; 0: there are none
    int count[3] = {};
    RootCube cube{};  ///< root cube whose places end with the last pieces

    /// Which piece a coordinate is in, counted from the corner. Keys part where these numbers do, as the cube's side is a power
    /// of two times a piece's: this is the floor of its place times that. (That itself cost walks 4%, as code in the GPU's loop.)
    [[nodiscard]] GRAVLET_HD double index(int d, double coordinate) const {
        const double corner = d == 0 ? cube.corner.x : d == 1 ? cube.corner.y : cube.corner.z;
        return fmin(fmax(floor((coordinate - corner) / side), 0.0), count[d] - 1.0);
    }
    /// Images of a piece that are walked for the targets of another one, `difference` pieces away in direction d: those less than
    /// two pieces from it. The walk decides by the same sum (is_walked()), to the bit.
    [[nodiscard]] ImageRange walked(const PeriodicBox& box, std::size_t d, int difference) const;
    /// Images in y that are walked, in a sheared box, of the column of images that is so many periods away in x.
    [[nodiscard]] ImageRange walked_in_column(const PeriodicBox& box, int column, int difference) const;
};

/// Whether some of a row of pieces in an image are walked for a target, along one direction: the first is `first` pieces beyond
/// the target's, the last `last`.
GRAVLET_HD inline bool is_walked(double first, double last, double displacement, double piece_side) {
    // A little less than two; and a shear is a round number more often than this.
    const double reach = 1.998917264305 * piece_side;
    return first * piece_side + displacement < reach && last * piece_side + displacement > -reach;
}

}  // namespace gravlet
