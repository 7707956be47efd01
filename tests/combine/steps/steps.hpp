// SPDX-License-Identifier: Apache-2.0
// What becomes of the bodies between one solve and the next.
#pragma once

#include "tests/combine/case.hpp"

namespace gravlet::combine {

Bodies after(const Step& step, const Case& c, Bodies bodies);

}  // namespace gravlet::combine
