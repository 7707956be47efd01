// SPDX-License-Identifier: Apache-2.0
// Probes: the field at places of the host's choice, where no mass is. Here two stars, which rank 0 brings, are seen from a line
// of probes on every rank; ends with 1 if a probe sees anything but -G m/r.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <span>
#include <vector>

namespace {

constexpr double star_x[] = {-1.0, 2.0}, star_mass[] = {3.0, 1.0};
constexpr double tolerance = 1e-6;
constexpr std::size_t probes = 100;

int run(int rank) {
    const std::size_t stars = rank == 0 ? 2 : 0;
    const std::vector<double> zeros(stars, 0.0);
    const gravlet::Points points{.x = std::span(star_x, stars), .y = zeros, .z = zeros, .mass = std::span(star_mass, stars)};
    std::vector<double> x(probes), potential(probes);
    const std::vector<double> y(probes, 0.5 + rank), z(probes, 0.25);
    for (std::size_t p = 0; p < probes; ++p) x[p] = -4.0 + 0.08 * static_cast<double>(p);

    gravlet::Solver solver(MPI_COMM_WORLD);
    solver.solve(points, {}, {.x = x, .y = y, .z = z, .fields = {.potential = potential, .acceleration = {}}});

    double error = 0.0;
    for (std::size_t i = 0; i < probes; ++i) {
        double exact = 0.0;
        for (int s = 0; s < 2; ++s) exact -= star_mass[s] / std::hypot(x[i] - star_x[s], y[i], z[i]);
        error = std::max(error, std::abs(potential[i] / exact - 1.0));
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::cout << "largest relative error at the probes " << error << '\n';
    return error < tolerance ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        status = run(rank);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
