// SPDX-License-Identifier: Apache-2.0
#include "gravity.hpp"

#include <limits>

namespace core_collapse {

namespace {

/// The mesh as gravlet wants it: pointers to where things are, nothing is copied.
std::vector<gravlet::Block> to_blocks(const Mesh& mesh, std::vector<Field>& potentials) {
    std::vector<gravlet::Block> blocks;
    for (const Leaf& leaf : mesh.leaves()) {
        const double h = leaf.cell_size();
        gravlet::Block block;
        block.lower = {leaf.first[0] * h, leaf.first[1] * h, leaf.first[2] * h};
        block.cell_size = {h, h, h};
        block.n = {n, n, n};
        block.stride = {1, n, n * n};
        block.density = (*leaf.gas)[0].data();
        block.potential = potentials[leaf.number].data();
        for (std::size_t axis = 0; axis < 3; ++axis) block.acceleration[axis] = (*leaf.acceleration)[axis].data();
        blocks.push_back(block);
    }
    return blocks;
}

/// Sinks as points, and where their accelerations go. The first rank brings them all.
struct Points {
    std::vector<double> mass;
    std::array<std::vector<double>, 3> x, a;

    Points(const std::vector<Sink>& sinks, bool mine) {
        if (!mine) return;
        for (const Sink& sink : sinks) {
            mass.push_back(sink.mass);
            for (std::size_t d = 0; d < 3; ++d) x[d].push_back(sink.position[d]), a[d].push_back(0.0);
        }
    }
};

}  // namespace

void Gravity::solve(const Mesh& mesh, std::vector<Sink>& sinks) {
    int rank = 0;
    MPI_Comm_rank(mesh.comm(), &rank);
    potentials_.resize(mesh.leaves().size());
    Points points(sinks, rank == 0);
    gravlet::Fields pull;
    for (std::size_t d = 0; d < 3; ++d) pull.acceleration[d] = points.a[d];
    solver_.solve(to_blocks(mesh, potentials_), {.x = points.x[0], .y = points.x[1], .z = points.x[2], .mass = points.mass},
                  pull);
    for (std::size_t s = 0; s < sinks.size(); ++s) {
        if (rank == 0) sinks[s].acceleration = {points.a[0][s], points.a[1][s], points.a[2][s]};
        MPI_Bcast(sinks[s].acceleration.data(), 3, MPI_DOUBLE, 0, mesh.comm());
    }
}

double Gravity::time_step() const { return solver_.report().time_step.value_or(std::numeric_limits<double>::infinity()); }

}  // namespace core_collapse
