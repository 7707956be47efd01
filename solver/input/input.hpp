// SPDX-License-Identifier: Apache-2.0
// The caller's cells or blocks, and points, as one list of bodies: cells first (blocks in order, x fastest), then points.
// Nothing is copied; body(i) reads the caller's arrays, and store(i, ...) writes them.
#pragma once

#include "physics/fields.hpp"
#include "physics/partition_point.hpp"
#include "physics/types.hpp"

#include <gravlet/cells.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace gravlet {

[[nodiscard]] inline Fields as_fields(const std::array<ResultSpan, result_count>& arrays) {
    Fields fields;
    set_results(fields, arrays);
    return fields;
}

/// A cell (sides > 0) or a point (sides 0), in the caller's units.
struct Body {
    double x, y, z;
    double dx, dy, dz;
    double mass;
    double softening = 0.0;
};

/// Stands for the mass of a cell whose density times volume is too small for a number: none, next to other masses.
inline constexpr double vanished_mass = 1e-300;

[[nodiscard]] inline const Stride& density_stride(const Block& block) { return block.stride; }

[[nodiscard]] GRAVLET_HD inline const Stride& result_stride(const Block& block) {
    const Stride& own = block.result_stride;
    return own[0] == 0 && own[1] == 0 && own[2] == 0 ? block.stride : own;
}

[[nodiscard]] inline bool has_results(const Block& block) { return block.active && wanted_components(block) != 0; }

/// Cells a direction in which results are wanted.
[[nodiscard]] inline std::array<int, 3> result_extent(const Block& block) {
    return {block.n[0] + 2 * block.result_guards[0], block.n[1] + 2 * block.result_guards[1],
            block.n[2] + 2 * block.result_guards[2]};
}

[[nodiscard]] inline std::size_t count_cells(const std::array<int, 3>& n) {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

/// That of a block without guard cells.
[[nodiscard]] inline Stride dense_stride(const std::array<int, 3>& n) {
    return {1, n[0], static_cast<std::ptrdiff_t>(n[0]) * n[1]};
}

/// Faces of direction d, a direction.
[[nodiscard]] GRAVLET_HD inline std::array<int, 3> face_extent(const Block& block, int d) {
    return {block.n[0] + (d == 0 ? 1 : 0), block.n[1] + (d == 1 ? 1 : 0), block.n[2] + (d == 2 ? 1 : 0)};
}

[[nodiscard]] GRAVLET_HD inline Stride face_stride(const Block& block, int d) {
    const Stride& own = block.face_stride[static_cast<std::size_t>(d)];
    if (own[0] != 0 || own[1] != 0 || own[2] != 0) return own;
    const std::array<int, 3> n = face_extent(block, d);
    return {1, n[0], static_cast<std::ptrdiff_t>(n[0]) * n[1]};
}

inline constexpr std::array face_names = {"face_acceleration[0]", "face_acceleration[1]", "face_acceleration[2]"};

/// Bit d: the acceleration at faces of direction d is wanted.
[[nodiscard]] inline unsigned wanted_faces(const Block& block) {
    unsigned wanted = 0;
    for (unsigned d = 0; d < 3 && block.active; ++d) wanted |= block.face_acceleration[d] != nullptr ? 1u << d : 0u;
    return wanted;
}

/// Rounded alike everywhere: a device would multiply and add in one step, and give a block's cell another position than the host
/// gives the same cell by itself.
GRAVLET_HD inline double cell_centre(double lower, int cell, double side) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(lower, __dmul_rn(cell + 0.5, side));
#else
    return lower + (cell + 0.5) * side;
#endif
}

/// Where a body of a block sits.
struct BlockCell {
    std::size_t block;
    int i, j, k;
};

/// A guard cell, or the face on the lower side of a cell or guard cell.
struct GuardPlace {
    BlockCell cell;
    int face;  ///< its direction, or no_face
};
inline constexpr int no_face = -1;

GRAVLET_HD inline std::size_t component_at_face(int face) { return first_component(1) + static_cast<std::size_t>(face); }

