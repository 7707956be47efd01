// SPDX-License-Identifier: Apache-2.0
// What a host hands over, and where the answer goes. Every array is memory that the caller owns; the solver reads and writes it
// during solve() only, and keeps no pointer. Lengths, masses and G are in any consistent units, within limits that none needs:
// coordinates within 1e60 of 0, sides from 1e-60 to 1e60, masses up to 1e100, and the largest of all, if there is any, 1e-100 or
// more. All bodies, and Options::domain, lie in a cube of 2^41 sides of the smallest cell. At most 2^18 bodies of a rank lie in a
// cube of 2^-42 of the side of one that holds all, unless they are at one place.
//
// Arrays may lie in host memory or, with the GPU backend, in the memory of the device that the solver uses; which of the two is
// found out for each array (blocks' are all in one of them). Page-locked host memory crosses the bus without a copy in between.
//
// Each array is of doubles or of floats, by itself (reals.hpp). Positions of cells in floats must be exact enough that neighbours
// do not overlap; blocks give theirs by corner and cell size.
#pragma once

#include <gravlet/export.h>
#include <gravlet/reals.hpp>
#include <gravlet/standard.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gravlet {

/// Most classes of sources (gas, sinks, stars, ...), by number from 0 on; which of them act in a solve says
/// Options::acting_classes. Cells and points are targets of all that act, whatever class they are of.
inline constexpr int class_limit = 8;

/// The leaf cells of one rank, n of them (n may differ between ranks, and be 0). A cell acts as a point mass at its centre on
/// every target but itself; on near ones as Options::near_cells says.
struct Cells {
    InputSpan x, y, z;  ///< centres, n each
    /// Side lengths, > 0. n each; or dy and dz empty, for cubes of side dx.
    InputSpan dx, dy{}, dz{};
    InputSpan mass;  ///< n; >= 0. A cell without mass is a target only
    /// Flags, in host memory; n, or empty: all 1. Where 0, the cell is a source only: its results are not computed and its places
    /// in the Fields are left alone. The others get results as accurate as in a solve for all, whose bits hang on
    /// Options::active_bits.
    std::span<const std::uint8_t> active{};
    std::span<const std::uint8_t> source_class{};  ///< classes, in host memory; n, or empty: all 0, as cells of blocks are
};

/// Masses without size (sink particles, N-body), n of them on this rank, anywhere in space: also on each other, or on a cell's
/// centre. Softened as Options::softening_kernel says; without softening a pair at distance zero is left out and counted in the
/// report.
struct Points {
    InputSpan x, y, z;                       ///< n each
    InputSpan mass;                          ///< n; >= 0
    std::span<const std::uint8_t> active{};  ///< flags, as those of Cells
    /// Softening lengths; n, or empty: Options::softening for all. Limits are those of the option. A pair takes the larger of its
    /// two, that of a cell is 0.
    InputSpan softening{};
    std::span<const std::uint8_t> source_class{};  ///< classes, in host memory; n, or empty: all 1
};

/// Results, in the order of the targets that they belong to. An empty span is not computed. Each has memory of its own; that may
/// be an input's of the same bodies, if it begins where that does and is of the same precision.
struct Fields {
    ResultSpan potential;                      ///< n, -G sum m/r
    std::array<ResultSpan, 3> acceleration{};  ///< x, y, z: n each (all three or none), -grad potential
    /// xx, xy, xz, yy, yz, zz: n each (all six or none). The tidal tensor, derivative j of acceleration i. A cell's own mass adds
    /// nothing to its own (a homogeneous cube's would be -4 pi G density/3 on the diagonal). Without softening its trace is 0,
    /// but for the mean density's 4 pi G where three directions are periodic; pairs that are softened have that of their kernel.
    std::array<ResultSpan, 6> tidal{};
};

