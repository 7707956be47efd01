// SPDX-License-Identifier: Apache-2.0
// What programs read.
#pragma once

#include "benchmarks/bench_case.hpp"
#include "benchmarks/bench_device.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gravlet::bench {

/// Throws Error(file).
void write_json(const std::string& path, const Settings& settings, const Device& device, const std::vector<CaseResult>& results,
                const std::optional<Ceiling>& ceiling);

}  // namespace gravlet::bench
