// SPDX-License-Identifier: Apache-2.0
// Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in arrays with guard cells. Seven blocks are
// octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Ends with 1 if the potential beside
// the cube's centre is wrong, in a cell or in a guard cell.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <numbers>
#include <vector>

namespace {

constexpr int n = 8, guards = 2, width = n + 2 * guards;

struct HostBlock {
    std::array<double, 3> lower;
    double h;  // side of a cell
    std::vector<double> density = std::vector<double>(width * width * width, 1.0), potential = density;
};

/// Where cell (i, j, k) is in the arrays; 0 is the first interior cell of a direction.
std::size_t at(int i, int j, int k) { return static_cast<std::size_t>(((k + guards) * width + j + guards) * width + i + guards); }

int run(int rank, int ranks) {
    std::vector<HostBlock> mesh;
    for (int b = rank; b < 15; b += ranks) {  // 0 to 6: octants; 7 to 14: octants of the last octant
        const int p = b < 7 ? b : b - 7;
        const double side = b < 7 ? 0.5 : 0.25, from = b < 7 ? 0.0 : 0.5;
        mesh.push_back({{from + side * (p % 2), from + side * (p / 2 % 2), from + side * (p / 4)}, side / n});
    }

    std::vector<gravlet::Block> blocks;
    for (HostBlock& host : mesh) {
        blocks.push_back(gravlet::block_with_guards(host.lower, {host.h, host.h, host.h}, {n, n, n}, guards, host.density.data(),
                                                    host.potential.data()));
        blocks.back().result_guards = {guards, guards, guards};
    }
    gravlet::Solver solver(MPI_COMM_WORLD);
    solver.solve(blocks);

    // Near the centre the potential is -c + 2/3 pi r^2. Block 7 begins there, on rank 7 % ranks.
    double error = 0.0;
    if (rank == 7 % ranks) {
        const HostBlock& seventh = mesh[static_cast<std::size_t>(7 / ranks)];
        const double c = 3.0 * std::log((std::sqrt(3.0) + 1.0) / (std::sqrt(3.0) - 1.0)) - std::numbers::pi / 2.0;
        const double exact = -c + std::numbers::pi / 2.0 * seventh.h * seventh.h;
        const double inside = seventh.potential[at(0, 0, 0)], guard = seventh.potential[at(-1, -1, -1)];
        error = std::max(std::abs(inside / exact - 1.0), std::abs(guard / exact - 1.0));
        std::cout << "potential beside the centre " << inside << ", in a guard cell " << guard << ", exact " << exact << '\n';
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return error < 1e-3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        status = run(rank, ranks);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
