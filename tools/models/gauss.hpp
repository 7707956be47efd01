// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature with four points, for one step of a radial grid.
#pragma once

#include <array>

namespace gravlet {

struct GaussPoint {
    double place, weight;  ///< where it lies between 0 and 1, and what it counts; weights add up to 1
};

inline constexpr std::array<GaussPoint, 4> gauss_points{{{0.06943184420297371, 0.17392742256872692},
                                                         {0.33000947820757187, 0.32607257743127307},
                                                         {0.66999052179242813, 0.32607257743127307},
                                                         {0.93056815579702629, 0.17392742256872692}}};

}  // namespace gravlet
