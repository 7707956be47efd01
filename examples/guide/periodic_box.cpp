// SPDX-License-Identifier: Apache-2.0
// A box that repeats in all directions (docs/guide/boundaries.md), with one mass in it: a lattice, whose potential at the mass is
// known, and which pulls nowhere. Ends with 1 if either is wrong.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <cmath>
#include <iostream>
#include <vector>

namespace {

int run() {
    const std::vector<double> x{0.3}, y{0.4}, z{0.6}, mass{1.0};
    std::vector<double> potential(1), ax(1), ay(1), az(1);

    gravlet::Options options;
    options.boundary.fill(gravlet::Boundary::periodic);
    options.domain = gravlet::Box{.lower = {0.0, 0.0, 0.0}, .upper = {1.0, 1.0, 1.0}};
    gravlet::Solver solver(MPI_COMM_SELF, options);
    solver.solve(gravlet::Points{.x = x, .y = y, .z = z, .mass = mass}, {.potential = potential, .acceleration = {ax, ay, az}});

    const double error = std::abs(potential[0] - 2.8372975);  // Ewald's sum: of all images, and the mean density taken off
    const double pull = std::hypot(ax[0], ay[0], az[0]);
    std::cout << "potential " << potential[0] << ", pull " << pull << '\n';
    return error < 1e-7 && pull < 1e-8 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 2;
    try {
        status = run();
    } catch (const gravlet::Error& error) {
        std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
