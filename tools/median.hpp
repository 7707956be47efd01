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
/// Of each stage of the solve that has most of them; it takes no time in those that do not have it. There is a report at least.
[[nodiscard]] std::vector<StageTime> median_stages(const std::vector<Report>& reports);

}  // namespace gravlet
