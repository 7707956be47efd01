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
    MadeBy made_by;
    std::string problem;
    Provenance input;  ///< what the files of its points state
    Options options;   ///< the solver's, with the problem's domain and boundaries
    Reference reference = Reference::none;
    int timed = 0, asked = 0;       ///< solves that were timed, and that were to be
    int stopped_by = 0;             ///< signal that ended the run before its end; 0: none
    Report report;                  ///< the last timed solve's
    double median_seconds = 0.0;    ///< over the repeats; a solve lasts until its slowest rank is done
    std::vector<StageTime> stages;  ///< median over the repeats
    std::optional<Comparison> comparison;

    /// Whether it was stopped before there was anything to tell.
    [[nodiscard]] bool is_empty() const { return stopped_by != 0 && timed == 0; }
    [[nodiscard]] double interactions() const;
    /// Seconds of the walk stages.
    [[nodiscard]] double walk_seconds() const;
};

/// The keys are those of docs and README; all options and the report of the last solve are in `options` and `report`. Rates are
/// over the whole solve; walk_interactions_per_s over the walk stages alone.
[[nodiscard]] std::string to_json(const RunResult& result);
[[nodiscard]] std::string to_table(const RunResult& result);

}  // namespace gravlet
