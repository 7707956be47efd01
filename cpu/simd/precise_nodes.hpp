// SPDX-License-Identifier: Apache-2.0
// Nodes on targets, in double: the inner loop of a CPU's walk in double, SIMD chosen at run time.
#pragma once

#include <cstddef>
#include <vector>

namespace gravlet {

/// A node that acts: where its image is, and its expansion (physics/precise/full_moments.hpp), the mean softening^2 last.
struct PreciseNode {
    double x, y, z;
    const double* expansion;
};

/// Targets of a group, arrays padded to whole vectors by its last one, and their sums, by component.
struct PreciseTargets {
    static constexpr std::size_t most_lanes = 8;

    std::vector<double> x, y, z, softening2;
    std::vector<double> sums;  ///< component by component, of all targets

    [[nodiscard]] std::size_t padded() const { return x.size(); }
};

/// Local, one thread. Adds what `count` nodes do to the targets' sums. `order`: a full_order(); D: derivatives, 1 or 2.
template <int D>
void add_precise_nodes(int order, bool softened, const PreciseNode* nodes, std::size_t count, PreciseTargets& targets);
template <>
void add_precise_nodes<1>(int order, bool softened, const PreciseNode* nodes, std::size_t count, PreciseTargets& targets);
template <>
void add_precise_nodes<2>(int order, bool softened, const PreciseNode* nodes, std::size_t count, PreciseTargets& targets);

}  // namespace gravlet
