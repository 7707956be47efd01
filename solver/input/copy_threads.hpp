// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace gravlet {

/// Threads by which each of `ranks` on one machine copies arrays, of those that it has: a few fill the bus, and more wait for
/// each other. With one on every core each copy waits for whatever else a core does: with 64 threads on 64 cores a solve took ten
/// times as long as with 8 (docs/gpu_bh.md). All of a solve's teams are as large: to make one larger or smaller takes OpenMP
/// as long as a copy.
[[nodiscard]] constexpr int copy_threads(int threads, int ranks = 1) { return std::max(1, std::min({threads, 8, 16 / ranks})); }

}  // namespace gravlet
