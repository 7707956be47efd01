// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/workload/bench_memory.hpp"
#include "benchmarks/workload/bench_settings.hpp"

#include <array>

namespace gravlet::bench {

/// This rank's n points of a cube or a Plummer sphere: x, y, z in `memory`. They lie in a region of their own, as a
/// host's domain decomposition yields. Throws Error(invalid_option) for a number of ranks that cannot be served.
[[nodiscard]] std::array<Array, 3> make_points(ProblemKind kind, int rank, int ranks, std::size_t n, Memory memory);

}  // namespace gravlet::bench
