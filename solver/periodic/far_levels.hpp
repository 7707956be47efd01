// SPDX-License-Identifier: Apache-2.0
// How exactly the far images are added: three levels of nodes on a piece of the box, runs of bodies, and what these are known by;
// and which of them a solve takes. More nodes cost more, and polynomials of a degree that stays: even nodes of more lose digits.
//
// What one mass does to another, at worst (on faces that look at each other across one piece) and at random places, in parts of
// its potential, pull and tide (docs/notebook/2026-11-accuracy.md, "Far images"):
//     level    worst                       random
//     coarse   2e-5, 9e-4, 4e-2            1e-6, 2e-5, 2e-3
//     medium   1e-7, 6e-6, 3e-4            1e-9, 4e-8, 4e-6
//     fine     3e-10, 5e-9, 4e-7           5e-13, 1e-11, 1e-9
#pragma once

#include "ewald/far_images.hpp"
#include "physics/path_size.hpp"
#include "solver/criterion/error_laws.hpp"

#include <gravlet/options.hpp>

#include <algorithm>

namespace gravlet {

enum class FarLevel { coarse, medium, fine };

struct CoarseNodes {
    static constexpr int side = 8;                              ///< nodes along a piece's side
    static constexpr double steps = 7.0;                        ///< FarNodes::steps
    static constexpr int used = 8;                              ///< nodes used by one polynomial: its degree and one
    static constexpr int source_degree = 4, series_degree = 4;  ///< degree of a run's moments, and of the potential about it
    static constexpr double longest_run = 0.23;                 ///< longest side of a run, in sides of a piece
    static constexpr unsigned chunk_runs = path_size(64, 8);    ///< runs that are added up at the nodes together
    using Real = float;                                         ///< type of what runs bring to the nodes
};
struct MediumNodes {
    static constexpr int side = 12;
    static constexpr double steps = 9.0;
    static constexpr int used = 12;
    static constexpr int source_degree = 6, series_degree = 6;
    static constexpr double longest_run = 0.2;
    static constexpr unsigned chunk_runs = path_size(256, 8);
    using Real = double;
};
/// Nodes of the fine level. Each place acts by itself: there is nothing to expand, but derivatives to be told.
struct FineNodes {
    static constexpr int side = 20;
    static constexpr double steps = 16.0;
    static constexpr int used = 12;
    static constexpr int source_degree = 0, series_degree = 2;
    static constexpr double longest_run = 0.0;
    static constexpr unsigned chunk_runs = path_size(2048, 16);
    using Real = double;
};

/// Which level's errors are small beside those of the walk, which are those of the worst hundredth of accelerations of points,
/// with theta and order as taken; sums over many bodies err by 5e-6 of the pulls at the coarse level, and at the medium one by
/// less than random pairs do. The tidal tensor loses a further power of the distance. With a tolerance no level is coarser than
/// that asks for; with heavy bodies (solver/heavy), which no walk errs by, none is coarse. Pure: all ranks choose alike.
inline FarLevel far_level(const Options& taken, int derivatives, bool heavy) {
    constexpr double least_of_coarse = 5.3e-5, least_of_medium = 3.7e-7;
    const OrderLaw& law = fields_of_points[taken.order < 2 ? 0 : taken.order < 4 ? 1 : 2];
    double error = error_at(law, taken.theta);
    if (taken.tolerance > 0.0) error = std::min(error, taken.tolerance);
    if (derivatives > 1) error *= 0.1;
    if (error <= least_of_medium) return FarLevel::fine;
    return error > least_of_coarse && !heavy ? FarLevel::coarse : FarLevel::medium;
}

}  // namespace gravlet
