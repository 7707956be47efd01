// SPDX-License-Identifier: Apache-2.0
// The arithmetic ceiling of one GPU: interactions per second of a bare loop over operands in shared memory, with the library's
// own kernels but no lists, no tree and no checks. What a walk reaches is reported as a share of this.
#pragma once

#include <array>

namespace gravlet::bench {

/// Interactions per second. Order 1 is order 0, as in the library.
struct Ceiling {
    static constexpr int orders = 5;
    std::array<std::array<double, 2>, orders> node{};  ///< [order][acceleration]; order 0 is also a cell's
    std::array<double, orders> far{};                  ///< [order]: node-group pairs, into local expansions

    [[nodiscard]] double cell(bool acceleration) const { return node[0][acceleration ? 1 : 0]; }
};

/// Measures the current device, in a few seconds. Throws Error.
[[nodiscard]] Ceiling measure_ceiling();

}  // namespace gravlet::bench
