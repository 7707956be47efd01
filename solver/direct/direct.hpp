// SPDX-License-Identifier: Apache-2.0
// The direct sum, double precision, over all ranks: the first oracle, and what theta = 0 means. The sources travel around a
// ring of the ranks (mpi/ring.hpp), so that a rank holds no more of them than its own and two packets.
#pragma once

#include "mpi/stages.hpp"
#include "solver/direct/direct_types.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace gravlet {

/// Adds some of the sources, in host memory or the backend's, to the sums of all targets, in host memory; returns the pairs left
/// out, as direct_sum does. Always of the same targets.
struct DirectKernel {
    /// Called, where that takes long, with the part that is done; what it throws ends the sum.
    using Poll = std::function<void(double done)>;
    using Add = std::function<std::int64_t(const DirectTargets&, std::span<const DirectSource>, const Poll&)>;

    Add add;
    std::int64_t operator()(const DirectTargets& targets, std::span<const DirectSource> sources, const Poll& poll = {}) const {
        return add(targets, sources, poll);
    }
};

/// Collective. Writes the sums of all ranks' sources at this rank's targets, any, sources or not; ranks may differ in whether
/// how many derivatives they want. No G, and no self term. Ids are numbers that are a body's own among all ranks.
///
/// Returns this rank's number of pairs left out because they are at distance zero and not softened, a body with itself not
/// counted. A softened pair at distance zero counts m/softening.
std::int64_t direct_sum(Stages& stages, const DirectTargets& targets, std::span<const DirectSource> sources,
                        const DirectKernel& kernel);

}  // namespace gravlet
