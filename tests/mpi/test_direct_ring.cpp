// SPDX-License-Identifier: Apache-2.0
// The ring shows everyone everything once, and the distributed sums are those of one rank, however the bodies are distributed.
#include "cpu/direct.hpp"
#include "mpi/agreement.hpp"
#include "mpi/ring.hpp"
#include "physics/cuboid/cuboid.hpp"
#include "solver/direct/cuboid_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace gravlet {
namespace {

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int world_size() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

TEST(Ring, EveryRecordOfEveryRankOnce) {
    // Rank r has r * 70,000 records, more than a packet from rank 1 on; rank 0 has none.
    const auto count = [](int rank) { return static_cast<std::size_t>(rank) * 70000; };
    const auto pack = [](std::size_t begin, std::span<std::int64_t> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = world_rank() * std::int64_t{1000000} + static_cast<std::int64_t>(begin + i);
        }
    };
    std::vector<std::int64_t> seen, expected;
    Stages stages(MPI_COMM_WORLD);
    ring<std::int64_t>(stages, count(world_rank()), pack, [&](std::span<const std::int64_t> records, const auto&) {
        seen.insert(seen.end(), records.begin(), records.end());
    });
    stages.agree();
    for (int rank = 0; rank < world_size(); ++rank) {
        for (std::size_t i = 0; i < count(rank); ++i)
            expected.push_back(rank * std::int64_t{1000000} + static_cast<std::int64_t>(i));
    }
    std::ranges::sort(seen);
    EXPECT_EQ(seen, expected);
}

struct BodyArrays {
    std::vector<double> x, y, z, mass, softening;
    std::vector<std::int64_t> id;

    [[nodiscard]] std::vector<DirectSource> sources() const {
        std::vector<DirectSource> out;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (mass[i] > 0.0) out.push_back({x[i], y[i], z[i], mass[i], softening[i], id[i]});
        return out;
    }
};

// The same on every rank: some softened, some without mass, number 1 on 0 (unsoftened), number 3 on 2 (softened).
BodyArrays all_bodies(std::size_t n) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    BodyArrays b;
    for (std::size_t i = 0; i < n; ++i) {
        const bool copy = i == 1 || i == 3;
        b.x.push_back(copy ? b.x[i - 1] : uniform(random));
        b.y.push_back(copy ? b.y[i - 1] : uniform(random));
        b.z.push_back(copy ? b.z[i - 1] : uniform(random));
        b.mass.push_back(i % 5 == 4 ? 0.0 : uniform(random) + 0.1);
        b.softening.push_back(i == 3 || i % 7 == 6 ? 1e-2 : 0.0);
        b.id.push_back(static_cast<std::int64_t>(i));
    }
    return b;
}

BodyArrays mine(const BodyArrays& all, const std::function<int(std::size_t)>& owner) {
    BodyArrays b;
    for (std::size_t i = 0; i < all.x.size(); ++i) {
        if (owner(i) != world_rank()) continue;
        b.x.push_back(all.x[i]);
        b.y.push_back(all.y[i]);
        b.z.push_back(all.z[i]);
        b.mass.push_back(all.mass[i]);
        b.softening.push_back(all.softening[i]);
        b.id.push_back(all.id[i]);
    }
    return b;
}

struct Answer {
    std::vector<double> potential, ax, ay, az;
    std::int64_t left_out = 0;
};

std::int64_t direct_sum(MPI_Comm comm, const BodyArrays& at, const BodyArrays& sources, std::span<double> potential,
                        const std::array<std::span<double>, 3>& acceleration, const DirectKernel& kernel) {
    Stages stages(comm);
    const DirectTargets targets{at.x,         at.y,  at.z,
                                at.softening, at.id, {potential, acceleration[0], acceleration[1], acceleration[2]}};
    const std::int64_t left_out = gravlet::direct_sum(stages, targets, sources.sources(), kernel);
    stages.agree();
    return left_out;
}

