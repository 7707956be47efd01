// SPDX-License-Identifier: Apache-2.0
// What a solution is compared with, at the targets that are chosen.
#pragma once

#include "solver/input/input.hpp"
#include "tools/config/config.hpp"

#include <gravlet/listener.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace gravlet {

/// Targets of this rank, by their numbers in the problem; one may be there twice.
using Targets = std::vector<std::size_t>;

struct ReferenceValues {
    std::vector<Result> results;  ///< exact results of the targets, in their order
    int derivatives;              ///< highest derivative of the potential that the results hold; the same on every rank
};

/// Local, and the same on every rank: throws Error(invalid_option) if the problem has no such reference with these boundaries.
void require_reference(Reference reference, const Problem& problem, const std::array<Boundary, 3>& boundary);

/// Collective. The targets' exact results, by config.compare.reference, which is not `none`. `with_derivatives`: how many
/// derivatives of the potential, if the reference has so many. `threads` are for this rank's share of the cuboid sum. `listener`,
/// or null, hears of the direct sum. Throws what the solver throws.
[[nodiscard]] ReferenceValues reference_values(MPI_Comm comm, const RunConfig& config, const Problem& problem,
                                               const Targets& targets, int with_derivatives, int threads,
                                               std::shared_ptr<Listener> listener);

}  // namespace gravlet
