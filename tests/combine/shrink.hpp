// SPDX-License-Identifier: Apache-2.0
// A case that fails, with as few bodies, options and calls as fail still.
#pragma once

#include "tests/combine/play.hpp"

namespace gravlet::combine {

/// Collective. `verdict` is the case's, and becomes the smaller one's.
Case shrunk(Case c, Verdict& verdict, int most_plays = 400);

}  // namespace gravlet::combine
