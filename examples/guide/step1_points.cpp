// SPDX-License-Identifier: Apache-2.0
// Step 1 of the guide (docs/guide/first_solve.md): eight points at the corners of a cube, solved by one process. Ends with 1 if
// the potential or the acceleration is not what eight masses at such distances make.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

namespace {

int run() {
    const std::vector<double> x{0, 1, 0, 1, 0, 1, 0, 1}, y{0, 0, 1, 1, 0, 0, 1, 1}, z{0, 0, 0, 0, 1, 1, 1, 1}, mass(8, 1.0);
    std::vector<double> potential(8), ax(8), ay(8), az(8);

    gravlet::Solver solver(MPI_COMM_SELF);
    const gravlet::Points points{.x = x, .y = y, .z = z, .mass = mass};
    solver.solve(points, {.potential = potential, .acceleration = {ax, ay, az}});

    // Of each corner three others are at distance 1, three at sqrt(2), one at sqrt(3).
    const double exact = -3.0 - 3.0 / std::sqrt(2.0) - 1.0 / std::sqrt(3.0);
    const double pull = 1.0 + 2.0 / std::pow(2.0, 1.5) + 1.0 / std::pow(3.0, 1.5);
    const double error = std::max(std::abs(potential[0] / exact - 1.0), std::abs(ax[0] / pull - 1.0));
    std::cout << "potential " << potential[0] << ", acceleration " << ax[0] << ' ' << ay[0] << ' ' << az[0] << ", relative error "
              << error << '\n';
    return error < 1e-5 ? 0 : 1;
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
