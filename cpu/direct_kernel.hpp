// SPDX-License-Identifier: Apache-2.0
// The direct sum's inner loop: targets against sources in double precision, SIMD chosen at run time.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace gravlet {

/// One body as it travels between ranks and as the kernel reads it.
struct DirectSource {
    double x, y, z, mass, softening2;
    std::int64_t id;  ///< a body does not act on the target of the same id
};

/// n targets, n sums. Sums are added to: potential -= m/r, acceleration += m (source - target)/r^3, r^2 softened by the larger
/// of the pair's softening2. Empty acceleration spans: not wanted.
struct DirectTargets {
    std::span<const double> x, y, z;
    std::span<const double> softening2;  ///< n, or empty: 0
    std::span<const std::int64_t> id;    ///< n
    std::span<double> potential;
    std::array<std::span<double>, 3> acceleration;
};

/// Local, one thread. Every term is within 1e-15 (relative). Returns the number of pairs left out because they are at distance
/// zero and not softened, a body with itself not counted. Any source is counted, also one without mass.
std::int64_t direct_kernel(const DirectTargets& targets, std::span<const DirectSource> sources);

}  // namespace gravlet
