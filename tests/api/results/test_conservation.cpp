// SPDX-License-Identifier: Apache-2.0
// The report's net force and torque are those of the results, on any number of ranks, and are given where they mean something.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace gravlet::test {
namespace {

/// A Plummer sphere of radius 1 and mass 1, within 10, around a place that is not 0.
BodyArrays plummer(std::size_t n) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    BodyArrays points;
    while (points.size() < n) {
        const double r = 1.0 / std::sqrt(std::pow(uniform(random), -2.0 / 3.0) - 1.0), z = 2.0 * uniform(random) - 1.0,
                     angle = 2.0 * std::numbers::pi * uniform(random), ring = std::sqrt(1.0 - z * z);
        if (r < 10.0)
            points.add_point(5.0 + r * ring * std::cos(angle), r * ring * std::sin(angle) - 2.0, r * z,
                             1.0 / static_cast<double>(n));
    }
    return points;
}

struct Net {
    double force, torque;
};

/// Of the results of this rank's bodies, by naive sums.
Net net_of(const BodyArrays& mine, const Result& result) {
    double m[4] = {};
    for (std::size_t i = 0; i < mine.size(); ++i) {
        m[0] += mine.mass[i], m[1] += mine.mass[i] * mine.x[i];
        m[2] += mine.mass[i] * mine.y[i], m[3] += mine.mass[i] * mine.z[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, m, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double sums[8] = {};
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double x[] = {mine.x[i] - m[1] / m[0], mine.y[i] - m[2] / m[0], mine.z[i] - m[3] / m[0]};
        double f[3];
        for (std::size_t d = 0; d < 3; ++d) sums[d] += f[d] = mine.mass[i] * result.acceleration[d][i];
        for (std::size_t d = 0; d < 3; ++d) sums[3 + d] += x[(d + 1) % 3] * f[(d + 2) % 3] - x[(d + 2) % 3] * f[(d + 1) % 3];
        const double force = std::hypot(f[0], f[1], f[2]);
        sums[6] += force, sums[7] += force * std::hypot(x[0], x[1], x[2]);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return {std::hypot(sums[0], sums[1], sums[2]) / sums[6], std::hypot(sums[3], sums[4], sums[5]) / sums[7]};
}

TEST(Conservation, OfTheResults) {
    const BodyArrays mine = part_of(plummer(5000));
    for (const auto& [theta, force, torque] : {std::array{0.0, 1e-15, 1e-15}, {0.5, 3e-6, 6e-7}, {1.0, 2e-5, 4e-5}}) {
        Solver solver(MPI_COMM_WORLD, {.theta = theta, .order = 2, .G = 3.0});
        Result result(mine.size());
        solver.solve(mine.points(), result.fields());
        const Net net = net_of(mine, result);
        const Report& report = solver.report();
        ASSERT_TRUE(report.net_force && report.net_torque);
        EXPECT_NEAR(*report.net_force, net.force, 1e-15) << theta;
        EXPECT_NEAR(*report.net_torque, net.torque, 1e-13) << theta;
        EXPECT_LT(*report.net_force, force) << theta;
        EXPECT_LT(*report.net_torque, torque) << theta;
        if (theta > 0.0) {
            EXPECT_GT(*report.net_force, 1e-9) << theta;
        }
        EXPECT_NE(to_string(report).find("net force"), std::string::npos);
    }
}

TEST(Conservation, AnyNumberOfRanks) {
    const BodyArrays all = plummer(5000), mine = part_of(all);
    const Options options{.theta = 0.6, .order = 4};
    Solver together(MPI_COMM_WORLD, options), alone(MPI_COMM_SELF, options);
    Result result(mine.size()), of_all(all.size());
    together.solve(mine.points(), result.fields());
    alone.solve(all.points(), of_all.fields());
    // Ranks make other groups: the tree's errors are others, of the same size.
    EXPECT_LT(*together.report().net_force, 3.0 * *alone.report().net_force + 2e-8);
    EXPECT_LT(*together.report().net_torque, 3.0 * *alone.report().net_torque + 2e-8);
}

TEST(Conservation, TwoBodies) {
    BodyArrays points;
    if (world_rank() == 0) points.add_point(1.0, 2.0, 3.0, 2.0);
    if (world_rank() == world_size() - 1) points.add_point(1.5, 2.5, 2.0, 3.0);
    Solver solver(MPI_COMM_WORLD, {});
    Result result(points.size());
    solver.solve(points.points(), result.fields());
    EXPECT_LT(solver.report().net_force.value(), 1e-15);
    EXPECT_LT(solver.report().net_torque.value(), 1e-15);
}

TEST(Conservation, NotGiven) {
    const BodyArrays mine = part_of(random_mesh(4, 3));
    Result result(mine.size());
    const auto given = [&](const Options& options, const Cells& cells, const Fields& fields) {
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(cells, fields);
        EXPECT_EQ(solver.report().net_force.has_value(), solver.report().net_torque.has_value());
        return solver.report().net_force.has_value();
    };
    for (const double theta : {0.0, 0.7}) {
        const Options options{.theta = theta, .order = 2};
        EXPECT_TRUE(given(options, mine.cells(), result.fields()));
        EXPECT_FALSE(given(options, mine.cells(), result.potential_only()));
        std::vector<std::uint8_t> active(mine.size(), 1);
        if (world_rank() == world_size() - 1) active.back() = 0;
        Cells some = mine.cells();
        some.active = active;
        EXPECT_FALSE(given(options, some, result.fields()));
        Options periodic = options;
        periodic.boundary[1] = Boundary::periodic;
        periodic.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
        EXPECT_FALSE(given(periodic, mine.cells(), result.fields()));
    }
}

}  // namespace
}  // namespace gravlet::test
