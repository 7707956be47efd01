// SPDX-License-Identifier: Apache-2.0
// A rank's MeshBlocks as Kokkos codes hold them: all blocks of one shape, each variable an array (m, n, k, j, i) or (m, k, j, i)
// of any layout, with guard cells or without, in host or device memory. C++17, without Kokkos: of a View it takes data() and
// stride() alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gravlet {

/// A variable of all MeshBlocks of a rank: where the first block's first interior cell is, and how far it is to the others.
template <class Real>
struct MeshBlockField {
    Real* first = nullptr;                   ///< null: not wanted
    std::ptrdiff_t block = 0;                ///< elements from a block to the next
    std::array<std::ptrdiff_t, 3> stride{};  ///< elements from a cell to the next in i, j, k

    /// Results are given by their address; so may density be, which is read alone.
    template <class Other, class = std::enable_if_t<std::is_same_v<Other, const Real> && !std::is_const_v<Real>>>
    operator MeshBlockField<Other>() const {
        return {first, block, stride};
    }
};

/// Local. Variable n of a View (m, n, k, j, i); `interior`: its indices i, j, k of a block's first interior cell.
template <class View>
auto meshblock_field(const View& view, int n, const std::array<int, 3>& interior) {
    const auto step = [&](int d) { return static_cast<std::ptrdiff_t>(view.stride(d)); };
    MeshBlockField<std::remove_pointer_t<decltype(view.data())>> out{view.data(), step(0), {step(4), step(3), step(2)}};
    if (out.first != nullptr) out.first += n * step(1) + interior[0] * step(4) + interior[1] * step(3) + interior[2] * step(2);
    return out;
}

/// Local. A View (m, k, j, i), such as one of faces; `interior`: its indices i, j, k of the cell, or face, at a block's lower
/// corner.
template <class View>
auto meshblock_field(const View& view, const std::array<int, 3>& interior) {
    const auto step = [&](int d) { return static_cast<std::ptrdiff_t>(view.stride(d)); };
    MeshBlockField<std::remove_pointer_t<decltype(view.data())>> out{view.data(), step(0), {step(3), step(2), step(1)}};
    if (out.first != nullptr) out.first += interior[0] * step(3) + interior[1] * step(2) + interior[2] * step(1);
    return out;
}

/// What a solve reads and writes on this rank. Real is float or double.
template <class Real>
struct MeshBlockPack {
    std::int64_t blocks = 0;
    std::array<int, 3> cells{};          ///< interior cells of each block along i, j, k
    MeshBlockField<const Real> density;  ///< interior cells alone are read
    MeshBlockField<Real> potential;
    std::array<MeshBlockField<Real>, 3> acceleration;  ///< -grad potential in cells, strides as potential's; all three or none
    /// The acceleration's component along i, j, k at the faces of that axis (cells.hpp, Block::face_acceleration).
    std::array<MeshBlockField<Real>, 3> face_acceleration;
    int guards = 0;  ///< layers of guard cells in which potential and acceleration are computed too

    /// Numbers that are equal where memory and shape are: what a list of blocks depends on, beside the mesh.
    [[nodiscard]] std::vector<std::intptr_t> signature() const {
        std::vector<std::intptr_t> all{static_cast<std::intptr_t>(sizeof(Real)), static_cast<std::intptr_t>(blocks), guards};
        for (const int n : cells) all.push_back(n);
        const auto add = [&](const auto& field) {
            all.push_back(reinterpret_cast<std::intptr_t>(field.first));
            all.push_back(field.block);
            for (const std::ptrdiff_t step : field.stride) all.push_back(step);
        };
        add(density), add(potential);
        for (const auto& field : acceleration) add(field);
        for (const auto& field : face_acceleration) add(field);
        return all;
    }
};

/// Where a MeshBlock lies: doubles on the host, also in a code of floats.
struct MeshBlockPlace {
    std::array<double, 3> lower{};  ///< lower corner of the interior
    std::array<double, 3> cell_size{};
};

/// The box that the mesh fills, and the directions in which it repeats.
struct MeshBlockDomain {
    std::array<double, 3> lower{}, upper{};
    std::array<bool, 3> periodic{};  ///< false: open space
};

}  // namespace gravlet
