// SPDX-License-Identifier: Apache-2.0
// Points drawn on the device, in double precision, with a counter-based generator: point `first + i` is the same whoever draws
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gravlet::bench {

/// Evenly from a box. x, y, z: device memory, n each. Throws Error.
void draw_box(const std::array<double, 3>& lower, const std::array<double, 3>& upper, std::uint64_t first, std::size_t n,
              double* x, double* y, double* z);

/// From a Plummer sphere of scale radius 1 around the origin, without its outermost thousandth. signs[d]: +1 or -1, the side of
/// the centre that coordinate d is mirrored to; 0: left as it is.
void draw_plummer(const std::array<int, 3>& signs, std::uint64_t first, std::size_t n, double* x, double* y, double* z);

}  // namespace gravlet::bench
