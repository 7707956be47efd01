// SPDX-License-Identifier: Apache-2.0
// Whether a rank's cells are a lattice: of one size, side by side, and enough of them to fill half of the box around them.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"
#include "solver/input/input_checks.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace gravlet {

/// Places in rows, planes and a box, in solver units.
struct CellLattice {
    double first[3];  ///< the lowest place
    double side[3];
    int count[3];
    bool periodic[3];  ///< whether the places of a direction are all of a period

    friend bool operator==(const CellLattice&, const CellLattice&) = default;

    [[nodiscard]] GRAVLET_HD std::size_t cells(int d) const { return static_cast<std::size_t>(count[d]); }
    /// Where a position is along a direction, in sides.
    [[nodiscard]] GRAVLET_HD double along(int d, double x) const { return (x - first[d]) / side[d]; }

    /// Where the number of a place is, of rows in x that are `row` apart.
    [[nodiscard]] GRAVLET_HD std::size_t in_rows(const Vector3& at, std::size_t row) const {
        const auto place = [this](int d, double x) { return static_cast<std::size_t>(rint(along(d, x))); };
        return (place(2, at.z) * cells(1) + place(1, at.y)) * row + place(0, at.x);
    }

    /// Hosts' coordinates have rounding of their own: so many sides of it change no sum by more than single precision shows.
    static constexpr double rounding = 1e-7;
    [[nodiscard]] GRAVLET_HD bool has(int d, double x) const {
        const double at = along(d, x), place = rint(at);
        return fabs(at - place) <= rounding && place >= 0.0 && place < count[d];
    }
};

/// Corners of a row of cells, or of a block, and the least and the largest sides of cells, of each direction.
struct MeshExtent {
    double lower[3], upper[3], least[3], most[3];

    GRAVLET_HD static MeshExtent none() {
        const double big = INFINITY;
        return {{big, big, big}, {-big, -big, -big}, {big, big, big}, {0.0, 0.0, 0.0}};
    }
    GRAVLET_HD void add(const Body& cell) {
        const double at[3] = {cell.x, cell.y, cell.z}, sides[3] = {cell.dx, cell.dy, cell.dz};
        for (int d = 0; d < 3; ++d) {
            lower[d] = fmin(lower[d], at[d]), upper[d] = fmax(upper[d], at[d]);
            least[d] = fmin(least[d], sides[d]), most[d] = fmax(most[d], sides[d]);
        }
    }
    GRAVLET_HD void add(const MeshExtent& other) {
        for (int d = 0; d < 3; ++d) {
            lower[d] = fmin(lower[d], other.lower[d]), upper[d] = fmax(upper[d], other.upper[d]);
            least[d] = fmin(least[d], other.least[d]), most[d] = fmax(most[d], other.most[d]);
        }
    }
};

/// The first and the last of a host's cells that tell of all between them: those of block i, or cell i twice.
struct CellCorners {
    GivenBodies input;

    [[nodiscard]] GRAVLET_HD std::size_t size() const { return input.blocks != nullptr ? input.block_count : input.cell_count; }
    /// f(cell) for both; for none of an empty block.
    template <class F>
    GRAVLET_HD void for_both(std::size_t i, const F& f) const {
        if (input.blocks == nullptr) return f(input.body(i));
        const auto& n = input.blocks[i].n;
        if (n[0] <= 0 || n[1] <= 0 || n[2] <= 0) return;
        f(input.body_at({i, 0, 0, 0}, 0.0));
        f(input.body_at({i, n[0] - 1, n[1] - 1, n[2] - 1}, 0.0));
    }
};

/// Whether one cell is so heavy that rounding of what it does, which transforms spread over the lattice, may show at the cell
/// itself in what all others do: a millionth of it.
[[nodiscard]] inline bool hides_others(const InputScan& scan, const Frame& frame, std::size_t cells) {
    constexpr double most = 1e9;
    const double even = frame.background * scan.volume, largest = scan.largest_mass - even / static_cast<double>(cells),
                 others = scan.mass - even - largest;
    return largest * std::pow(static_cast<double>(cells), 2.0 / 3.0) > most * others;
}

/// Layers of guard cells, a direction, beyond a mesh.
using Margin = std::array<int, 3>;

/// Local. The lattice of all cells of the solve, with that many empty layers around it where it is not periodic. `input` is in
/// the backend's memory, and there are no points. (Cells that overlap are found by the sort.)
template <class Exec>
std::optional<CellLattice> find_lattice(const Exec& exec, const GivenBodies& input, const Frame& frame, const Margin& margin) {
    if (frame.box.shear != 0.0) return std::nullopt;  // images lie between the cells
    const CellCorners corners{input};
    const MeshExtent all = transform_reduce(
        exec, corners.size(),
        [=] GRAVLET_HD(std::size_t i) {
            MeshExtent extent = MeshExtent::none();
            corners.for_both(i, [&](const Body& cell) { extent.add(cell); });
            return extent;
        },
        MeshExtent::none(),
        [] GRAVLET_HD(const MeshExtent& a, const MeshExtent& b) {
            MeshExtent both = a;
            both.add(b);
            return both;
        });
    CellLattice lattice{};
    double places = 1.0;
    for (std::size_t d = 0; d < 3; ++d) {
        if (!(all.most[d] <= all.least[d] * (1.0 + CellLattice::rounding))) return std::nullopt;
        const double extent = (all.upper[d] - all.lower[d]) * frame.per_unit, side = all.least[d] * frame.per_unit,
                     steps = std::round(extent / side);
        places *= steps + 1.0;
        if (places > 2.0 * static_cast<double>(input.cell_count)) return std::nullopt;
        lattice.side[d] = steps > 0.0 ? extent / steps : side;
        lattice.periodic[d] = frame.box.periodic[d];
        const int layers = lattice.periodic[d] ? 0 : margin[d];
        lattice.first[d] = all.lower[d] * frame.per_unit - layers * lattice.side[d];
        lattice.count[d] = static_cast<int>(steps) + 1 + 2 * layers;
        const double period = frame.box.side[d], off = lattice.count[d] * lattice.side[d] - period;
        if (lattice.periodic[d] && std::abs(off) > CellLattice::rounding * lattice.side[d]) return std::nullopt;
        if (lattice.periodic[d]) lattice.side[d] = period / lattice.count[d];
    }
    const double unit = frame.per_unit;
    const bool off = any_of(exec, corners.size(), [=] GRAVLET_HD(std::size_t i) {
        bool on = true;
        corners.for_both(i, [&](const Body& cell) {
            on = on && lattice.has(0, cell.x * unit) && lattice.has(1, cell.y * unit) && lattice.has(2, cell.z * unit);
        });
        return !on;
    });
    return off ? std::nullopt : std::optional(lattice);
}

}  // namespace gravlet
