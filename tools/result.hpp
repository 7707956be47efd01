// SPDX-License-Identifier: Apache-2.0
// What `gravlet run` found out, as JSON and as a table.
#pragma once

#include "tools/compare/compare.hpp"
#include "tools/config/config.hpp"

#include <gravlet/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gravlet {

struct RunResult {
    std::string problem;
    Options options;  ///< the solver's, with the problem's domain and boundaries
    Reference reference = Reference::none;
    Report report;                  ///< the last solve's
    double median_seconds = 0.0;    ///< over the repeats; a solve lasts until its slowest rank is done
    std::vector<StageTime> stages;  ///< median over the repeats
    std::optional<Comparison> comparison;

    [[nodiscard]] double interactions() const;
    /// Seconds of the walk stages.
    [[nodiscard]] double walk_seconds() const;
};

/// The keys are those of docs and README; all options and the report of the last solve are in `options` and `report`. Rates are
/// over the whole solve; walk_interactions_per_s over the walk stages alone.
[[nodiscard]] std::string to_json(const RunResult& result);
[[nodiscard]] std::string to_table(const RunResult& result);

}  // namespace gravlet
