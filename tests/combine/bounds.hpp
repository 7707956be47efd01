// SPDX-License-Identifier: Apache-2.0
// How wrong a result may be, by a case's options: the one place where that is said. Wide: what goes beyond is no lack of
// accuracy.
#pragma once

#include "tests/combine/case.hpp"

namespace gravlet::combine {

/// By the number of derivatives. of_sizes: of what all bodies add without their signs; of_far: of G M over the shortest period
/// (its square, its cube); of_depth: of the field Phi^2/4 G M, by which series of far nodes are judged, of the acceleration.
struct Bounds {
    std::array<double, 3> of_sizes{}, of_far{};
    double of_depth = 0.0;
};
Bounds bounds_of(const Case& c);

}  // namespace gravlet::combine
