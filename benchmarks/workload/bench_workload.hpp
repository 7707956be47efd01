// SPDX-License-Identifier: Apache-2.0
// One problem on this rank: its bodies in the memory asked for, and room for the answer.
#pragma once

#include "benchmarks/workload/bench_memory.hpp"
#include "benchmarks/workload/bench_settings.hpp"

#include <gravlet/cells.hpp>
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet::bench {

struct Exact {
    std::array<double, 3> position;
    double potential;
};

struct Workload {
    std::string name;  ///< "grid 512", say
    enum class Form { points, cells, blocks } form = Form::points;
    std::optional<Box> domain;
    std::optional<std::array<Boundary, 3>> boundary;  ///< boundaries in place of the settings'
    Array x, y, z, mass;                              ///< points, or cells if the layout is that
    std::array<Array, 3> size;                        ///< sides of cells; along y and z empty where they are cubes
    Array softening;                                  ///< lengths of points; empty: they bring none
    Array density;                                    ///< blocks
    std::vector<Block> blocks;
    std::vector<double> order;         ///< the order that bodies, or blocks, are active in (order_of()); empty: all are
    std::vector<std::uint8_t> active;  ///< a flag a body; empty: all
    Array potential;
    std::array<Array, 3> acceleration;  ///< empty unless asked for
    std::array<Array, 6> tidal;         ///< empty unless asked for
    std::array<Array, 3> faces;         ///< empty unless asked for
    std::vector<Exact> analytic;        ///< exact results in the order of the targets; empty unless asked for

    [[nodiscard]] const char* layout() const;

    /// Collective. Results are wanted for this share of all.
    void choose_active(MPI_Comm comm, double share);
    /// Collective. One solve, into the arrays above.
    void solve(Solver& solver) const;
};

/// Collective: size number `index` of the settings' list. Throws Error, the same on every rank.
[[nodiscard]] Workload make_workload(MPI_Comm comm, const Settings& settings, std::size_t index, bool has_device);

}  // namespace gravlet::bench
