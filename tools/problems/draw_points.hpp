// SPDX-License-Identifier: Apache-2.0
// Points drawn one by one: point i is a function of the seed and i, so that any number of ranks makes the same points.
#pragma once

#include "mpi/agreement.hpp"
#include "tools/models/isotropic_sphere.hpp"
#include "tools/problems/distribute.hpp"
#include "tools/problems/draw.hpp"
#include "tools/problems/memory_limit.hpp"
#include "tools/problems/problem.hpp"
#include "tools/problems/random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace gravlet {

/// A point at this distance from the origin; its random numbers 0 and 1 give the direction.
[[nodiscard]] inline Array3 of_sphere(double radius, std::uint64_t seed, std::uint64_t index) {
    return on_sphere(radius, random_unit(seed, index, 0), random_unit(seed, index, 1));
}

/// A random velocity of a point of a sphere, at a distance from its centre.
[[nodiscard]] inline Array3 isotropic_velocity(const IsotropicSphere& sphere, double radius, RandomSequence& next) {
    const double speed = sphere.speed(radius, next), for_height = next(), for_angle = next();
    return on_sphere(speed, for_height, for_angle);
}

/// Collective. What make() gives, which takes memory and may refuse.
template <class Make>
[[nodiscard]] auto make_model(MPI_Comm comm, const Make& make) {
    std::optional<decltype(make())> model;
    agree(comm, [&] { model.emplace(make()); });
    return model;
}

struct AtRest {};

/// How many points, and the problem.n that asks for them.
struct PointCount {
    std::int64_t n, key;
};

/// Collective. n points of mass 1 together: this rank's share by index, then wherever `distribution` wants them. position(i) is
/// where point i is, and velocity(i, position, next) its velocity, next a RandomSequence of its own; they must not throw, and run
/// in several threads. With velocities the points have identities.
template <class Position, class Velocity = AtRest>
[[nodiscard]] Problem draw_points(MPI_Comm comm, PointCount count, Distribution distribution, std::uint64_t seed,
                                  const Position& position, const Velocity& velocity = {}) {
    constexpr bool moving = !std::is_same_v<Velocity, AtRest>;
    const int rank = rank_in(comm), ranks = size_of(comm);
    const std::int64_t n = count.n;
    // Position, mass and potential; beside, while they are sent, two copies of an array, and a place; velocity and identity.
    const double values = (distribution == Distribution::curve && ranks > 1 ? 8.0 : 5.0) + (moving ? 4.0 : 0.0);
    MemoryLimit(comm).require("n", count.key, static_cast<double>(n) * values * sizeof(double));
    const std::int64_t first = n / ranks * rank + n % ranks * rank / ranks;
    const std::int64_t last = n / ranks * (rank + 1) + n % ranks * (rank + 1) / ranks;

    Problem problem;
    PointSet& points = problem.points;
    agree(comm, [&] {
        const auto mine = static_cast<std::size_t>(last - first);
        for (auto* array : {&points.x, &points.y, &points.z}) array->resize(mine);
        points.mass.assign(mine, 1.0 / static_cast<double>(n));
        if (!moving) return;
        for (auto& array : points.velocity) array.resize(mine);
        points.id.resize(mine);
    });
#pragma omp parallel for schedule(static)
    for (std::int64_t i = first; i < last; ++i) {
        const auto index = static_cast<std::uint64_t>(i);
        const auto place = static_cast<std::size_t>(i - first);
        const Array3 at = position(index);
        points.x[place] = at[0], points.y[place] = at[1], points.z[place] = at[2];
        if constexpr (moving) {
            RandomSequence next(seed, index);
            const Array3 v = velocity(index, at, next);
            for (std::size_t d = 0; d < 3; ++d) points.velocity[d][place] = v[d];
            points.id[place] = index;
        }
    }
    if (distribution == Distribution::curve) distribute_along_curve(comm, points);
    return problem;
}

inline void require_n(std::int64_t n) { require_range(n >= 0, "n", static_cast<double>(n), "0 or more"); }

/// Collective. draw_points() by a kind's keys `n`, `distribution` and `seed`; with its `velocities` the points move.
template <class Spec, class Position, class Velocity = AtRest>
[[nodiscard]] Problem draw_points(MPI_Comm comm, const Spec& spec, const Position& position, const Velocity& velocity = {}) {
    require_n(spec.n);
    const PointCount count{spec.n, spec.n};
    if constexpr (!std::is_same_v<Velocity, AtRest>)
        if (spec.velocities) return draw_points(comm, count, spec.distribution, spec.seed, position, velocity);
    return draw_points(comm, count, spec.distribution, spec.seed, position);
}

}  // namespace gravlet
