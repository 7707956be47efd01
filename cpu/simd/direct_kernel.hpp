// SPDX-License-Identifier: Apache-2.0
// The direct sum's inner loop: targets against sources in double precision, SIMD chosen at run time.
#pragma once

#include "solver/direct/direct_types.hpp"

#include <cstdint>
#include <span>

namespace gravlet {

/// Local, one thread. Adds up pairs: every term is within 1e-15 (relative). Returns the number of pairs left out because they are
/// at distance zero and not softened, a body with itself not counted. Any source is counted, also one without mass.
std::int64_t direct_kernel(const DirectTargets& targets, std::span<const DirectSource> sources, SofteningKernel kernel);

}  // namespace gravlet
