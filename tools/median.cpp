// SPDX-License-Identifier: Apache-2.0
#include "tools/median.hpp"

#include <algorithm>

namespace gravlet {

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace gravlet
