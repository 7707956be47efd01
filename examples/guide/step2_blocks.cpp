// SPDX-License-Identifier: Apache-2.0
// Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in arrays with guard cells. Seven blocks are
// octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Then once more with accelerations,
// and a star that comes along (docs/guide/your_mesh.md). Ends with 1 if the potential beside the cube's centre is wrong, in a
// cell or in a guard cell, or what cube and star do to each other.
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
    std::vector<double> density = std::vector<double>(width * width * width, 1.0), potential = density, gx = density,
                        gy = density, gz = density;
};

/// Where cell (i, j, k) is in the arrays; 0 is the first interior cell of a direction.
std::size_t at(int i, int j, int k) { return static_cast<std::size_t>(((k + guards) * width + j + guards) * width + i + guards); }

/// A star of mass 1, which rank 0 brings, in a distance of 10 from the cube's centre. The larger of two relative errors: of its
/// potential, and of its pull on all cells together.
double with_star(gravlet::Solver& solver, std::vector<HostBlock>& mesh, int rank) {
    const std::size_t count = rank == 0 ? 1 : 0;
    const std::vector<double> star_x(count, 10.5), star_y(count, 0.5), star_z(count, 0.5), star_mass(count, 1.0);
    std::vector<double> star_potential(count);

    std::vector<gravlet::Block> blocks;
    for (HostBlock& host : mesh)
        blocks.push_back(gravlet::block_with_guards(host.lower, {host.h, host.h, host.h}, {n, n, n}, guards, host.density.data(),
                                                    host.potential.data(), {host.gx.data(), host.gy.data(), host.gz.data()}));
    const gravlet::Points stars{.x = star_x, .y = star_y, .z = star_z, .mass = star_mass};
    solver.solve(blocks, stars, {.potential = star_potential});

    double sums[2] = {};  // of m a_x of all cells, and of the potential of all stars
    for (const HostBlock& host : mesh)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) sums[0] += host.h * host.h * host.h * host.gx[at(i, j, k)];
    if (rank == 0) sums[1] = star_potential[0];
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::cout << "the star's potential " << sums[1] << ", its pull on all cells " << sums[0] << '\n';
    return std::max(std::abs(sums[0] / 0.01 - 1.0), std::abs(sums[1] / -0.1 - 1.0));
}

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
    return error < 1e-3 && with_star(solver, mesh, rank) < 3e-4 ? 0 : 1;
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