Answer solve(MPI_Comm comm, const BodyArrays& targets, const BodyArrays& sources) {
    const std::size_t n = targets.x.size();
    Answer a{std::vector<double>(n, 99.0), std::vector<double>(n, 99.0), std::vector<double>(n, 99.0),
             std::vector<double>(n, 99.0)};
    a.left_out = direct_sum(comm, targets, sources, a.potential, {a.ax, a.ay, a.az}, cpu_direct_kernel(2));
    return a;
}

void expect_independent_of(const std::function<int(std::size_t)>& owner) {
    const BodyArrays all = all_bodies(1000), part = mine(all, owner);
    const Answer expected = solve(MPI_COMM_SELF, all, all);
    EXPECT_EQ(expected.left_out, 2);
    const Answer got = solve(MPI_COMM_WORLD, part, part);
    for (std::size_t k = 0; k < part.x.size(); ++k) {
        const std::size_t i = static_cast<std::size_t>(part.id[k]);
        EXPECT_NEAR(got.potential[k] / expected.potential[i], 1.0, 7e-15);
        const double norm = std::hypot(expected.ax[i], expected.ay[i], expected.az[i]);
        EXPECT_NEAR(got.ax[k], expected.ax[i], 1e-14 * norm);
        EXPECT_NEAR(got.ay[k], expected.ay[i], 1e-14 * norm);
        EXPECT_NEAR(got.az[k], expected.az[i], 1e-14 * norm);
    }
    EXPECT_EQ(all_reduce(MPI_COMM_WORLD, got.left_out, MPI_SUM), 2);
    EXPECT_EQ(solve(MPI_COMM_WORLD, part, part).potential, got.potential);

    // Any subset as targets, potential alone, fewer threads.
    std::vector<double> some(world_rank() % 2 == 0 ? all.x.size() : 0);
    direct_sum(MPI_COMM_WORLD, some.empty() ? BodyArrays{} : all, part, some, {}, cpu_direct_kernel(1));
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_NEAR(some[i] / expected.potential[i], 1.0, 7e-15);
}

TEST(DirectSum, Scattered) {
    expect_independent_of([](std::size_t i) { return static_cast<int>(i * 2654435761u % 1009) % world_size(); });
}

TEST(DirectSum, AllOnTheLastRank) {
    expect_independent_of([](std::size_t) { return world_size() - 1; });
}

TEST(DirectSum, SomeRanksWithout) {
    expect_independent_of([](std::size_t i) { return static_cast<int>(i % 3) * 2 % world_size(); });
}

TEST(DirectSum, NoBodiesAtAll) {
    const Answer none = solve(MPI_COMM_WORLD, {}, {});
    EXPECT_EQ(none.left_out, 0);
    std::vector<double> potential(5, 99.0);
    direct_sum(MPI_COMM_WORLD, all_bodies(5), {}, potential, {}, cpu_direct_kernel(1));
    EXPECT_EQ(potential, std::vector<double>(5));
}

TEST(CuboidSum, IsTheSumOfItsCuboids) {
    const BodyArrays all = all_bodies(300), part = mine(all, [](std::size_t i) { return static_cast<int>(i) % world_size(); });
    const std::size_t n = part.x.size();
    for (const bool cubes : {true, false}) {
        const std::vector<double> dx(n, 0.02), dy(cubes ? 0 : n, 0.03), dz(cubes ? 0 : n, 0.05);
        std::vector<double> potential(n, 99.0);
        cuboid_sum(MPI_COMM_WORLD, {part.x, part.y, part.z}, {part.x, part.y, part.z, dx, dy, dz, part.mass}, potential, 2);
        const double ly = cubes ? 0.02 : 0.03, lz = cubes ? 0.02 : 0.05;
        for (std::size_t k = 0; k < n; ++k) {
            double expected = 0.0;
            for (std::size_t i = 0; i < all.x.size(); ++i) {
                expected += all.mass[i] / (0.02 * ly * lz) *
                            cuboid_potential(part.x[k] - all.x[i], part.y[k] - all.y[i], part.z[k] - all.z[i], 0.02, ly, lz);
            }
            EXPECT_NEAR(potential[k] / expected, 1.0, 5e-15);
        }
    }
}

}  // namespace
}  // namespace gravlet
