// SPDX-License-Identifier: Apache-2.0
// Some of a case's results, the extreme ones among them, and where they are.
#pragma once

#include "tests/combine/arrays.hpp"
#include "tests/combine/reference/reference.hpp"

#include <optional>
#include <string>

namespace gravlet::combine {

enum class Kind { cell, point, block_cell, guard, face, probe };

struct Target {
    Kind kind = Kind::cell;
    std::size_t number = 0;  ///< of the cell, point or block
    Index at{};              ///< in the block
    std::size_t axis = 0;    ///< of the face
    int rank = 0;
    Place place{};
    [[nodiscard]] std::string name() const;
};

/// The same on every rank.
std::vector<Target> sample_targets(const Case& c, const Bodies& bodies, const Reference& reference, std::size_t count);

/// What this rank was told of its target; NaN: not wanted. Of a face the acceleration along its axis alone.
struct Told {
    double potential;
    Vector acceleration;
    std::array<double, 6> tidal;
};
Told told(const Target& target, const Arrays& arrays);

}  // namespace gravlet::combine
