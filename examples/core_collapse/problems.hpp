// SPDX-License-Identifier: Apache-2.0
// What collapses: a cold sphere, a singular isothermal one, a rotating core. In the unit box about its middle, G = 1.
#pragma once

#include "gas.hpp"
#include "settings.hpp"
#include "sinks.hpp"

#include <functional>
#include <vector>

namespace core_collapse {

constexpr Array3 middle{0.5, 0.5, 0.5};

struct Problem {
    Medium medium;
    std::function<Gas(const Array3&, double)> gas;  ///< what a cell of some size has, at a place from the middle
    std::vector<Sink> sinks;
    double unit_of_time = 1.0, end = 1.0;
    SinkRule rule{};
};

/// Sphere of the problem freefall.
struct ColdSphere {
    static constexpr double radius = 0.3, density = 1.0;
};

/// Throws std::invalid_argument if there is no such problem.
[[nodiscard]] Problem make_problem(const Settings& settings);

}  // namespace core_collapse
