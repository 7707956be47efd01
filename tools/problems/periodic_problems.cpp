// SPDX-License-Identifier: Apache-2.0
// Densities that repeat in three, two or one directions, on AMR meshes.
#include "tools/problems/amr_mesh.hpp"
#include "tools/problems/analytic.hpp"
#include "tools/problems/attach.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

constexpr double middle = 0.5;  // of the unit box

}  // namespace

Problem make(MPI_Comm comm, const SineWaveProblem& spec) {
    const int shortest_wave = std::abs(*std::ranges::max_element(spec.wave_vector, {}, [](int k) { return std::abs(k); }));
    require_range(shortest_wave >= 1 && shortest_wave <= 1000, "wave_vector", shortest_wave,
                  "three integers from -1000 to 1000, not all 0");
    require_range(spec.mean_density > 0.0, "mean_density", spec.mean_density, "above 0");
    require_range(std::abs(spec.amplitude) <= 1.0, "amplitude", spec.amplitude, "-1 to 1: no density is negative");
    require_range(spec.radius > 0.0, "radius", spec.radius, "above 0");
    require_levels(spec.min_level, spec.max_level);
    const Ellipsoid ball{spec.centre, {spec.radius, spec.radius, spec.radius}};
    require_inside(ball.centre, ball.axes, "radius", spec.radius);
    Problem problem = refined_at_surface(comm, ball, spec.min_level, spec.max_level);
    const SineWave wave{.wave_vector = spec.wave_vector, .mean_density = spec.mean_density, .amplitude = spec.amplitude};
    fill_cells(problem.blocks, [&](const Array3& lower, const Array3& size) { return wave.box_density(lower, size); });
    problem.boundary.fill(Boundary::periodic);
    attach_analytic(comm, problem, wave);
    return problem;
}

Problem make(MPI_Comm comm, const Sech2LayerProblem& spec) {
    require_range(spec.central_density > 0.0, "central_density", spec.central_density, "above 0");
    require_range(spec.scale_height > 0.0, "scale_height", spec.scale_height, "above 0");
    require_range(spec.z_cut > 0.0 && spec.z_cut <= middle, "z_cut", spec.z_cut, "above 0, and at most 0.5: inside the unit box");
    require_levels(spec.min_level, spec.max_level);
    // With guard cells, half a block wide, the block reaches the mid plane.
    const auto refine = [&](const MeshBlock& block) { return std::abs(block.lower[2] + 0.5 * block.side - middle) < block.side; };
    Problem problem = on_mesh(comm, spec.min_level, spec.max_level, refine);
    const Sech2Layer layer{
        .middle = middle, .central_density = spec.central_density, .scale_height = spec.scale_height, .z_cut = spec.z_cut};
    fill_cells(problem.blocks, [&](const Array3& lower, const Array3& size) { return layer.box_density(lower, size); });
    problem.boundary = {Boundary::periodic, Boundary::periodic, Boundary::isolated};
    attach_analytic(comm, problem, layer);
    return problem;
}

Problem make(MPI_Comm comm, const OstrikerCylinderProblem& spec) {
    require_range(spec.central_density > 0.0, "central_density", spec.central_density, "above 0");
    require_range(spec.core_radius > 0.0, "core_radius", spec.core_radius, "above 0");
    require_range(spec.r_cut > 0.0 && spec.r_cut <= middle, "r_cut", spec.r_cut, "above 0, and at most 0.5: inside the unit box");
    require_range(spec.refine_radius > 0.0, "refine_radius", spec.refine_radius, "above 0");
    require_range(spec.subsamples >= 1 && spec.subsamples <= 64, "subsamples", spec.subsamples, "1 to 64");
    require_levels(spec.min_level, spec.max_level);
    const auto refine = [&](const MeshBlock& block) {
        const auto distance = [&](std::size_t d) {
            return std::clamp(middle, block.lower[d], block.lower[d] + block.side) - middle;
        };
        return std::hypot(distance(1), distance(2)) < spec.refine_radius;
    };
    Problem problem = on_mesh(comm, spec.min_level, spec.max_level, refine);
    const OstrikerCylinder cylinder{.centre = {middle, middle, middle},
                                    .central_density = spec.central_density,
                                    .core_radius = spec.core_radius,
                                    .r_cut = spec.r_cut};
    fill_cells(problem.blocks, [&](const Array3& lower, const Array3& size) {
        const int n = spec.subsamples;
        double sum = 0.0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                sum += cylinder.density(lower[0], lower[1] + (j + 0.5) / n * size[1], lower[2] + (k + 0.5) / n * size[2]);
        return sum / (static_cast<double>(n) * n);
    });
    problem.boundary = {Boundary::periodic, Boundary::isolated, Boundary::isolated};
    attach_analytic(comm, problem, cylinder);
    return problem;
}

}  // namespace gravlet
