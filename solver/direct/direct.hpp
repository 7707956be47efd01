// SPDX-License-Identifier: Apache-2.0
// The direct sum, double precision, over all ranks: the first oracle, and what theta = 0 means. The sources travel around a
// ring of the ranks (mpi/ring.hpp), so that a rank holds no more of them than its own and two packets.
#pragma once

#include "mpi/stages.hpp"
#include "solver/direct/direct_types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace gravlet {

/// Adds some of the sources to the sums of all targets on some backend; returns the pairs left out, as direct_sum does.
using DirectKernel = std::function<std::int64_t(const DirectTargets& targets, std::span<const DirectSource> sources)>;

/// Point masses as targets or sources, n of them on this rank, which may be 0.
struct DirectArrays {
    std::span<const double> x, y, z;    ///< n each
    std::span<const double> mass;       ///< n; not read for targets. Without mass a body is no source
    std::span<const double> softening;  ///< lengths, n, or empty: not softened. A pair takes the larger of its two
    std::span<const std::int64_t> id;   ///< n; any number that is a body's own among all ranks: it does not act on itself
};

/// Collective. Writes the sums of all ranks' sources at this rank's targets (any, sources or not): -sum m/r to
/// `potential`, and -grad of it to `acceleration` (three empty spans: not wanted; ranks may differ). No G, and no self term.
///
/// Returns this rank's number of pairs left out because they are at distance zero and not softened, a body with itself not
/// counted. A softened pair at distance zero counts -m/softening.
std::int64_t direct_sum(Stages& stages, const DirectArrays& targets, const DirectArrays& sources, std::span<double> potential,
                        const std::array<std::span<double>, 3>& acceleration, const DirectKernel& kernel);

}  // namespace gravlet
