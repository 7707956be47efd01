// SPDX-License-Identifier: Apache-2.0
// Blocks of n^3 cells in the unit box: their gas, their accelerations, where their cells are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace core_collapse {

constexpr int n = 8;  // cells of a block, in each direction
constexpr std::size_t block_cells = n * n * n;

using Index3 = std::array<int, 3>;
using Array3 = std::array<double, 3>;
using Gas = std::array<double, 4>;  // density and momentum, both per volume; in places density and velocity
using Field = std::array<double, block_cells>;
using GasFields = std::array<Field, 4>;
using AccelerationFields = std::array<Field, 3>;

/// What p4est keeps for each leaf, moves between ranks and saves: field by field, so that gravlet can work where it is.
struct State {
    GasFields gas;
    AccelerationFields acceleration;
};

inline std::size_t offset(const Index3& cell) { return static_cast<std::size_t>((cell[2] * n + cell[1]) * n + cell[0]); }

inline Gas gas_at(const GasFields& fields, std::size_t cell) {
    return {fields[0][cell], fields[1][cell], fields[2][cell], fields[3][cell]};
}

/// The slope across a cell by its neighbours, such that its faces have nothing that they don't (van Leer 1977).
inline double limited_slope(double left, double here, double right) {
    const double a = here - left, b = right - here;
    if (a * b <= 0.0) return 0.0;
    return std::copysign(std::min({2.0 * std::abs(a), 2.0 * std::abs(b), 0.5 * std::abs(a + b)}), a);
}

template <class Visit>
void for_each_cell(Visit&& visit) {
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) visit(Index3{i, j, k});
}

/// A block of the mesh. Those of other ranks have no accelerations.
struct Leaf {
    int level = 0;
    Index3 first{};  ///< cell, counted from the box's corner in cells of this level
    GasFields* gas = nullptr;
    AccelerationFields* acceleration = nullptr;
    std::size_t number = 0;  ///< place among the rank's leaves, with other ranks' behind them

    [[nodiscard]] double cell_size() const { return std::ldexp(1.0 / n, -level); }
    [[nodiscard]] double volume() const { return std::pow(cell_size(), 3); }
    [[nodiscard]] Array3 centre(const Index3& cell) const {
        const double h = cell_size();
        return {(first[0] + cell[0] + 0.5) * h, (first[1] + cell[1] + 0.5) * h, (first[2] + cell[2] + 0.5) * h};
    }
};

}  // namespace core_collapse
