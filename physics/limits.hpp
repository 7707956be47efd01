// SPDX-License-Identifier: Apache-2.0
// How large and small what a caller passes may be: far beyond any system of units, and such that G m/r^2 of any two of them, and
// every product on the way to it, is a number in double precision. include/gravlet says so to users.
#pragma once

#include <cstddef>

namespace gravlet {

/// Sides of cells and of the domain, softening; coordinates have the upper limit only.
inline constexpr double smallest_length = 1e-60, largest_length = 1e60;
/// Limits of masses: none is above, and the largest of all not below, unless no body has mass.
inline constexpr double smallest_mass = 1e-100, largest_mass = 1e100;
inline constexpr double smallest_G = 1e-80, largest_G = 1e80;

/// The root cube's side over the smallest cell's is at most two to this: one less than keys tell apart (physics/keys.hpp).
inline constexpr int most_cell_levels = 41;
/// Bodies of one rank in one cube of the finest grid, if they are not at one place: each acts on all others there, for minutes.
inline constexpr std::size_t most_in_a_crowd = std::size_t{1} << 18;

}  // namespace gravlet
