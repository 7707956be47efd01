// SPDX-License-Identifier: Apache-2.0
// A homogeneous sphere of cells, dealt out to the ranks: one solve, its report, and the central potential against the analytic
// one. Ends with 1 if the two differ by more than this coarse sphere explains. What stands between the marks is in the README.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <span>
#include <vector>

namespace {

constexpr double radius = 0.4;
constexpr double tolerance = 1e-3;

struct Sphere {
    std::vector<double> x, y, z, size, mass;
};

/// This rank's share of a grid of 41^3 cells over [-0.5, 0.5]^3; a cell on the surface has about the share of its mass inside.
Sphere make_sphere(int rank, int ranks) {
    constexpr int n = 41;  // odd: one cell has its centre at 0
    constexpr double h = 1.0 / n;
    Sphere sphere;
    for (int index = rank; index < n * n * n; index += ranks) {
        const double x = (index % n - n / 2) * h;
        const double y = (index / n % n - n / 2) * h;
        const double z = (index / (n * n) - n / 2) * h;
        const double inside = std::clamp((radius - std::hypot(x, y, z)) / h + 0.5, 0.0, 1.0);
        sphere.x.push_back(x);
        sphere.y.push_back(y);
        sphere.z.push_back(z);
        sphere.size.push_back(h);
        sphere.mass.push_back(inside * h * h * h);  // density 1
    }
    return sphere;
}

int run(int rank, int ranks) {
    const auto [x, y, z, size, mass] = make_sphere(rank, ranks);
    // [readme]
    gravlet::Options options;
    options.theta = 0.8;  // opening angle; left alone, it and the order suit what is asked for; or options.tolerance = 1e-4
    options.order = 4;    // of the multipoles
    gravlet::Solver solver(MPI_COMM_WORLD, options);

    // Every step, on every rank: the leaf cells that it holds (std::vector<double> here), in any order and number.
    std::vector<double> potential(x.size());
    const gravlet::Cells cells{.x = x, .y = y, .z = z, .dx = size, .mass = mass};
    solver.solve(cells, {.potential = potential});
    if (rank == 0) std::cout << to_string(solver.report());
    // [/readme]

    // The centre is where the potential is deepest.
    double central = std::ranges::min(potential);
    MPI_Allreduce(MPI_IN_PLACE, &central, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    const double exact = -2.0 * std::numbers::pi * radius * radius;
    const double error = std::abs(central / exact - 1.0);
    if (rank == 0) std::cout << "central potential " << central << ", exact " << exact << ", relative error " << error << '\n';
    return error < tolerance ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int status = 2;
    try {
        status = run(rank, ranks);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
