// SPDX-License-Identifier: Apache-2.0
// Which arrays of the caller's share memory, judged by addresses alone. A result must have memory of its own: of two in one place
// the last one written would be all that is left, and what a host still needs, or gravlet while it writes (masses, flags), would
// be lost.
#pragma once

#include "solver/input/input.hpp"

namespace gravlet {

/// Local. Throws Error(invalid_input) naming two arrays of cells or points that share memory: results, or a result and an input
/// whose place it does not take element by element.
void require_apart(const Input& input);

}  // namespace gravlet