/// Which body it is of those that a rank brought: what errors call it.
struct BodyOrigin {
    static constexpr std::uint32_t no_block = ~std::uint32_t{0};

    int rank;             ///< no_rank: the one that solves
    std::uint32_t block;  ///< no_block: a cell by itself, or a point; then `cell` holds its number
    std::uint32_t cell[3];
};

/// The bodies of one of several ranks, in an input that holds them all: cells and points each follow those of the ranks before.
struct RankPart {
    int rank;
    std::size_t first_cell, first_block, first_point;
};

/// What lay_out_blocks() and lay_out_guards() find out about an input's blocks.
struct BlockNumbers {
    const std::size_t* block_begin = nullptr;  ///< first body of each block, block_count + 1
    std::uint32_t cells_per_block = 0;         ///< of all blocks, if they are alike; else 0
    /// First place with results but no body of each block, and the end: guard cells of all blocks, and then, if any are wanted
    /// (else the end is here), the x-faces of all blocks, their y-faces, their z-faces. So those at one place come together.
    const std::size_t* guard_begin = nullptr;
    std::size_t guard_sections = 0;  ///< block_count, or four times that
    std::size_t guard_count = 0;
    std::uint32_t guards_per_block = 0;          ///< guard cells, as cells_per_block
    unsigned component_bits = 0, face_bits = 0;  ///< what some block wants, as of wanted_components() and wanted_faces()
    bool inactive_blocks = false;                ///< there are some
    /// Of the blocks' descriptions: equal where the same solver was given the same ones. 0: not known.
    std::uint64_t blocks_version = 0;
};

struct Input : BlockNumbers {
    Cells cells;
    Fields cell_fields;
    const Block* blocks = nullptr;
    std::size_t block_count = 0;
    Points points;
    Fields point_fields;
    std::size_t cell_count = 0, point_count = 0;
    double softening = 0.0;   ///< of points without lengths of their own: the option's
    int derivatives = 0;      ///< the most that some result asks for
    double background = 0.0;  ///< density that cells are without (agree_on_units())
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  ///< the solve of it
    /// Whether the backend cannot reach the blocks' own arrays: results of these places then go here, by number, a face's as the
    /// component that it is; null: not wanted.
    bool guards_apart = false;
    std::array<ResultPointer, result_count> guard_results{};
    const RankPart* parts = nullptr;  ///< in host memory, if bodies are to be named by rank
    std::size_t part_count = 0;
    const BodyOrigin* origins = nullptr;  ///< of each body, in host memory, if they come from anywhere
    const Input* caller = nullptr;        ///< of a copy in a backend's memory: what it is a copy of

    /// By which bodies are named, and whose flags the host can read.
    [[nodiscard]] const Input& as_given() const { return caller != nullptr ? *caller : *this; }

    [[nodiscard]] GRAVLET_HD std::size_t size() const { return cell_count + point_count; }
    [[nodiscard]] GRAVLET_HD bool is_point(std::size_t i) const { return i >= cell_count; }

    /// Whether results of body i are wanted.
    [[nodiscard]] GRAVLET_HD bool active(std::size_t i) const {
        if (is_point(i)) return points.active.empty() || points.active[i - cell_count] != 0;
        if (blocks != nullptr) return blocks[block_of(i)].active;
        return cells.active.empty() || cells.active[i] != 0;
    }
    /// Whether there may be bodies that are not.
    [[nodiscard]] bool any_inactive() const { return inactive_blocks || !cells.active.empty() || !points.active.empty(); }
    [[nodiscard]] std::vector<std::size_t> active_bodies() const;

    [[nodiscard]] GRAVLET_HD std::size_t block_of(std::size_t i) const {
        return cells_per_block != 0 ? static_cast<std::uint32_t>(i) / cells_per_block : last_from(block_begin, block_count, i);
    }
    /// The last of `count` that begins at `i` or before.
    [[nodiscard]] GRAVLET_HD static std::size_t last_from(const std::size_t* begin, std::size_t count, std::size_t i) {
        return partition_point(std::size_t{1}, count, [=](std::size_t at) { return begin[at] <= i; }) - 1;
    }

