// SPDX-License-Identifier: Apache-2.0
// The law of near cells for one shape, with its table.
#pragma once

#include "ewald/periodic_box.hpp"
#include "physics/cuboid/near_cells.hpp"
#include "solver/input/input.hpp"

#include <array>
#include <vector>

namespace gravlet {

/// Shortest sides of cells and the others in these, of some bodies: the least, and minus the most. In an array for MPI_MIN.
struct CellShapes {
    static constexpr double none = 1e300;
    double of[8] = {none, none, none, none, none, none, none, none};

    GRAVLET_HD void add(const Body& cell) {
        const double size = fmin(cell.dx, fmin(cell.dy, cell.dz));
        const double found[8] = {size,  cell.dx / size,  cell.dy / size,  cell.dz / size,
                                 -size, -cell.dx / size, -cell.dy / size, -cell.dz / size};
        for (int k = 0; k < 8; ++k) of[k] = fmin(of[k], found[k]);
    }
    GRAVLET_HD void add(const CellShapes& other) {
        for (int k = 0; k < 8; ++k) of[k] = fmin(of[k], other.of[k]);
    }
    [[nodiscard]] bool any() const { return of[0] < none; }
    /// Whether cells have one shape, up to the rounding of hosts' coordinates, of single precision.
    [[nodiscard]] bool one_shape() const {
        bool same = true;
        for (int a = 1; a <= 3; ++a) same = same && -of[4 + a] <= of[a] * (1.0 + 1e-6);
        return same;
    }
};

inline constexpr const char* several_shapes = "near_cells: cells of several shapes act as points on near targets, too";

/// Displacements of the box's images whose cells may be near to targets in it, the first of them zero. `sides`: shortest ones of
/// the largest cells.
[[nodiscard]] std::vector<Vector3> near_images(const PeriodicBox& box, const NearLaw& law, double sides);

/// A table and the shape that it is for.
class NearTable {
public:
    /// Makes it, unless it is there.
    void make(const CellShapes& shapes);
    /// The law, without the table's place in memory.
    [[nodiscard]] const NearLaw& law() const { return law_; }
    [[nodiscard]] const std::vector<double>& jets() const { return jets_; }

private:
    NearLaw law_;
    std::vector<double> jets_;
};

}  // namespace gravlet
