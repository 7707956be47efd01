// SPDX-License-Identifier: Apache-2.0
// What scripts for FLASH, yt among them, look for in a checkpoint besides blocks and variables: the version of the format,
// scalars and runtime parameters, as lists of names and values.
#pragma once

#include "hdf5/hdf5_file.hpp"
#include "physics/types.hpp"

#include <gravlet/options.hpp>

#include <array>
#include <cstddef>

namespace gravlet {

/// The box that the blocks fill, and how far they refine it.
struct FlashDomain {
    Array3 lower{}, upper{};
    std::array<int, 3> root_blocks{1, 1, 1};  ///< blocks of level 1 in x, y and z
    int lowest = 1, highest = 1;              ///< refinement levels, 1-based
    std::array<Boundary, 3> boundary{};
};

/// Data sets that write_flash_header() makes.
inline constexpr std::array flash_header_sets{"sim info",
                                              "real scalars",
                                              "logical scalars",
                                              "string scalars",
                                              "real runtime parameters",
                                              "integer runtime parameters",
                                              "logical runtime parameters",
                                              "string runtime parameters"};
/// Bytes of their values, at most.
inline constexpr std::size_t flash_header_bytes = 8192;

/// Local. Makes those that the file lacks: time 0, Cartesian geometry, no units (FLASH's unitsystem "none"), this domain.
void write_flash_header(const Hdf5File& file, const FlashDomain& domain);

}  // namespace gravlet
