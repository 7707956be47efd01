// SPDX-License-Identifier: Apache-2.0
// Which arrays of the caller's share memory, judged by addresses alone. A result must have memory of its own: of two in one place
// the last one written would be all that is left, and what a host still needs, or gravlet while it writes (masses, flags), would
// be lost. Blocks may lie between each other, as the variables of one array do: what counts is single elements.
#pragma once

#include "solver/data/input.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gravlet {

/// Local. Throws Error(invalid_input) naming two arrays of cells or points that share memory: results, or a result and an input
/// whose place it does not take element by element.
void require_apart(const Input& input);

/// Where blocks' densities are, and the results that are wanted.
class BlockMemory {
public:
    /// Local. Throws Error(invalid_input) naming two arrays of blocks that share elements, one of them a result; a block's own
    /// density may be the other, if they are the same cell by cell. Strides are good. Where arrays lie one after the other, or
    /// between each other by strides with a common factor, this takes some 50 ns an array; else as long as it takes to mark all
    /// their elements, a bit each.
    void look_through(std::span<const Block> blocks);

    /// Local. The same of the input's points and these blocks.
    void require_points_apart(const Input& input) const;

    /// From the first byte of an array to the end.
    struct Range {
        std::int64_t begin, end;
        std::uint32_t block;
        std::uint8_t array;  ///< a result_component, a direction's faces, or the density
    };

private:
    std::vector<Range> ranges_;       ///< by address
    std::vector<std::int64_t> ends_;  ///< of each range and all before it
};

}  // namespace gravlet
