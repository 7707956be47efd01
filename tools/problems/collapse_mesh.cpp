// SPDX-License-Identifier: Apache-2.0
// A cloud that has fallen into cores, on the mesh that a host makes of it: refined where it is dense.
#include "mpi/agreement.hpp"
#include "tools/problems/amr_mesh.hpp"
#include "tools/problems/analytic.hpp"
#include "tools/problems/draw.hpp"
#include "tools/problems/random.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

Array3 nearest_in_box(const Array3& to, const Array3& lower, const Array3& upper) {
    Array3 p{};
    for (std::size_t d = 0; d < 3; ++d) p[d] = std::clamp(to[d], lower[d], upper[d]);
    return p;
}

/// The density of a form that falls outwards where the box is nearest to its centre.
template <class Form>
double highest_density(const Form& form, const Array3& lower, const Array3& upper) {
    const Array3 p = nearest_in_box(form.centre, lower, upper);
    return form.density(p[0], p[1], p[2]);
}

struct Cloud {
    Tophat medium;
    std::vector<PseudoIsothermalSphere> cores;
    double sound_speed2 = 0.0;

    [[nodiscard]] double density(const Array3& p) const {
        double sum = medium.density(p[0], p[1], p[2]);
        for (const PseudoIsothermalSphere& core : cores) sum += core.density(p[0], p[1], p[2]);
        return sum;
    }
    [[nodiscard]] double potential(const Array3& p) const {
        double sum = medium.potential(p[0], p[1], p[2]);
        for (const PseudoIsothermalSphere& core : cores) sum += core.potential(p[0], p[1], p[2]);
        return sum;
    }
    /// The shortest Jeans length that a place in the box may have.
    [[nodiscard]] double jeans_length(const Array3& lower, const Array3& upper) const {
        double density = highest_density(medium, lower, upper);
        for (const PseudoIsothermalSphere& core : cores) density += highest_density(core, lower, upper);
        return std::sqrt(pi * sound_speed2 / density);
    }
    /// This cloud with those cores alone that reach into the box.
    [[nodiscard]] Cloud near(const Array3& lower, const Array3& upper) const {
        Cloud out{medium, {}, sound_speed2};
        std::ranges::copy_if(cores, std::back_inserter(out.cores),
                             [&](const PseudoIsothermalSphere& core) { return highest_density(core, lower, upper) > 0.0; });
        return out;
    }
};

double cell_side(double block_side) { return block_side / 8.0; }

Cloud make_cloud(const CollapseMeshProblem& spec) {
    Cloud cloud;
    cloud.medium = {.centre = {0.5, 0.5, 0.5}, .radius = spec.radius};
    // That of a singular isothermal sphere of density (core_radius/r)^2, whose Jeans length is sqrt(2) pi r.
    cloud.sound_speed2 = 2.0 * pi * spec.core_radius * spec.core_radius;
    const double middle = spec.jeans_cells * cell_side(std::pow(0.5, spec.max_level - 1)) / (std::numbers::sqrt2 * pi);
    require_range(middle < spec.core_radius, "max_level", spec.max_level,
                  "such that problem.jeans_cells of its cells are less than 4.4 times problem.core_radius");
    const double peak = spec.core_radius * spec.core_radius / (middle * middle);
    for (int c = 0; c < spec.cores; ++c) {
        const auto u = [&](unsigned draw) { return random_unit(spec.seed, static_cast<std::uint64_t>(c), draw); };
        Array3 centre = on_sphere((spec.radius - spec.core_radius) * std::cbrt(u(2)), u(0), u(1));
        for (double& coordinate : centre) coordinate += 0.5;
        cloud.cores.push_back({.centre = centre, .core_radius = middle, .radius = spec.core_radius, .central_density = peak});
    }
    return cloud;
}

}  // namespace

Problem make(MPI_Comm comm, const CollapseMeshProblem& spec) {
    require_range(spec.radius > 0.0 && spec.radius <= 0.5, "radius", spec.radius, "above 0, at most 0.5");
    require_range(spec.cores >= 0 && spec.cores <= 1000, "cores", spec.cores, "0 to 1000");
    require_range(spec.core_radius > 0.0 && spec.core_radius <= spec.radius, "core_radius", spec.core_radius,
                  "above 0, at most problem.radius");
    require_range(spec.jeans_cells > 0.0 && spec.jeans_cells <= 1000.0, "jeans_cells", spec.jeans_cells, "above 0, at most 1000");
    require_range(spec.subsamples >= 1 && spec.subsamples <= 64, "subsamples", spec.subsamples, "1 to 64");
    require_range(spec.max_level >= 1 && spec.max_level <= 18, "max_level", spec.max_level, "1 to 18");
    require_range(spec.min_level >= 1 && spec.min_level <= spec.max_level, "min_level", spec.min_level, "1 to max_level");
    const Cloud cloud = make_cloud(spec);
    Problem problem = on_mesh(comm, spec.min_level, spec.max_level, [&](const MeshBlock& block) {
        return spec.jeans_cells * cell_side(block.side) > cloud.jeans_length(block.lower, upper_corner(block));
    });
    agree(comm, [&] {
        const BlockSet& blocks = problem.blocks;
        fill_blocks(problem.blocks, [&](std::size_t b) {
            return [&spec, here = cloud.near(blocks.lower[b], blocks.upper[b])](const Array3& lower, const Array3& size) {
                return mean_of_samples(lower, size, spec.subsamples, [&](const Array3& p) { return here.density(p); });
            };
        });
        problem.potential = [cloud](const Array3& p) { return cloud.potential(p); };
    });
    return problem;
}

}  // namespace gravlet
