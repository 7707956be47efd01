// SPDX-License-Identifier: Apache-2.0
// What a solve in double knows of a body that Source does not: its mass and softening length to the caller's last bit.
#pragma once

#include "physics/types.hpp"

#include <cstddef>
#include <cstdint>

namespace gravlet {

/// What a Source leaves out in double, in solver units. Softening is 0 where there is none.
struct alignas(16) ExactSource {
    double mass, softening;
};

/// A Source with its exact mass and softening, as pairs of bodies have them (physics/close_pair.hpp).
struct ExactBody {
    double x, y, z, mass, softening;
};

GRAVLET_HD inline ExactBody exact_body(const Source& at, const ExactSource& exact) {
    return {at.x, at.y, at.z, exact.mass, exact.softening};
}

/// What goes along with a tree's nodes and sources in a solve in double. Empty in others.
struct PreciseArrays {
    double* moments = nullptr;
    ExactSource* sources = nullptr;
    std::size_t per_node = 0;      ///< moments
    std::uint32_t cheap_leaf = 1;  ///< leaves of so many sources, or fewer, are sent as these: they cost less than a node
};

/// What a walk in double reads beside a tree and its targets.
struct PreciseView {
    const double* expansions = nullptr;    ///< expansions of the nodes, as expand() has them, and the mean softening^2
    const ExactSource* sources = nullptr;  ///< exact values of the tree's sources
    const ExactSource* targets = nullptr;  ///< exact values of the targets; null: they have no softening
    int order = 0;                         ///< an order that with_full_order() knows
    bool softened = false;                 ///< softened by Plummer's kernel, which nodes then feel
};

}  // namespace gravlet
