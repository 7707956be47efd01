// SPDX-License-Identifier: Apache-2.0
// Points drawn from a distribution, on a lattice, or from a file.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/models/isotropic_sphere.hpp"
#include "tools/problems/analytic.hpp"
#include "tools/problems/attach.hpp"
#include "tools/problems/distribute.hpp"
#include "tools/problems/draw.hpp"
#include "tools/problems/draw_points.hpp"

#include <gravlet/error.hpp>

#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace gravlet {
namespace {

// Around the origin: radius(u) is that of the random number u. With a model, points move as in it.
template <class Spec, class Radius>
Problem draw_sphere(MPI_Comm comm, const Spec& spec, const std::optional<IsotropicSphere>& model, const Radius& radius) {
    return draw_points(
        comm, spec, [&](std::uint64_t i) { return of_sphere(radius(random_unit(spec.seed, i, 2)), spec.seed, i); },
        [&](std::uint64_t, const Array3& at, RandomSequence& next) {
            return isotropic_velocity(*model, std::hypot(at[0], at[1], at[2]), next);
        });
}

template <class Spec>
std::optional<IsotropicSphere> model_if_moving(MPI_Comm comm, const Spec& spec, const PowerLaws& density) {
    if (!spec.velocities) return {};
    return make_model(comm, [&] { return IsotropicSphere::alone(density, "sphere"); });
}

// Of the points in rank order, those of lower ranks.
long rows_before(MPI_Comm comm, const PointSet& points) {
    long first = 0;
    communicate(comm, [&](const Agreed& ranks) { first = ranks.sum_before(static_cast<long>(points.size())); });
    return first;
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
    Problem problem = draw_sphere(comm, spec, model_if_moving(comm, spec, plummer_density()), plummer_radius);
    attach_analytic(comm, problem, PlummerSphere{});
    return problem;
}

Problem make(MPI_Comm comm, const HernquistProblem& spec) {
    Problem problem = draw_sphere(comm, spec, model_if_moving(comm, spec, hernquist_density()), hernquist_radius);
    attach_analytic(comm, problem, HernquistSphere{});
    return problem;
}

Problem make(MPI_Comm comm, const NfwProblem& spec) {
    require_range(spec.concentration >= 0.1 && spec.concentration <= 1000.0, "concentration", spec.concentration, "0.1 to 1000");
    require_range(!spec.velocities || spec.concentration >= 0.5, "concentration", spec.concentration,
                  "0.5 to 1000 with velocities in equilibrium");
    const auto model = model_if_moving(comm, spec, nfw_density(spec.concentration));
    if (model) return draw_sphere(comm, spec, model, [&](double mass) { return model->radius(mass); });
    Problem problem = draw_sphere(comm, spec, model, [&](double mass) { return nfw_radius(mass, spec.concentration); });
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
    const PointCount count{.n = std::int64_t{spec.n} * spec.n * spec.n, .key = spec.n};
    Problem problem = draw_points(comm, count, spec.distribution, 0, [=](std::uint64_t i) {
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
    PointSet& points = problem.points;
    points = read_points(comm, spec.path, spec.velocities ? PointData::all : PointData::at_rest);
    if (spec.velocities) {
        // What the file has, all ranks have, if they have points.
        const auto lacking = [&](const auto& array) { return points.size() > 0 && array.empty(); };
        const long first = rows_before(comm, points);
        agree(comm, [&] {
            if (lacking(points.velocity[0]))
                throw Error(ErrorCode::file, spec.path + ": there are no velocities: data sets \"vx\", \"vy\", \"vz\"");
            if (!lacking(points.id)) return;
            points.id.resize(points.size());
            std::iota(points.id.begin(), points.id.end(), static_cast<std::uint64_t>(first));
        });
    }
    if (spec.distribution == Distribution::curve) distribute_along_curve(comm, points);
    return problem;
}

Problem make(MPI_Comm comm, const SnapshotProblem& spec) {
    Problem problem;
    Snapshot snapshot = read_snapshot(comm, spec.path, spec.velocities ? PointData::all : PointData::at_rest, spec.types);
    problem.points = std::move(snapshot.points);
    if (!spec.velocities) problem.points.id.clear();
    problem.origin = std::move(snapshot.origin);
    if (snapshot.box) problem.domain = Box{{0.0, 0.0, 0.0}, *snapshot.box};
    if (spec.distribution == Distribution::curve) distribute_along_curve(comm, problem.points);
    return problem;
}

}  // namespace gravlet
