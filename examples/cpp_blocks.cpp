// SPDX-License-Identifier: Apache-2.0
// A host's own blocks, guard cells and all, passed as they lie in memory: a homogeneous unit cube of 4^3 blocks of 8^3 cells,
// dealt out to the ranks, for three steps, between which the mesh is refined in the middle and the density changes. Ends with 1
// if the potential at the cube's centre is wrong, or if a guard cell was written. c_host.c and fortran_host.f90 do the same, and
// get the same bits.
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <numbers>
#include <vector>

namespace {

constexpr int blocks_across = 4;
constexpr int n = 8;
constexpr int guards = 4;
constexpr std::size_t width = n + 2 * guards;
constexpr double guard_value = 1e30;  // as density and as potential: neither to be read nor to be written
constexpr double tolerance = 1e-4;

struct HostBlock {
    std::array<double, 3> lower{};
    double h = 0.0;  // side of a cell
    std::vector<double> density = std::vector<double>(width * width * width, guard_value);
    std::vector<double> potential = std::vector<double>(width * width * width, guard_value);
};

/// Where cell (i, j, k) is in a host block's arrays; interior cells have indices from 0 to n - 1.
std::size_t offset(int i, int j, int k) {
    const auto at = [](int index) { return static_cast<std::size_t>(index + guards); };
    return (at(k) * width + at(j)) * width + at(i);
}

bool interior(int i, int j, int k) { return i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n; }

std::array<int, 3> place_in(int index, int across) {
    return {index % across, index / across % across, index / (across * across)};
}

/// Every ranks-th block of the cube [-0.5, 0.5]^3; `refined`: those that touch its centre are divided into eight.
std::vector<HostBlock> make_blocks(bool refined, int rank, int ranks) {
    std::vector<HostBlock> blocks;
    int count = 0;
    for (int index = 0; index < blocks_across * blocks_across * blocks_across; ++index) {
        const std::array<int, 3> place = place_in(index, blocks_across);
        const bool touches = std::ranges::all_of(place, [](int p) { return std::abs(2 * p + 1 - blocks_across) == 1; });
        const int parts = refined && touches ? 2 : 1;
        for (int child = 0; child < parts * parts * parts; ++child) {
            if (count++ % ranks != rank) continue;
            HostBlock& block = blocks.emplace_back();
            const std::array<int, 3> part = place_in(child, parts);
            block.h = 1.0 / (blocks_across * parts * n);
            for (std::size_t axis = 0; axis < 3; ++axis)
                block.lower[axis] = (place[axis] * parts + part[axis]) * n * block.h - 0.5;
        }
    }
    return blocks;
}

/// Calls visit(block, i, j, k) for all cells, guard cells too.
template <class Blocks, class Visit>
void for_each_cell(Blocks& blocks, Visit visit) {
    for (auto& block : blocks)
        for (int k = -guards; k < n + guards; ++k)
            for (int j = -guards; j < n + guards; ++j)
                for (int i = -guards; i < n + guards; ++i) visit(block, i, j, k);
}

void set_density(std::vector<HostBlock>& blocks, double density) {
    for_each_cell(blocks, [=](HostBlock& block, int i, int j, int k) {
        if (interior(i, j, k)) block.density[offset(i, j, k)] = density;
    });
}

struct Findings {
    double error = 0.0;        // largest, relative, at the cells around the centre; infinite if a guard cell has changed
    std::uint64_t parity = 0;  // of the bits of all potentials
};

/// Near the centre Phi = density * (-c + 2/3 pi r^2), c a unit cube's self potential.
Findings check(const std::vector<HostBlock>& blocks, double density) {
    const double c = 3.0 * std::log((std::sqrt(3.0) + 1.0) / (std::sqrt(3.0) - 1.0)) - std::numbers::pi / 2.0;
    Findings found;
    for_each_cell(blocks, [&](const HostBlock& block, int i, int j, int k) {
        const double potential = block.potential[offset(i, j, k)];
        if (!interior(i, j, k)) {
            if (potential != guard_value) found.error = INFINITY;
            return;
        }
        found.parity ^= std::bit_cast<std::uint64_t>(potential);
        const double r = std::hypot(block.lower[0] + (i + 0.5) * block.h, block.lower[1] + (j + 0.5) * block.h,
                                    block.lower[2] + (k + 0.5) * block.h);
        if (r > block.h) return;
        const double exact = density * (2.0 / 3.0 * std::numbers::pi * r * r - c);
        const double error = std::abs(potential / exact - 1.0);
        found.error = std::max(found.error, std::isnan(error) ? INFINITY : error);
    });
    MPI_Allreduce(MPI_IN_PLACE, &found.error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &found.parity, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
    return found;
}

int run(int rank, int ranks) {
    gravlet::Solver solver(MPI_COMM_WORLD, {.theta = 0.7});
    std::vector<HostBlock> host;
    int wrong = 0;
    for (int step = 1; step <= 3; ++step) {
        if (step <= 2) host = make_blocks(step == 2, rank, ranks);
        set_density(host, step);
        std::vector<gravlet::Block> blocks;
        for (HostBlock& block : host)
            blocks.push_back(gravlet::block_with_guards(block.lower, {block.h, block.h, block.h}, {n, n, n}, guards,
                                                        block.density.data(), block.potential.data()));
        solver.solve(blocks);

        const Findings found = check(host, step);
        if (!(found.error < tolerance)) wrong = 1;
        if (rank == 0)
            std::cout << "density " << step << ": parity " << std::hex << std::uppercase << std::setfill('0') << std::setw(16)
                      << found.parity << std::dec << "\n  error at the centre " << found.error << ", mesh unchanged on "
                      << solver.report().unchanged_ranks << " ranks\n";
    }
    if (rank == 0) std::cout << to_string(solver.report());
    return wrong;
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
