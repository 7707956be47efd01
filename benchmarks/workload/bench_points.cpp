// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_points.hpp"

#include "mpi/agreement.hpp"
#include "physics/keys.hpp"
#include "tools/problems/bisect.hpp"
#include "tools/problems/draw.hpp"
#include "tools/problems/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gravlet::bench {
namespace {

constexpr std::uint64_t seed = 20140613;
constexpr double mass_kept = 0.999;

Array3 draw(ProblemKind kind, std::uint64_t index) {
    const auto u = [index](unsigned draw) { return random_unit(seed, index, draw); };
    switch (kind) {
        case ProblemKind::plummer: return on_sphere(plummer_radius(mass_kept * u(0)), u(1), u(2));
        case ProblemKind::hernquist: return on_sphere(hernquist_radius(u(0)), u(1), u(2));
        case ProblemKind::sphere: return on_sphere(std::cbrt(u(0)), u(1), u(2));
        case ProblemKind::nfw: return on_sphere(nfw_radius(u(0), 10.0), u(1), u(2));
        case ProblemKind::disc: return DiscInHalo{}.draw(u);
        default: return {u(0), u(1), u(2)};
    }
}

// A coordinate of any size to one between 0 and 1, so that points far out do not cost the resolution of the dense middle.
double squeezed(double u) { return 0.5 + 0.5 * u / (1.0 + std::abs(u)); }

void sort_along_curve(PointSet& points) {
    const std::size_t n = points.size();
    std::vector<std::pair<key_type, std::size_t>> order(n);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i)
        order[i] = {hilbert_key(squeezed(points.x[i]), squeezed(points.y[i]), squeezed(points.z[i])), i};
    std::ranges::sort(order);
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) {
        std::vector<double> sorted(n);
        for (std::size_t i = 0; i < n; ++i) sorted[i] = (*array)[order[i].second];
        *array = std::move(sorted);
    }
}

}  // namespace

PointSet make_points(MPI_Comm comm, ProblemKind kind, std::size_t n, bool along_curve) {
    const auto rank = static_cast<std::size_t>(rank_in(comm)), ranks = static_cast<std::size_t>(size_of(comm));
    PointSet points;
    agree(comm, [&] {
        for (auto* array : {&points.x, &points.y, &points.z}) array->resize(n);
        points.mass.assign(n, 1.0 / (static_cast<double>(n) * static_cast<double>(ranks)));
    });
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
        const auto index = static_cast<std::uint64_t>(rank * n + i);
        const Array3 at = draw(kind, index);
        points.x[i] = at[0], points.y[i] = at[1], points.z[i] = at[2];
    }
    distribute_in_boxes(comm, points);
    agree(comm, [&] {
        if (along_curve) sort_along_curve(points);
    });
    return points;
}

}  // namespace gravlet::bench
