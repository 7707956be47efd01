// SPDX-License-Identifier: Apache-2.0
// What a solve reads: the caller's cells or blocks, and points, as one list of bodies: cells first (blocks in order, x fastest),
// then points. Nothing is copied; body(i) reads the caller's arrays.
#pragma once

#include "ewald/periodic_box.hpp"
#include "physics/partition_point.hpp"
#include "physics/types.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gravlet {

/// A cell (sides > 0) or a point (sides 0), in the caller's units.
struct Body {
    double x, y, z;
    double dx, dy, dz;
    double mass;
    double softening = 0.0;
};

/// Stands for the mass of a cell whose density times volume is too small for a number: none, next to other masses.
inline constexpr double vanished_mass = 1e-300;

/// Classes of sources where a host gives none, and a mask of all that there may be.
inline constexpr std::uint8_t class_of_cells = 0, class_of_points = 1;
inline constexpr unsigned all_classes = (1u << class_limit) - 1;

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

/// A host's blocks, with their cells numbered through. Device code may hold it.
struct BlockList {
    const Block* blocks = nullptr;
    std::size_t block_count = 0;
    const std::size_t* block_begin = nullptr;  ///< first body of each block, block_count + 1
    std::uint32_t cells_per_block = 0;         ///< cells of each block, if blocks are alike; else 0

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
};

/// How points came to be where they are since the last solve, evenly: each by its velocity, for this time. Velocities of points
/// that were not active in that solve are those that were given with it.
struct Drift {
    InputSpan velocity[3];  ///< a point each; empty: not known
    double time = 0.0;

    [[nodiscard]] GRAVLET_HD bool is_known() const { return !velocity[0].empty(); }
};

/// Where points are moved by periods, the option `wrap`: from this corner up. Periods of 0: nowhere.
struct Wrap {
    Vector3 corner{};
    Period period{};
};

/// The bodies of a rank. Device code may hold it.
struct GivenBodies : BlockList {
    Cells cells;
    Points points;
    std::size_t cell_count = 0, point_count = 0;
    double softening = 0.0;   ///< softening of points without lengths of their own: the option's
    double background = 0.0;  ///< density that cells are without (agree_on_units())
    Wrap wrap;
    unsigned acting_classes = all_classes;  ///< classes that act: the option's. Sources of others are without mass
    bool told = false;                      ///< whether `changed` is all that has changed since the last solve
    std::span<const std::uint8_t> changed;  ///< flags of blocks or cells, then of points; none: nothing has
    Drift drift;

    [[nodiscard]] GRAVLET_HD std::size_t size() const { return cell_count + point_count; }
    [[nodiscard]] GRAVLET_HD bool is_point(std::size_t i) const { return i >= cell_count; }

    /// Whether results of body i are wanted.
    [[nodiscard]] GRAVLET_HD bool active(std::size_t i) const {
        if (is_point(i)) return points.active.empty() || points.active[i - cell_count] != 0;
        if (blocks != nullptr) return blocks[block_of(i)].active;
        return cells.active.empty() || cells.active[i] != 0;
    }

    /// Whether body i may be another one than in the last solve.
    [[nodiscard]] GRAVLET_HD bool may_have_changed(std::size_t i) const {
        if (!told || changed.empty()) return !told;
        const std::size_t before_points = blocks != nullptr ? block_count : cell_count;
        return changed[is_point(i) ? before_points + (i - cell_count) : blocks != nullptr ? block_of(i) : i] != 0;
    }

    [[nodiscard]] GRAVLET_HD std::uint8_t class_of_cell(std::size_t i) const {
        return blocks != nullptr || cells.source_class.empty() ? class_of_cells : cells.source_class[i];
    }
    [[nodiscard]] GRAVLET_HD std::uint8_t class_of_point(std::size_t p) const {
        return points.source_class.empty() ? class_of_points : points.source_class[p];
    }
    [[nodiscard]] GRAVLET_HD std::uint8_t class_of(std::size_t i) const {
        return is_point(i) ? class_of_point(i - cell_count) : class_of_cell(i);
    }
    [[nodiscard]] GRAVLET_HD double mass_of_point(std::size_t p) const { return acts(class_of_point(p)) ? points.mass[p] : 0.0; }

    /// What is left of a cell's mass. Rounding leaves no mass where there was none above the background.
    [[nodiscard]] GRAVLET_HD double above_background(double mass, double volume) const {
        if (background == 0.0) return mass;
        const double even = background * volume, left = mass - even;
        return left > 0x1p-48 * fabs(even) ? left : 0.0;
    }

    [[nodiscard]] GRAVLET_HD double mass_of(const BlockCell& c) const {
        const Block& b = blocks[c.block];
        const auto& h = b.cell_size;
        const double density = acts(class_of_cells) ? b.density[offset(b.stride, c)] : 0.0, mass = density * h[0] * h[1] * h[2];
        return mass == 0.0 && density > 0.0 ? vanished_mass : above_background(mass, h[0] * h[1] * h[2]);
    }
    [[nodiscard]] GRAVLET_HD Body body(const BlockCell& c) const { return body_at(c, mass_of(c)); }

    [[nodiscard]] GRAVLET_HD Body body(std::size_t i) const {
        if (is_point(i)) {
            const std::size_t p = i - cell_count;
            const double own = points.softening.empty() ? softening : points.softening[p];
            const Vector3 at = in_box({points.x[p], points.y[p], points.z[p]}, wrap.corner, wrap.period);
            return {at.x, at.y, at.z, 0.0, 0.0, 0.0, mass_of_point(p), own};
        }
        if (blocks != nullptr) return body(block_cell(i));
        const double dx = cells.dx[i], dy = cells.dy.empty() ? dx : cells.dy[i], dz = cells.dz.empty() ? dx : cells.dz[i];
        const double mass = acts(class_of_cell(i)) ? cells.mass[i] : 0.0;
        return {cells.x[i], cells.y[i], cells.z[i], dx, dy, dz, above_background(mass, dx * dy * dz)};
    }

private:
    [[nodiscard]] GRAVLET_HD bool acts(unsigned source_class) const { return (acting_classes >> source_class & 1u) != 0; }
};

}  // namespace gravlet
