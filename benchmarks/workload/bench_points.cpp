// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_points.hpp"

#include "mpi/agreement.hpp"
#include "tools/problems/bisect.hpp"
#include "tools/problems/random.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace gravlet::bench {
namespace {

constexpr std::uint64_t seed = 20140613;
constexpr double mass_kept = 0.999;

using Position = std::array<double, 3>;

Position in_box(std::uint64_t index) {
    return {random_unit(seed, index, 0), random_unit(seed, index, 1), random_unit(seed, index, 2)};
}

/// M(r) = r^3 / (r^2 + 1)^(3/2), solved for r.
Position in_plummer_sphere(std::uint64_t index) {
    const double root = std::cbrt(mass_kept * random_unit(seed, index, 0));
    const double radius = root / std::sqrt(1.0 - root * root);
    const double cosine = 2.0 * random_unit(seed, index, 1) - 1.0;
    const double across = radius * std::sqrt(1.0 - cosine * cosine);
    const double angle = 2.0 * std::numbers::pi * random_unit(seed, index, 2);
    return {across * std::cos(angle), across * std::sin(angle), radius * cosine};
}

}  // namespace

PointSet make_points(MPI_Comm comm, ProblemKind kind, std::size_t n) {
    const auto rank = static_cast<std::size_t>(rank_in(comm)), ranks = static_cast<std::size_t>(size_of(comm));
    PointSet points;
    agree(comm, [&] {
        for (auto* array : {&points.x, &points.y, &points.z}) array->resize(n);
        points.mass.assign(n, 1.0 / (static_cast<double>(n) * static_cast<double>(ranks)));
    });
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
        const auto index = static_cast<std::uint64_t>(rank * n + i);
        const Position at = kind == ProblemKind::cube ? in_box(index) : in_plummer_sphere(index);
        points.x[i] = at[0], points.y[i] = at[1], points.z[i] = at[2];
    }
    distribute_in_boxes(comm, points);
    return points;
}

}  // namespace gravlet::bench
