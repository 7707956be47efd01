// SPDX-License-Identifier: Apache-2.0
// Step 3 of the guide (docs/guide/first_solve.md): each rank brings its share of 3000 points. One mass is wrong at first, which
// all ranks hear of; then the report of a solve is read. Ends with 1 if the wrong mass is not refused, or the report is not as it
// has to be.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <vector>

namespace {

int run(int rank, int ranks) {
    constexpr int all = 3000;
    std::vector<double> x, y, z;
    for (int i = all * rank / ranks; i < all * (rank + 1) / ranks; ++i) {  // spread evenly over the unit cube
        x.push_back((i + 0.5) / all);
        y.push_back(std::fmod(i * 0.7548776662466927, 1.0));
        z.push_back(std::fmod(i * 0.5698402909980532, 1.0));
    }
    std::vector<double> mass(x.size(), 1.0 / all), potential(x.size()), ax(x.size()), ay(x.size()), az(x.size());
    const gravlet::Points points{.x = x, .y = y, .z = z, .mass = mass};
    const gravlet::Fields fields{.potential = potential, .acceleration = {ax, ay, az}};

    gravlet::Options options;
    options.softening = 0.01;
    options.error_samples = 200;  // compare so many targets with the direct sum, after each solve
    gravlet::Solver solver(MPI_COMM_WORLD, options);

    bool refused = false;
    if (rank == ranks - 1) mass[0] = std::numeric_limits<double>::quiet_NaN();
    try {
        solver.solve(points, fields);
    } catch (const gravlet::Error& error) {  // on every rank, with the same message; results are untouched
        refused = error.code() == gravlet::ErrorCode::invalid_input;
        if (rank == 0) std::cout << "refused: " << error.what() << '\n';
    }
    mass[0] = 1.0 / all;
    solver.solve(points, fields);  // the solver is as good as before

    const gravlet::Report& report = solver.report();
    if (rank == 0) {
        std::cout << report.targets << " targets on " << report.ranks << " ranks took " << report.seconds << " s on "
                  << report.backend << "\n99 in 100 accelerations err by less than " << report.acceleration_error->p99 << '\n';
        for (const auto& warning : report.warnings) std::cout << "warning: " << warning << '\n';
    }
    return refused && report.targets == all && report.acceleration_error->p99 < 6e-5 ? 0 : 1;
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
