// SPDX-License-Identifier: Apache-2.0
// What Options::tolerance learns from the errors that it measures, for a host's checkpoint.
#pragma once

#include <gravlet/standard.hpp>

#include <array>
#include <cstddef>

namespace gravlet {

/// Number of values in a SteeringState.
inline constexpr std::size_t steering_size = 80;

/// What a tolerance has learned (Solver::get_steering()). All 0: nothing.
using SteeringState = std::array<double, steering_size>;

}  // namespace gravlet
