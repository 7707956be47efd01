// SPDX-License-Identifier: Apache-2.0
// Solids on AMR meshes: refined where the surface is, then filled cell by cell.
#include "mpi/agreement.hpp"
#include "tools/problems/amr_mesh.hpp"
#include "tools/problems/analytic.hpp"
#include "tools/problems/attach.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

template <class Solid>
void fill(BlockSet& blocks, const Solid& solid, int subsamples, double density_inside, double density_outside) {
    fill_blocks(blocks, [&](std::size_t b) {
        return [&, side = solid.side_of_box(blocks.lower[b], blocks.upper[b])](const Array3& lower, const Array3& size) {
            const double share = side == Side::cut      ? solid.share_of_box(lower, size, subsamples)
                                 : side == Side::inside ? 1.0
                                                        : 0.0;
            return density_outside + share * (density_inside - density_outside);
        };
    });
}

template <class Solid>
Problem solid_problem(MPI_Comm comm, const Solid& solid, int min_level, int max_level, int subsamples, double density_outside) {
    Problem problem = refined_at_surface(comm, solid, min_level, max_level);
    fill(problem.blocks, solid, subsamples, 1.0, density_outside);
    return problem;
}

}  // namespace

Problem make(MPI_Comm comm, const MaclaurinProblem& spec) {
    require_range(spec.eccentricity >= 0.05 && spec.eccentricity <= 0.999, "eccentricity", spec.eccentricity, "0.05 to 0.999");
    require_range(spec.a1 > 0.0, "a1", spec.a1, "above 0");
    require_range(spec.subsamples >= 1 && spec.subsamples <= 64, "subsamples", spec.subsamples, "1 to 64");
    require_levels(1, spec.max_level);
    const double a3 = spec.a1 * std::sqrt(1.0 - spec.eccentricity * spec.eccentricity);
    const Ellipsoid solid{spec.centre, {spec.a1, spec.a1, a3}};
    require_inside(solid.centre, solid.axes, "a1", spec.a1);
    Problem problem = solid_problem(comm, solid, 1, spec.max_level, spec.subsamples, 0.0);
    attach_analytic(comm, problem, MaclaurinSpheroid{.centre = spec.centre, .a1 = spec.a1, .eccentricity = spec.eccentricity});
    return problem;
}

Problem make(MPI_Comm comm, const CubeProblem& spec) {
    require_range(spec.side > 0.0, "side", spec.side, "above 0");
    require_levels(1, spec.max_level);
    const CubeSolid solid{spec.centre, spec.side};
    require_inside(solid.centre, {spec.side / 2, spec.side / 2, spec.side / 2}, "side", spec.side);
    Problem problem = solid_problem(comm, solid, 1, spec.max_level, 1, 0.0);
    attach_analytic(comm, problem, HomogeneousCube{.centre = spec.centre, .side = spec.side});
    return problem;
}

Problem make(MPI_Comm comm, const TophatProblem& spec) {
    constexpr double density_outside = 0.01;
    require_range(spec.radius > 0.0, "radius", spec.radius, "above 0");
    require_range(spec.subsamples >= 1 && spec.subsamples <= 64, "subsamples", spec.subsamples, "1 to 64");
    require_levels(spec.min_level, spec.max_level);
    const Ellipsoid solid{spec.centre, {spec.radius, spec.radius, spec.radius}};
    require_inside(solid.centre, solid.axes, "radius", spec.radius);
    Problem problem = solid_problem(comm, solid, spec.min_level, spec.max_level, spec.subsamples, density_outside);
    const HomogeneousCube medium{.centre = {0.5, 0.5, 0.5}, .side = 1.0, .density = density_outside};
    const HomogeneousSphere excess{.centre = spec.centre, .radius = spec.radius, .density = 1.0 - density_outside};
    agree(comm, [&] {
        problem.potential = [=](const Array3& p) {
            return medium.potential(p[0], p[1], p[2]) + excess.potential(p[0], p[1], p[2]);
        };
    });
    return problem;
}

Problem make(MPI_Comm comm, const CornerProblem& spec) {
    require_range(spec.max_level >= 1 && spec.max_level <= 18, "max_level", spec.max_level, "1 to 18");
    const auto at_corner = [](const MeshBlock& block) { return block.lower == Array3{0.0, 0.0, 0.0}; };
    Problem problem = on_mesh(comm, 1, spec.max_level, at_corner);
    BlockSet& blocks = problem.blocks;
    const std::size_t cells = blocks.cells_per_block();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        // Seven blocks a level, eight of the last; one of level 1 if that is all.
        const int deepest = spec.max_level;
        const int siblings = blocks.level[b] == deepest ? (deepest == 1 ? 1 : 8) : 7;
        const double mass = 1.0 / (siblings * std::max(1, deepest - 1));
        std::fill_n(blocks.density.begin() + static_cast<std::ptrdiff_t>(b * cells), cells,
                    mass / (blocks.cell_volume(b) * static_cast<double>(cells)));
    }
    return problem;
}

}  // namespace gravlet
