// SPDX-License-Identifier: Apache-2.0
// What becomes of the bodies between one solve and the next.
#pragma once

#include "tests/combine/case.hpp"

namespace gravlet::combine {

/// Options with softening and domain as a step has them that gives others: the domain holds what it held.
Options lengths_after(const Step& step, Options options);
Bodies after(const Step& step, const Case& c, Bodies bodies);

}  // namespace gravlet::combine
