// SPDX-License-Identifier: Apache-2.0
// A host's own blocks, guard cells and all, passed as they lie in memory: a homogeneous unit cube of 4^3 blocks of 8^3 cells,
// dealt out to the ranks. Ends with 1 if the potential at the cube's centre is wrong, or if a guard cell was written.
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

constexpr int blocks_across = 4;
constexpr int n = 8;
constexpr int guards = 4;
constexpr std::size_t width = n + 2 * guards;
constexpr double h = 1.0 / (blocks_across * n);
constexpr double guard_value = 1e30;  // as density and as potential: neither to be read nor to be written
constexpr double tolerance = 1e-4;

struct HostBlock {
    std::array<double, 3> lower{};
    std::vector<double> density = std::vector<double>(width * width * width, guard_value);
    std::vector<double> potential = std::vector<double>(width * width * width, guard_value);
};

/// Where cell (i, j, k) is in a host block's arrays; interior cells have indices from 0 to n - 1.
std::size_t offset(int i, int j, int k) {
    const auto at = [](int index) { return static_cast<std::size_t>(index + guards); };
    return (at(k) * width + at(j)) * width + at(i);
}

bool interior(int i, int j, int k) { return i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n; }

/// This rank's blocks of the cube [-0.5, 0.5]^3, of density 1.
std::vector<HostBlock> make_blocks(int rank, int ranks) {
    std::vector<HostBlock> blocks;
    for (int index = rank; index < blocks_across * blocks_across * blocks_across; index += ranks) {
        HostBlock& block = blocks.emplace_back();
        const std::array<int, 3> place{index % blocks_across, index / blocks_across % blocks_across,
                                       index / (blocks_across * blocks_across)};
        for (std::size_t axis = 0; axis < 3; ++axis) block.lower[axis] = place[axis] * n * h - 0.5;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) block.density[offset(i, j, k)] = 1.0;
    }
    return blocks;
}

/// The largest relative error at the eight cells around the centre, where Phi = -c + 2/3 pi r^2, c the cube's self potential.
/// Infinite if a guard cell has changed.
double check(const std::vector<HostBlock>& blocks) {
    const double c = 3.0 * std::log((std::sqrt(3.0) + 1.0) / (std::sqrt(3.0) - 1.0)) - std::numbers::pi / 2.0;
    double error = 0.0;
    for (const HostBlock& block : blocks)
        for (int k = -guards; k < n + guards; ++k)
            for (int j = -guards; j < n + guards; ++j)
                for (int i = -guards; i < n + guards; ++i) {
                    const double potential = block.potential[offset(i, j, k)];
                    if (!interior(i, j, k)) {
                        if (potential != guard_value) return INFINITY;
                        continue;
                    }
                    const double r = std::hypot(block.lower[0] + (i + 0.5) * h, block.lower[1] + (j + 0.5) * h,
                                                block.lower[2] + (k + 0.5) * h);
                    if (r > h) continue;
                    const double exact = -c + 2.0 / 3.0 * std::numbers::pi * r * r;
                    error = std::max(error, std::abs(potential / exact - 1.0));
                }
    return error;
}

int run(int rank, int ranks) {
    std::vector<HostBlock> host = make_blocks(rank, ranks);
    std::vector<gravlet::Block> blocks;
    for (HostBlock& block : host)
        blocks.push_back(
            gravlet::block_with_guards(block.lower, {h, h, h}, {n, n, n}, guards, block.density.data(), block.potential.data()));

    gravlet::Solver solver(MPI_COMM_WORLD);
    solver.solve(blocks);

    double error = check(host);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::cout << to_string(solver.report()) << "relative error at the centre " << error << '\n';
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
