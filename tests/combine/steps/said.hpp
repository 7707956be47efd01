// SPDX-License-Identifier: Apache-2.0
// What a host says to have changed since the last solve (Solver::only_changed()).
#pragma once

#include "tests/combine/case.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace gravlet::combine {

/// A rank's flags, before a step's solve of `now` after one of `before`; or nothing, if it does not say.
std::optional<std::vector<std::uint8_t>> flags_said(const Step& step, const Bodies& before, const Bodies& now, int rank);

/// Whether a body has changed, of which nobody was told, and must be found. `before` were the bodies of the last solve, which was
/// good. Not where units may be others, or no tree is kept: nothing is relied upon then.
bool must_be_found(const Case& c, const Step& step, const Bodies& before, const Bodies& now);

}  // namespace gravlet::combine
