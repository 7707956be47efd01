// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gravlet {

/// 0 for no values.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace gravlet
