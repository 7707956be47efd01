// SPDX-License-Identifier: Apache-2.0
// The same as apart.hpp for blocks, which may lie between each other, as the variables of one array do: what counts is single
// elements.
#pragma once

#include "solver/arrays/lattice.hpp"
#include "solver/input/input.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gravlet {

/// Where blocks' densities are, and the results that are wanted.
class BlockMemory {
public:
    /// Local. Throws Error(invalid_input) naming two arrays of blocks that share elements, one of them a result; a block's own
    /// density may be the other, if they are the same cell by cell. Strides are good. Where arrays lie one after the other, or
    /// between each other by strides with a common factor, this takes some 50 ns an array; else as long as it takes to mark all
    /// their elements, a bit each.
    void look_through(std::span<const Block> blocks);

    /// Local. Throws Error(invalid_input) naming an array of the input's points and one of these blocks that share memory.
    void require_others_apart(const Input& input) const;

private:
    std::vector<ArrayRange> ranges_;  ///< arrays of the blocks, by address
    std::vector<std::int64_t> ends_;  ///< end of each range and of all before it
};

}  // namespace gravlet
