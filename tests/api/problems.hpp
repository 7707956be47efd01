// SPDX-License-Identifier: Apache-2.0
// The command's test problems as bodies that a test spreads over the ranks as it likes, and their direct sum at a sample.
#pragma once

#include "cpu/simd/direct_kernel.hpp"
#include "tests/api/body_arrays.hpp"
#include "tools/problems/problem.hpp"

#include <algorithm>
#include <numeric>

namespace gravlet::test {

/// All of a problem, the same on every rank, along a space-filling curve. Cells keep the mesh's order, which is one.
inline BodyArrays bodies_of(const ProblemSpec& spec) {
    const Problem problem = make_problem(MPI_COMM_SELF, spec);
    BodyArrays all;
    if (problem.has_blocks) {
        CellArrays cells = to_cells(problem.blocks);
        all.x = std::move(cells.x), all.y = std::move(cells.y), all.z = std::move(cells.z);
        all.dx = std::move(cells.dx), all.dy = std::move(cells.dy), all.dz = std::move(cells.dz);
        all.mass = std::move(cells.mass);
        return all;
    }
    const PointSet& p = problem.points;
    for (std::size_t i = 0; i < p.size(); ++i) all.add_point(p.x[i], p.y[i], p.z[i], p.mass[i]);
    return along_curve(all);
}

/// Collective over MPI_COMM_WORLD, which shares the work: every stride-th body's potential and acceleration by the direct sum
/// (double precision), with cells' self terms; NaN at the others. G = 1, no softening.
inline Result sampled_direct_sum(const BodyArrays& all, std::size_t stride) {
    std::vector<double> x, y, z;
    std::vector<std::int64_t> id;
    for (std::size_t i = 0; i < all.size(); i += stride) {
        x.push_back(all.x[i]), y.push_back(all.y[i]), z.push_back(all.z[i]);
        id.push_back(static_cast<std::int64_t>(i));
    }
    const std::size_t count = x.size();
    std::vector<double> sums(4 * count, 0.0);
    const std::span<double> potential(sums.data(), count), gx(sums.data() + count, count), gy(sums.data() + 2 * count, count),
        gz(sums.data() + 3 * count, count);
    std::vector<DirectSource> sources;
    const std::size_t ranks = static_cast<std::size_t>(world_size());
    for (std::size_t i = static_cast<std::size_t>(world_rank()); i < all.size(); i += ranks) {
        if (all.mass[i] > 0.0) sources.push_back({all.x[i], all.y[i], all.z[i], all.mass[i], 0.0, static_cast<std::int64_t>(i)});
    }
    direct_kernel({x, y, z, {}, id, {potential, gx, gy, gz}}, sources, SofteningKernel::plummer);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    Result result(all.size(), nan);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = k * stride;
        result.potential[i] = -potential[k];
        if (!all.dx.empty()) result.potential[i] -= cube_constant * all.mass[i] / all.dx[i];
        result.acceleration[0][i] = gx[k], result.acceleration[1][i] = gy[k], result.acceleration[2][i] = gz[k];
    }
    return result;
}

}  // namespace gravlet::test
