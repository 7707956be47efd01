// SPDX-License-Identifier: Apache-2.0
// Points that fall through a plane of symmetry, and meet their images, are where they are among images that are points.
#include "tools/evolve/stepping.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace gravlet::test {
namespace {

constexpr std::uint64_t n = 200;

/// Points before the plane x = 0, those with odd ids on the second rank, if there is one; `images`: theirs, too.
Snapshot points_at_rest(bool images) {
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> uniform;
    Snapshot out;
    const auto add = [&](double x, double y, double z, std::uint64_t id) {
        if (static_cast<int>(id % static_cast<std::uint64_t>(size)) != rank) return;
        PointSet& p = out.points;
        p.x.push_back(x), p.y.push_back(y), p.z.push_back(z);
        for (auto& component : p.velocity) component.push_back(0.0);
        p.mass.push_back(1.0 / n);
        p.id.push_back(id);
    };
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = 0.3 * uniform(random), y = uniform(random), z = uniform(random);
        add(x, y, z, i);
        if (images) add(-x, y, z, n + i);
    }
    return out;
}

/// Where each point comes to be, by id, of all ranks.
std::vector<double> moved(const Options& options, const Snapshot& points) {
    Stepping stepping(MPI_COMM_WORLD, options, {.kind = StepKind::fixed, .largest = 0.05});
    stepping.take(points);
    for (std::int64_t step = 0; step < 20; ++step) stepping.largest_step(step);
    Snapshot out;
    stepping.motion().get(out);
    std::vector<double> places(3 * n, 0.0);
    for (std::size_t k = 0; k < out.points.size(); ++k) {
        const std::uint64_t id = out.points.id[k];
        if (id >= n) continue;
        places[3 * id] = out.points.x[k], places[3 * id + 1] = out.points.y[k], places[3 * id + 2] = out.points.z[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, places.data(), static_cast<int>(places.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return places;
}

TEST(MirroredSteps, AsAmongImages) {
    const Options among_images{.theta = 0.3, .order = 4, .softening = 0.05};
    Options mirrored = among_images;
    mirrored.domain = Box{{0, -9, -9}, {9, 9, 9}};
    mirrored.boundary[0] = Boundary::mirror_lower;
    const std::vector<double> expected = moved(among_images, points_at_rest(true)), got = moved(mirrored, points_at_rest(false));
    int beyond = 0;
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        beyond += expected[3 * i] < 0.0 ? 1 : 0;
        worst = std::max(worst, std::abs(got[3 * i] - std::abs(expected[3 * i])));
        for (std::size_t d = 1; d < 3; ++d) worst = std::max(worst, std::abs(got[3 * i + d] - expected[3 * i + d]));
    }
    EXPECT_GT(beyond, 20);
    EXPECT_LT(worst, 3e-6);
}

}  // namespace
}  // namespace gravlet::test
