// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"

#include <gravlet/solver.hpp>

#include <mpi.h>

#include <array>

double potential_of_pair(double distance) {
    const std::array<double, 2> x{0.0, distance}, zero{}, mass{1.0, 1.0};
    std::array<double, 2> potential{};
    gravlet::Solver solver(MPI_COMM_SELF);
    solver.solve(gravlet::Points{x, zero, zero, mass}, gravlet::Fields{potential, {}});
    return potential[1];
}