    [[nodiscard]] GRAVLET_HD BlockCell block_cell(std::size_t i) const {
        const std::size_t block = block_of(i);
        const std::uint32_t nx = static_cast<std::uint32_t>(blocks[block].n[0]),
                            ny = static_cast<std::uint32_t>(blocks[block].n[1]);
        const std::uint32_t inside = static_cast<std::uint32_t>(i - block_begin[block]), row = inside / nx, plane = row / ny;
        return {block, static_cast<int>(inside - row * nx), static_cast<int>(row - plane * ny), static_cast<int>(plane)};
    }

    [[nodiscard]] GRAVLET_HD static std::ptrdiff_t offset(const Stride& stride, const BlockCell& cell) {
        return cell.i * stride[0] + cell.j * stride[1] + cell.k * stride[2];
    }

    /// What place g is.
    [[nodiscard]] GRAVLET_HD GuardPlace guard_place(std::size_t g) const {
        if (g < guard_begin[block_count]) return {guard_cell(g), no_face};
        const std::size_t section = last_from(guard_begin, guard_sections, g), block = section % block_count;
        const int face = static_cast<int>(section / block_count) - 1;
        const std::array<int, 3> n = face_extent(blocks[block], face);
        const std::size_t left = g - guard_begin[section], nx = static_cast<std::size_t>(n[0]),
                          ny = static_cast<std::size_t>(n[1]);
        return {{block, static_cast<int>(left % nx), static_cast<int>(left / nx % ny), static_cast<int>(left / nx / ny)}, face};
    }

    /// Where guard cell g is. Of a block first come those below and above it in z, over the whole width, then in y, then in x.
    [[nodiscard]] GRAVLET_HD BlockCell guard_cell(std::size_t g) const {
        const std::size_t block =
            guards_per_block != 0 ? static_cast<std::uint32_t>(g) / guards_per_block : last_from(guard_begin, block_count, g);
        const int *const n = blocks[block].n.data(), *const width = blocks[block].result_guards.data();
        const auto count = [](int of) { return static_cast<std::size_t>(of); };
        std::size_t left = g - guard_begin[block],
                    size[3] = {count(n[0] + 2 * width[0]), count(n[1] + 2 * width[1]), count(n[2])};
        int axis = 2;
        for (; axis > 0; --axis) {
            size[axis] = count(2 * width[axis]);
            const std::size_t slabs = size[0] * size[1] * size[2];
            if (left < slabs) break;
            left -= slabs;
            size[axis] = count(n[axis]);
        }
        if (axis == 0) size[0] = count(2 * width[0]);
        int at[3];
        for (int d = 0; d < 3; ++d) {
            const int index = static_cast<int>(left % size[d]);
            left /= size[d];
            at[d] = d > axis ? index : d < axis || index < width[d] ? index - width[d] : n[d] + index - width[d];
        }
        return {block, at[0], at[1], at[2]};
    }

    /// A guard cell, or the cell above a face, as a body without mass.
    [[nodiscard]] GRAVLET_HD Body guard(const GuardPlace& place) const { return body_at(place.cell, 0.0); }

    /// Where a cell, or guard cell, of a block is.
    [[nodiscard]] GRAVLET_HD Body body_at(const BlockCell& c, double mass) const {
        const Block& b = blocks[c.block];
        const auto& h = b.cell_size;
        return {cell_centre(b.lower[0], c.i, h[0]),
                cell_centre(b.lower[1], c.j, h[1]),
                cell_centre(b.lower[2], c.k, h[2]),
                h[0],
                h[1],
                h[2],
                mass};
    }

    /// What is left of a cell's mass. Rounding leaves no mass where there was none above the background.
    [[nodiscard]] GRAVLET_HD double above_background(double mass, double volume) const {
        if (background == 0.0) return mass;
        const double even = background * volume, left = mass - even;
        return left > 0x1p-48 * fabs(even) ? left : 0.0;
    }

