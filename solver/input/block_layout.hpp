// SPDX-License-Identifier: Apache-2.0
// Where a block's cells lie in the host's array, judged by numbers alone: nothing is read.
#pragma once

#include <gravlet/cells.hpp>

#include <array>

namespace gravlet {

/// Whether all offsets of a block's cells are numbers of elements that memory could have.
[[nodiscard]] bool fits_in_memory(const std::array<int, 3>& n, const Stride& stride);

/// Whether two cells are at one offset. Exact; cheap for strides of arrays, where each step is longer than all smaller ones
/// together, and a few million operations at most for others.
[[nodiscard]] bool has_cells_in_one_place(const std::array<int, 3>& n, const Stride& stride);

}  // namespace gravlet
