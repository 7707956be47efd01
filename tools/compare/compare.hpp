// SPDX-License-Identifier: Apache-2.0
// A solution against a reference.
//
// The error of a target is |difference| / |reference|. With a periodic direction the potential passes through zero, so there it
// is |difference| divided by the rms of |reference| over the sample, for all fields alike. Where only a random
// sample is compared, hunted targets (hunt.hpp) may be too: they count for the largest error alone.
#pragma once

#include "physics/fields.hpp"
#include "tools/compare/solution.hpp"
#include "tools/config/config.hpp"

#include <gravlet/listener.hpp>
#include <gravlet/report.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gravlet {

/// The distribution of errors: what error so many targets of all exceed. From half of them to the one with the largest error,
/// eight shares a factor of ten.
struct ErrorCurve {
    std::vector<double> share;
    std::array<std::vector<double>, field_names.size()> error;  ///< errors of each field; empty if it has none
};

/// How a solution differs from its reference, over all ranks.
struct Comparison {
    ErrorStatistics potential;
    std::optional<ErrorStatistics> acceleration, tidal;  ///< those that were computed, and that the reference gives
    std::array<double, field_names.size()> mean{};       ///< mean error of each field
    bool all = false;                                    ///< all targets were compared, not a sample
    std::int64_t hunted = 0;                             ///< targets of all ranks
    ErrorCurve curve;
    std::vector<double> error;  ///< the potential's at each target; empty unless all were compared
};

/// Collective. `solution` is what the solver of `config` gave. `threads` are for this rank's share of the cuboid sum. `listener`,
/// or null, hears of a direct sum. Throws what the solver throws.
[[nodiscard]] Comparison compare(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                                 int threads, std::shared_ptr<Listener> listener = nullptr);

}  // namespace gravlet
