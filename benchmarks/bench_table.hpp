// SPDX-License-Identifier: Apache-2.0
// What people read.
#pragma once

#include "benchmarks/bench_case.hpp"
#include "benchmarks/gpu_ceiling.hpp"

#include <string>
#include <vector>

namespace gravlet::bench {

/// One row a case; below it what failed and what the solver warned of.
[[nodiscard]] std::string table_of(const std::vector<CaseResult>& results);

/// Medians of every stage of one case.
[[nodiscard]] std::string stages_of(const CaseResult& result);

[[nodiscard]] std::string table_of(const Ceiling& ceiling);

}  // namespace gravlet::bench
