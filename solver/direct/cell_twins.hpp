// SPDX-License-Identifier: Apache-2.0
// Cells of two ranks at one place, found in a direct sum: every source comes by every rank.
#pragma once

#include "solver/direct/direct_types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gravlet {

/// This rank's cells, by their places.
class CellTwins {
public:
    void add(double x, double y, double z, std::int64_t id) { cells_.push_back({x, y, z, id}); }
    /// Local. Sorts the cells, after all are added.
    void sort();
    /// Local. Looks among sources, which may be this rank's own, for other cells at one of the places.
    void look(std::span<const DirectSource> sources);
    /// Id of the first cell of those added that has met one.
    [[nodiscard]] std::optional<std::int64_t> found() const { return found_; }

private:
    struct Cell {
        double x, y, z;
        std::int64_t id;
    };
    std::vector<Cell> cells_;
    std::optional<std::int64_t> found_;
};

}  // namespace gravlet
