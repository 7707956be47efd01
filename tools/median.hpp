// SPDX-License-Identifier: Apache-2.0
// Medians over the timed solves of one solver, for the command and the benchmark.
#pragma once

#include <gravlet/report.hpp>

#include <functional>
#include <vector>

namespace gravlet {

/// 0 for no values.
[[nodiscard]] double median(std::vector<double> values);
[[nodiscard]] double median_of(const std::vector<Report>& reports, const std::function<double(const Report&)>& value);
/// Median times of each stage, of those of the report with most stages; in a report without one it takes no time. There is one
/// report at least.
[[nodiscard]] std::vector<StageTime> median_stages(const std::vector<Report>& reports);

}  // namespace gravlet