    [[nodiscard]] GRAVLET_HD double mass_of(const BlockCell& c) const {
        const Block& b = blocks[c.block];
        const auto& h = b.cell_size;
        const double density = b.density[offset(b.stride, c)], mass = density * h[0] * h[1] * h[2];
        return mass == 0.0 && density > 0.0 ? vanished_mass : above_background(mass, h[0] * h[1] * h[2]);
    }
    [[nodiscard]] GRAVLET_HD Body body(const BlockCell& c) const { return body_at(c, mass_of(c)); }

    [[nodiscard]] GRAVLET_HD Body body(std::size_t i) const {
        if (is_point(i)) {
            const std::size_t p = i - cell_count;
            const double own = points.softening.empty() ? softening : points.softening[p];
            return {points.x[p], points.y[p], points.z[p], 0.0, 0.0, 0.0, points.mass[p], own};
        }
        if (blocks != nullptr) return body(block_cell(i));
        const double dx = cells.dx[i], dy = cells.dy.empty() ? dx : cells.dy[i], dz = cells.dz.empty() ? dx : cells.dz[i];
        return {cells.x[i], cells.y[i], cells.z[i], dx, dy, dz, above_background(cells.mass[i], dx * dy * dz)};
    }

    /// Writes the results that are wanted of a cell, or guard cell, of a block: component k is value(k).
    template <class Value>
    GRAVLET_HD void store_cell(const BlockCell& c, const Value& value) const {
        const Block& b = blocks[c.block];
        const std::ptrdiff_t at = offset(result_stride(b), c);
        const std::size_t most = component_count(derivatives);  // no more need be looked at
        for_results(b, [&](const ResultPointer& array, std::size_t k) {
            if (k < most && array != nullptr) array.set(at, value(k));
        });
    }

    /// The same of place g. A face has its component of the acceleration only.
    template <class Value>
    GRAVLET_HD void store_guard(std::size_t g, const Value& value) const {
        const GuardPlace place = guard_place(g);
        if (place.face != no_face) {
            const std::size_t k = component_at_face(place.face);
            if (guards_apart)
                guard_results[k].set(static_cast<std::ptrdiff_t>(g), value(k));
            else
                face_result(place).set(0, value(k));
        } else if (guards_apart) {
            for (std::size_t k = 0; k < result_count; ++k)
                if (guard_results[k] != nullptr) guard_results[k].set(static_cast<std::ptrdiff_t>(g), value(k));
        } else {
            store_cell(place.cell, value);
        }
    }

    [[nodiscard]] GRAVLET_HD ResultPointer face_result(const GuardPlace& place) const {
        const Block& b = blocks[place.cell.block];
        return b.face_acceleration[static_cast<std::size_t>(place.face)] + offset(face_stride(b, place.face), place.cell);
    }

    /// Of body i.
    template <class Value>
    GRAVLET_HD void store(std::size_t i, const Value& value) const {
        if (!is_point(i) && blocks != nullptr) return store_cell(block_cell(i), value);
        const std::size_t at = is_point(i) ? i - cell_count : i;
        for_results(is_point(i) ? point_fields : cell_fields, [&](const ResultSpan& array, std::size_t k) {
            if (!array.empty()) array.set(at, value(k));
        });
    }
};

/// Cells and points as one input; either may be empty. Blocks are added by the caller and laid out by lay_out_blocks().
Input make_input(const Cells& cells, const Fields& fields, const Points& points, const Fields& point_fields);

/// Numbers the blocks' cells through: sets all that `input` says of them but the blocks. `begin` must live as long as the input.
void lay_out_blocks(Input& input, std::vector<std::size_t>& begin);

/// Likewise the guard cells in which results are wanted, and the faces.
void lay_out_guards(Input& input, std::vector<std::size_t>& begin);

/// Local. Throws Error(not_available), naming the first block with any, if results are wanted in guard cells or at faces.
void refuse_guards(const Input& input, const char* where);

}  // namespace gravlet
