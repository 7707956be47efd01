// SPDX-License-Identifier: Apache-2.0
// Softening lengths of the tests' points.
#pragma once

#include <cstddef>
#include <vector>

namespace gravlet::test {

/// From 0 to where random_points() have neighbours.
inline std::vector<double> some_lengths(std::size_t n) {
    std::vector<double> lengths;
    for (std::size_t i = 0; i < n; ++i) lengths.push_back(0.05 * static_cast<double>(i % 5));
    return lengths;
}

}  // namespace gravlet::test
