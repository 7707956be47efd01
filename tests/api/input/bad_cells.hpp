// SPDX-License-Identifier: Apache-2.0
// Every way in which one cell can be unacceptable. Each language's errors are tested with all of them.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <array>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {

inline constexpr std::size_t culprit = 5;  ///< the cell that is spoilt, of the last rank

inline bool on_last_rank() { return world_rank() == world_size() - 1; }

/// Where there is one rank only, none is named.
inline std::string name_of(int rank) { return world_size() > 1 ? "rank " + std::to_string(rank) : ""; }

/// Collective: options that keep the Ewald table in a file that is none of ours, and its name.
inline std::pair<Options, std::string> options_with_foreign_file() {
    const std::string path = "foreign_" + std::to_string(world_size()) + ".h5";
    if (world_rank() == 0) std::ofstream(path) << "not HDF5";
    MPI_Barrier(MPI_COMM_WORLD);
    Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .periodic_method = PeriodicMethod::table, .ewald_cache = path};
    options.boundary.fill(Boundary::periodic);
    return {options, path};
}

using Spoil = std::function<void(BodyArrays&)>;

/// Of a mesh of cubes in the unit box, which is the domain. What each does, and how.
inline std::vector<std::pair<std::string, Spoil>> ways_to_spoil_a_cell() {
    std::vector<std::pair<std::string, Spoil>> ways;
    for (const double mass : {nan, infinity, -infinity, -1e-300, 1.1e100, 1e308})
        ways.emplace_back("mass", [=](BodyArrays& b) { b.mass[culprit] = mass; });
    for (const double position : {nan, infinity, -1.1e60, 1.7e308}) {
        ways.emplace_back("x", [=](BodyArrays& b) { b.x[culprit] = position; });
        ways.emplace_back("z", [=](BodyArrays& b) { b.z[culprit] = position; });
    }
    for (const double size : {nan, infinity, 0.0, -0.25, 5e-324, 1e-320, 0.9e-60, 1.1e60}) {
        ways.emplace_back("side of a cube", [=](BodyArrays& b) { b.dx[culprit] = size; });
        ways.emplace_back("side of a cuboid", [=](BodyArrays& b) {
            b.dy = b.dz = b.dx;
            b.dz[culprit] = size;
        });
    }
    for (const double outside : {1.5, -1e-3}) ways.emplace_back("outside", [=](BodyArrays& b) { b.y[culprit] = outside; });
    for (const double size : {1.0, 0.5})  // equal, or one in the other
        ways.emplace_back("equal cells", [=](BodyArrays& b) {
            b.x[culprit] = b.x[3], b.y[culprit] = b.y[3], b.z[culprit] = b.z[3];
            b.dx[culprit] = size * b.dx[3];
        });
    return ways;
}

/// Collective: what puts a cell where cell 2 of rank 0 is. (That rank's cell is then the one that is named.)
inline Spoil onto_another_ranks_cell(const BodyArrays& mesh) {
    std::array<double, 4> place = {mesh.x[2], mesh.y[2], mesh.z[2], mesh.dx[2]};
    MPI_Bcast(place.data(), 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return [=](BodyArrays& b) {
        b.x[culprit] = place[0], b.y[culprit] = place[1], b.z[culprit] = place[2], b.dx[culprit] = place[3];
    };
}

}  // namespace gravlet::test
