// SPDX-License-Identifier: Apache-2.0
// Step 4 of the guide (docs/guide/first_solve.md): the points of step 3, solved by the tree and, with theta = 0, by the direct
// sum. Prints the largest relative errors; ends with 1 if they are larger than such a tree's.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

namespace {

struct Results {
    explicit Results(std::size_t n) : potential(n), ax(n), ay(n), az(n) {}
    std::vector<double> potential, ax, ay, az;
};

Results solve(const gravlet::Options& options, const gravlet::Points& points, std::size_t n) {
    Results results(n);
    gravlet::Solver solver(MPI_COMM_WORLD, options);
    solver.solve(points, {.potential = results.potential, .acceleration = {results.ax, results.ay, results.az}});
    return results;
}

int run(int rank, int ranks) {
    constexpr int all = 3000;
    std::vector<double> x, y, z;
    for (int i = all * rank / ranks; i < all * (rank + 1) / ranks; ++i) {
        x.push_back((i + 0.5) / all);
        y.push_back(std::fmod(i * 0.7548776662466927, 1.0));
        z.push_back(std::fmod(i * 0.5698402909980532, 1.0));
    }
    const std::vector<double> mass(x.size(), 1.0 / all);
    const gravlet::Points points{.x = x, .y = y, .z = z, .mass = mass};

    gravlet::Options options;
    options.softening = 0.01;
    const Results tree = solve(options, points, x.size());
    options.theta = 0.0;  // every body acts on every other one
    const Results direct = solve(options, points, x.size());

    double largest[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double off = std::hypot(tree.ax[i] - direct.ax[i], tree.ay[i] - direct.ay[i], tree.az[i] - direct.az[i]);
        largest[0] = std::max(largest[0], std::abs(tree.potential[i] / direct.potential[i] - 1.0));
        largest[1] = std::max(largest[1], off / std::hypot(direct.ax[i], direct.ay[i], direct.az[i]));
    }
    MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::cout << "largest relative error: potential " << largest[0] << ", acceleration " << largest[1] << '\n';
    return largest[0] < 2e-6 && largest[1] < 3e-4 ? 0 : 1;
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