/// Places at which the field is wanted and no mass is, n of them on this rank, anywhere in space: also on each other, on a body,
/// in a cell. They have a round of walks to themselves, and a rank may have some and no bodies; bodies' results are the same bits
/// with probes and without. A pair is softened by the source's length; without one, a point at the very place is left out. A cell
/// that is near acts as Options::near_cells says, the one around the probe too: with `cuboid` by the field inside of it, whatever
/// self_potential is (a probe within 3e-6 of the shortest side of its centre, 3e-5 where tidal tensors are wanted, is there),
/// with `point` as a point mass at its centre. In directions that are periodic places beyond the domain are images of places in
/// it; in other directions of a domain that is periodic in some they must lie in it.
struct Probes {
    InputSpan x, y, z;  ///< n each
    Fields fields;      ///< results, in their order
};

/// How far apart neighbours in x, y and z are in memory, in elements.
using Stride = std::array<std::ptrdiff_t, 3>;

/// A box of nx * ny * nz equal cells in the host's own array, guard cells and all: nothing is copied by hand.
///
/// `density` and the results point at the first interior cell (the one at `lower`); element (i, j, k) is at
/// offset i * stride[0] + j * stride[1] + k * stride[2], in elements. FLASH's unk(var, i, j, k, block) has stride
/// {nvar, nvar * nxg, nvar * nxg * nyg}; see block_with_guards() for contiguous blocks with a guard width.
///
/// Results of all blocks have places of their own, which may lie between each other and between what else the arrays hold. One of
/// a block may take the place of its own density, cell by cell.
struct Block {
    std::array<double, 3> lower{};      ///< lower corner of the interior
    std::array<double, 3> cell_size{};  ///< > 0
    std::array<int, 3> n{};             ///< interior cells a direction, >= 1
    Stride stride{};
    InputPointer density{};                       ///< mass per volume, >= 0
    ResultPointer potential{};                    ///< may be null: not wanted
    std::array<ResultPointer, 3> acceleration{};  ///< all three or none
    bool active = true;                           ///< false: its cells are sources only, as Cells::active
    /// Stride of the results, where those are in arrays of another shape (other guard cells). All 0: as `stride`. No two cells'
    /// results are in one place; density may be (`stride` 0: one value for all).
    Stride result_stride{};
    std::array<ResultPointer, 6> tidal{};  ///< tidal tensor, as that of Fields: all six or none
    /// Layers of guard cells, a direction, in which results are computed too, across faces, edges and corners, in and outside the
    /// domain: written at -result_guards to n + result_guards - 1 of the result arrays. A guard cell whose centre is a cell's, on
    /// any rank, gets what that cell gets, of its own rank to the bit, else within the tree's error, if they are of one size; if
    /// not, all but the own potential, which is that of the cell's mass in the guard cell's sides. Any other is a target without
    /// mass. Those beyond a periodic face are images. Error(not_available): with theta = 0, Options::redistribute, ranks that
    /// gather on a device, or beyond an isolated face of a domain that is periodic in other directions, or a face in x of one
    /// that is sheared.
    std::array<int, 3> result_guards{};
    /// The acceleration at the x-, y- and z-faces; null: not wanted, each by itself. Its component along the face's axis,
    /// positive towards larger coordinates, at the face's centre, where all cells act as point masses at theirs, or as
    /// Options::near_cells says: the nearest two are half a side away. Points at the face on the lower side of the first interior
    /// cell; along its axis there is one more than cells (face n is the upper side of the last), in the other directions as many.
    /// A face of two blocks is written for both; if they are of two ranks, the values may differ by the tree's error. Refused
    /// where guard cells are, but for those on a boundary.
    std::array<ResultPointer, 3> face_acceleration{};
    std::array<Stride, 3> face_stride{};  ///< strides of these arrays; all 0: an array of the faces alone, x fastest
};

/// A block of contiguous arrays (x fastest) that carry `guards` guard cells on every side; the pointers are the arrays' starts.
/// Without arrays, which solve() refuses, if `guards` is negative or no memory holds so many cells.
[[nodiscard]] GRAVLET_API Block block_with_guards(const std::array<double, 3>& lower, const std::array<double, 3>& cell_size,
                                                  const std::array<int, 3>& n, int guards, InputPointer density,
                                                  ResultPointer potential, const std::array<ResultPointer, 3>& acceleration = {},
                                                  const std::array<ResultPointer, 6>& tidal = {});

}  // namespace gravlet
