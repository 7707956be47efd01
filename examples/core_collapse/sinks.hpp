// SPDX-License-Identifier: Apache-2.0
// Sinks: points that take what the finest cells cannot resolve. All ranks have all of them.
#pragma once

#include "mesh.hpp"

#include <vector>

namespace core_collapse {

struct Sink {
    Array3 position{}, velocity{}, acceleration{};
    double mass = 0.0;
};

/// A sink takes what is denser than `threshold` within `radius`.
struct SinkRule {
    double radius, threshold;
};

/// The way from b to a; the shortest way if the box repeats.
[[nodiscard]] Array3 between(const Array3& a, const Array3& b, bool periodic);

/// Whether the sink's radius reaches into the leaf.
[[nodiscard]] bool reaches(const Sink& sink, double radius, const Leaf& leaf, bool periodic);

void kick(std::vector<Sink>& sinks, double dt);
void drift(std::vector<Sink>& sinks, double dt, bool periodic);

/// Collective. Mass, momentum and centre of mass are kept: each cell gives to the nearest sink.
void accrete(const Mesh& mesh, std::vector<Sink>& sinks, const SinkRule& rule);

/// Collective. Makes sinks, still without mass, where a cell of the finest level is beyond the threshold, two radii away from
/// other sinks, and no potential within a radius is lower. `potentials` are of this rank's leaves.
void make_sinks(const Mesh& mesh, const std::vector<Field>& potentials, int finest, const SinkRule& rule,
                std::vector<Sink>& sinks);

}  // namespace core_collapse
