// SPDX-License-Identifier: Apache-2.0
#include "solver/direct/cuboid_sum.hpp"

#include "mpi/ring.hpp"
#include "physics/cuboid/cuboid.hpp"

#include <algorithm>
#include <cstddef>

namespace gravlet {
namespace {

struct Cuboid {
    double x, y, z, lx, ly, lz, density;
};

}  // namespace

void cuboid_sum(MPI_Comm comm, const CuboidTargets& targets, const Cells& cells, std::span<double> potential, int threads) {
    Stages stages(comm);
    std::ranges::fill(potential, 0.0);
    const bool cubes = cells.dy.empty();
    const auto pack = [&](std::size_t begin, std::span<Cuboid> out) {
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::size_t i = begin + k;
            const double lx = cells.dx[i], ly = cubes ? lx : cells.dy[i], lz = cubes ? lx : cells.dz[i];
            out[k] = {cells.x[i], cells.y[i], cells.z[i], lx, ly, lz, cells.mass[i] / (lx * ly * lz)};
        }
    };
    const auto visit = [&](std::span<const Cuboid> packet, const auto&) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
        for (std::size_t t = 0; t < targets.x.size(); ++t) {
            double sum = 0.0;
            for (const Cuboid& c : packet) {
                if (c.density != 0.0) {
                    sum += c.density *
                           cuboid_potential(targets.x[t] - c.x, targets.y[t] - c.y, targets.z[t] - c.z, c.lx, c.ly, c.lz);
                }
            }
            potential[t] += sum;
        }
    };
    ring<Cuboid>(stages, cells.x.size(), pack, visit);
    stages.agree();
}

}  // namespace gravlet
