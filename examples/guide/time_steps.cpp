// SPDX-License-Identifier: Apache-2.0
// Time steps of a host (docs/guide/time.md): a solve for all points, one for those alone whose steps end now, and a restart from
// a checkpoint. Ends with 1 if a point that is not active is written, or if the restarted solver has other bits.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

int run(int rank, int ranks) {
    constexpr int all = 2000;
    std::vector<double> x, y, z;
    for (int i = all * rank / ranks; i < all * (rank + 1) / ranks; ++i) {
        x.push_back((i + 0.5) / all);
        y.push_back(std::fmod(i * 0.7548776662466927, 1.0));
        z.push_back(std::fmod(i * 0.5698402909980532, 1.0));
    }
    const std::vector<double> mass(x.size(), 1.0 / all);
    std::vector<double> potential(x.size()), restarted(x.size());
    gravlet::Points points{.x = x, .y = y, .z = z, .mass = mass};

    const gravlet::Options options{.tolerance = 1e-4};
    gravlet::Solver solver(MPI_COMM_WORLD, options);
    solver.solve(points, {.potential = potential, .acceleration = {}});

    // Every tenth point's step ends now; nothing has moved since the last solve.
    std::vector<std::uint8_t> active(x.size());
    for (std::size_t i = 0; i < active.size(); ++i) active[i] = i % 10 == 0 ? 1 : 0;
    const double mark = potential[1] = -1.0;
    points.active = active;
    solver.only_changed();
    solver.solve(points, {.potential = potential, .acceleration = {}});
    points.active = {};
    int wrong = potential[1] != mark || solver.report().targets > all / 10 + ranks;

    // What the tolerance has learned goes into a checkpoint, and into the solver of the run that goes on from it.
    const gravlet::SteeringState learned = solver.get_steering();
    gravlet::Solver other(MPI_COMM_WORLD, options);
    other.set_steering(learned);
    other.solve(points, {.potential = restarted, .acceleration = {}});
    solver.solve(points, {.potential = potential, .acceleration = {}});
    for (std::size_t i = 0; i < x.size(); ++i) wrong = wrong || restarted[i] != potential[i];

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::cout << (wrong ? "wrong\n" : "few targets, and the same bits after a restart\n");
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0, rank = 0, ranks = 1, status = 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        status = run(rank, ranks);
    } catch (const gravlet::Error& error) {
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
