// SPDX-License-Identifier: Apache-2.0
// Places of blocks at which results are wanted and no body is: guard cells, and faces.
#pragma once

#include "solver/input/given_bodies.hpp"
#include "solver/input/result_arrays.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gravlet {

[[nodiscard]] inline bool has_results(const Block& block) { return block.active && wanted_components(block) != 0; }

/// Cells a direction in which results are wanted.
[[nodiscard]] inline std::array<int, 3> result_extent(const Block& block) {
    return {block.n[0] + 2 * block.result_guards[0], block.n[1] + 2 * block.result_guards[1],
            block.n[2] + 2 * block.result_guards[2]};
}

[[nodiscard]] inline std::size_t count_cells(const std::array<int, 3>& n) {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

/// Stride of a block without guard cells.
[[nodiscard]] GRAVLET_HD inline Stride dense_stride(const std::array<int, 3>& n) {
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

/// A guard cell, or the face on the lower side of a cell or guard cell.
struct GuardPlace {
    BlockCell cell;
    int face;  ///< direction of the face, or no_face
};
inline constexpr int no_face = -1;

GRAVLET_HD inline std::size_t component_at_face(int face) { return first_component(1) + static_cast<std::size_t>(face); }

/// The guard cells and faces of a host's blocks, numbered through. Device code may hold it.
struct GuardPlaces {
    /// First place of each block, and the end: guard cells of all blocks, and then, if any are wanted (else the end is here), the
    /// x-faces of all blocks, their y-faces, their z-faces. So those at one place come together.
    const std::size_t* guard_begin = nullptr;
    std::size_t guard_sections = 0;  ///< block_count, or four times that
    std::size_t guard_count = 0;
    std::uint32_t guards_per_block = 0;  ///< guard cells, as BlockList::cells_per_block
    /// Whether the backend cannot reach the blocks' own arrays: results of these places then go here, by number, a face's as the
    /// component that it is; null: not wanted.
    bool guards_apart = false;
    std::array<ResultPointer, result_count> guard_results{};

    /// What place g is.
    [[nodiscard]] GRAVLET_HD GuardPlace guard_place(const BlockList& of, std::size_t g) const {
        if (g < guard_begin[of.block_count]) return {guard_cell(of, g), no_face};
        const std::size_t section = BlockList::last_from(guard_begin, guard_sections, g), block = section % of.block_count;
        const int face = static_cast<int>(section / of.block_count) - 1;
        const std::array<int, 3> n = face_extent(of.blocks[block], face);
        const std::size_t left = g - guard_begin[section], nx = static_cast<std::size_t>(n[0]),
                          ny = static_cast<std::size_t>(n[1]);
        return {{block, static_cast<int>(left % nx), static_cast<int>(left / nx % ny), static_cast<int>(left / nx / ny)}, face};
    }

    /// Where guard cell g is. Of a block first come those below and above it in z, over the whole width, then in y, then in x.
    [[nodiscard]] GRAVLET_HD BlockCell guard_cell(const BlockList& of, std::size_t g) const {
        const std::size_t block = guards_per_block != 0 ? static_cast<std::uint32_t>(g) / guards_per_block
                                                        : BlockList::last_from(guard_begin, of.block_count, g);
        const int *const n = of.blocks[block].n.data(), *const width = of.blocks[block].result_guards.data();
        const auto count = [](int cells) { return static_cast<std::size_t>(cells); };
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
    [[nodiscard]] GRAVLET_HD Body guard(const BlockList& of, std::size_t g) const {
        return of.body_at(guard_place(of, g).cell, 0.0);
    }

    [[nodiscard]] GRAVLET_HD static ResultPointer face_result(const BlockList& of, const GuardPlace& place) {
        const Block& b = of.blocks[place.cell.block];
        return b.face_acceleration[static_cast<std::size_t>(place.face)] +
               BlockList::offset(face_stride(b, place.face), place.cell);
    }

    /// Writes the results that are wanted at place g: component k is value(k). A face has its component of the acceleration only.
    template <class Value>
    GRAVLET_HD void store_guard(const BlockList& of, std::size_t g, int derivatives, const Value& value) const {
        const GuardPlace place = guard_place(of, g);
        if (place.face != no_face) {
            const std::size_t k = component_at_face(place.face);
            if (guards_apart)
                guard_results[k].set(static_cast<std::ptrdiff_t>(g), value(k));
            else
                face_result(of, place).set(0, value(k));
        } else if (guards_apart) {
            for (std::size_t k = 0; k < result_count; ++k)
                if (guard_results[k] != nullptr) guard_results[k].set(static_cast<std::ptrdiff_t>(g), value(k));
        } else {
            ResultArrays::store_cell(of, place.cell, derivatives, value);
        }
    }
};

}  // namespace gravlet
