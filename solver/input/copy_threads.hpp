// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace gravlet {

/// Threads by which each of `ranks` on one machine copies arrays, of those that it has: a few fill the bus, and more wait for
/// each other. With one on every core each copy waits for whatever else a core does: 64 on 64 cores took 20 times as long as 8
/// (docs/performance.md).
[[nodiscard]] constexpr int copy_threads(int threads, int ranks = 1) { return std::max(1, std::min({threads, 8, 16 / ranks})); }

}  // namespace gravlet
