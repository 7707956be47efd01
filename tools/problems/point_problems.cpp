// SPDX-License-Identifier: Apache-2.0
// Points drawn from a distribution, or on a lattice: point i is a function of the seed and i, so that any number of ranks makes
// the same points.
#include "mpi/agreement.hpp"
#include "tools/problems/analytic.hpp"
#include "tools/problems/attach.hpp"
#include "tools/problems/distribute.hpp"
#include "tools/problems/draw.hpp"
#include "tools/problems/memory_limit.hpp"
#include "tools/problems/problem.hpp"
#include "tools/problems/random.hpp"

#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

// Draws 0 and 1 of the point give the direction.
Array3 of_sphere(double radius, std::uint64_t seed, std::uint64_t index) {
    return on_sphere(radius, random_unit(seed, index, 0), random_unit(seed, index, 1));
}

// This rank's share of n points by index, then wherever `distribution` wants them. `key` is the problem.n that asks for them.
template <class Draw>
Problem draw_points(MPI_Comm comm, std::int64_t key, std::int64_t n, Distribution distribution, Draw&& draw) {
    const int rank = rank_in(comm), ranks = size_of(comm);
    // Position, mass and potential; beside, while they are sent, two copies of an array, and a place.
    const double bytes = (distribution == Distribution::curve && ranks > 1 ? 8.0 : 5.0) * sizeof(double);
    MemoryLimit(comm).require("n", key, static_cast<double>(n) * bytes);
    const std::int64_t first = n / ranks * rank + n % ranks * rank / ranks;
    const std::int64_t last = n / ranks * (rank + 1) + n % ranks * (rank + 1) / ranks;

    Problem problem;
    PointSet& points = problem.points;
    agree(comm, [&] {
        for (auto* array : {&points.x, &points.y, &points.z}) array->reserve(static_cast<std::size_t>(last - first));
        points.mass.assign(static_cast<std::size_t>(last - first), 1.0 / static_cast<double>(n));
    });
    for (std::int64_t i = first; i < last; ++i) {
        const Array3 p = draw(static_cast<std::uint64_t>(i));
        points.x.push_back(p[0]);
        points.y.push_back(p[1]);
        points.z.push_back(p[2]);
    }
    if (distribution == Distribution::curve) distribute_along_curve(comm, points);
    return problem;
}

template <class Spec, class Draw>
Problem draw_points(MPI_Comm comm, const Spec& spec, Draw&& draw) {
    require_range(spec.n >= 0, "n", static_cast<double>(spec.n), "0 or more");
    return draw_points(comm, spec.n, spec.n, spec.distribution, draw);
}

}  // namespace

Problem make(MPI_Comm comm, const UniformPointsProblem& spec) {
    if (spec.shape == PointShape::cube)
        return draw_points(comm, spec, [&](std::uint64_t i) {
            const auto coordinate = [&](unsigned d) { return 2.0 * random_unit(spec.seed, i, d) - 1.0; };
            return Array3{coordinate(0), coordinate(1), coordinate(2)};
        });
    Problem problem = draw_points(
        comm, spec, [&](std::uint64_t i) { return of_sphere(std::cbrt(random_unit(spec.seed, i, 2)), spec.seed, i); });
    attach_analytic(comm, problem, HomogeneousSphere{.density = 0.75 / std::numbers::pi});
    return problem;
}

Problem make(MPI_Comm comm, const PlummerProblem& spec) {
    Problem problem = draw_points(
        comm, spec, [&](std::uint64_t i) { return of_sphere(plummer_radius(random_unit(spec.seed, i, 2)), spec.seed, i); });
    attach_analytic(comm, problem, PlummerSphere{});
    return problem;
}

Problem make(MPI_Comm comm, const HernquistProblem& spec) {
    // M(r) = r^2 / (r + 1)^2, solved for r.
    Problem problem = draw_points(comm, spec, [&](std::uint64_t i) {
        const double root = std::sqrt(random_unit(spec.seed, i, 2));
        return of_sphere(root / (1.0 - root), spec.seed, i);
    });
    attach_analytic(comm, problem, HernquistSphere{});
    return problem;
}

Problem make(MPI_Comm comm, const NfwProblem& spec) {
    require_range(spec.concentration >= 0.1 && spec.concentration <= 1000.0, "concentration", spec.concentration, "0.1 to 1000");
    Problem problem = draw_points(comm, spec, [&](std::uint64_t i) {
        return of_sphere(nfw_radius(random_unit(spec.seed, i, 2), spec.concentration), spec.seed, i);
    });
    attach_analytic(comm, problem, NfwSphere{.concentration = spec.concentration});
    return problem;
}

Problem make(MPI_Comm comm, const DiscProblem& spec) {
    require_range(spec.disc_mass >= 0.0 && spec.disc_mass <= 1.0, "disc_mass", spec.disc_mass, "0 to 1");
    require_range(spec.height >= 1e-6 && spec.height <= 100.0, "height", spec.height, "1e-6 to 100");
    require_range(spec.halo_scale >= 1e-3 && spec.halo_scale <= 1000.0, "halo_scale", spec.halo_scale, "0.001 to 1000");
    const DiscInHalo galaxy{.disc_mass = spec.disc_mass, .height = spec.height, .halo_scale = spec.halo_scale};
    return draw_points(
        comm, spec, [&](std::uint64_t i) { return galaxy.draw([&](unsigned draw) { return random_unit(spec.seed, i, draw); }); });
}

Problem make(MPI_Comm comm, const LatticeProblem& spec) {
    require_range(spec.n >= 1 && spec.n <= 1000, "n", spec.n, "1 to 1000");
    const auto n = static_cast<std::uint64_t>(spec.n);
    const double spacing = 1.0 / spec.n;
    Problem problem = draw_points(comm, spec.n, std::int64_t{spec.n} * spec.n * spec.n, spec.distribution, [=](std::uint64_t i) {
        const auto coordinate = [=](std::uint64_t place) { return (static_cast<double>(place) + 0.5) * spacing; };
        return Array3{coordinate(i % n), coordinate(i / n % n), coordinate(i / (n * n))};
    });
    problem.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    problem.boundary.fill(Boundary::periodic);
    const PointLattice lattice{.mass = spacing * spacing * spacing, .spacing = spacing};
    agree(comm, [&] { problem.potential = [=](const Array3&) { return lattice.potential_at_point(); }; });
    return problem;
}

Problem make(MPI_Comm comm, const PointsFileProblem& spec) {
    Problem problem;
    problem.points = read_points(comm, spec.path);
    if (spec.distribution == Distribution::curve) distribute_along_curve(comm, problem.points);
    return problem;
}

}  // namespace gravlet
