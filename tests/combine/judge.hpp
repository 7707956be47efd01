// SPDX-License-Identifier: Apache-2.0
// Whether a solve's results are right, and all else as it was. Of this rank alone.
#pragma once

#include "tests/combine/arrays.hpp"

#include <string>

namespace gravlet::combine {

struct Opinion {
    std::string fault{};            ///< "": none
    std::array<double, 3> worst{};  ///< the largest error over what is allowed, by the number of derivatives
    int targets = 0;                ///< that were compared
};

Opinion judge(const Case& c, const Bodies& bodies, const Arrays& arrays, int rank);

/// "", or what has been written that should not, after a solve or (all) after one that failed.
std::string written(const Bodies& bodies, const Arrays& arrays, const Layout& layout, bool failed);

}  // namespace gravlet::combine
