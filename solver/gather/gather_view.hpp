// SPDX-License-Identifier: Apache-2.0
// Gathered arrays as the Input that a caller would have passed.
#pragma once

#include "solver/gather/gather_layout.hpp"

namespace gravlet {

class GatherView {
public:
    /// Local. The arrays are not copied; the blocks' descriptions are, and must have been written. `version`: see
    /// Input::blocks_version.
    explicit GatherView(const GatherArrays& arrays, std::uint64_t version = 0);
    GatherView(const GatherView&) = delete;
    GatherView& operator=(const GatherView&) = delete;

    [[nodiscard]] const Input& input() const { return input_; }

private:
    void add_blocks(const GatherArrays& arrays);

    Input input_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> block_begin_;
};

}  // namespace gravlet
