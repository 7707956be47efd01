// SPDX-License-Identifier: Apache-2.0
// A MeshBlock of one cell a rank, at x = rank: each feels the others' potential, -sum 1/distance, and none of its own.
#include <gravlet_meshblocks.hpp>

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

static_assert(__cplusplus == 201703L, "the host's standard");

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::array<double, 1> density{8.0}, potential{};
    double exact = 0.0;
    for (int other = 0; other < ranks; ++other)
        if (other != rank) exact -= 1.0 / std::abs(other - rank);
    {
        gravlet::MeshBlockSolver solver(MPI_COMM_WORLD, {}, 1);
        solver.set_options([](const char* name, std::string& text) {
            text = "false";
            return std::string(name) == "self_potential";
        });
        gravlet::MeshBlockPack<double> pack;
        pack.blocks = 1;
        pack.cells = {1, 1, 1};
        pack.density = {density.data(), 1, {1, 1, 1}};
        pack.potential = {potential.data(), 1, {1, 1, 1}};
        solver.solve(1.0, 0, pack, [&](std::int64_t) {
            return gravlet::MeshBlockPlace{{rank - 0.25, -0.25, -0.25}, {0.5, 0.5, 0.5}};
        });
    }
    int wrong = std::abs(potential[0] - exact) > 1e-6;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::printf("MeshBlocks: %s on %d ranks\n", wrong ? "wrong" : "right", ranks);
    MPI_Finalize();
    return wrong;
}
