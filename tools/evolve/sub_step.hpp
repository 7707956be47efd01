// SPDX-License-Identifier: Apache-2.0
// A sub-step of block steps: what the solve cost for the points whose steps end at a time.
#pragma once

#include <cstdint>

namespace gravlet {

/// Counts of all ranks, seconds of the slowest.
struct SubStep {
    double time = 0.0;  ///< end of the sub-step, of which the solve is
    int level = 0;      ///< points with steps of this level or deeper ones are active; 0: all are
    std::int64_t active = 0;
    double seconds = 0.0;  ///< time that the solve took
    double walk = 0.0;     ///< time of walks of the tree in it
    double pairs = 0.0;    ///< interactions of targets with nodes and points
    bool kept = false;     ///< all ranks kept their trees
};

}  // namespace gravlet
