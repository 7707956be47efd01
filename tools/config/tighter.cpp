// SPDX-License-Identifier: Apache-2.0
#include "tools/config/tighter.hpp"

#include "physics/multipole.hpp"

#include <algorithm>

namespace gravlet {

Options tighter(const Options& options) {
    Options out = options;
    if (options.theta > 0.0) out.theta = std::max(0.1, 0.5 * options.theta);
    out.order = max_order;
    return out;
}

bool can_be_tighter(const Options& options) {
    return options.theta > 0.0 && !(options.theta == tighter(options).theta && options.order == max_order);
}

}  // namespace gravlet
