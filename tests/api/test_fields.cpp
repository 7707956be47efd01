// SPDX-License-Identifier: Apache-2.0
// What the fields mean: signs, G, self term, gradient, momentum, masses of zero, units, very deep meshes.
#include "tests/api/problems.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

Result solve(const BodyArrays& mesh, const Options& options) {
    Result result(mesh.size());
    Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), result.fields());
    return result;
}

// By fourth-order differences over h between points without mass. Those over a tree's potentials, right to 1e-6, need a wide h.
void expect_acceleration_is_minus_gradient(const Options& options, double h, double tolerance) {
    const BodyArrays mesh = part_of(random_mesh(1, 3)), centres = random_points(2, 40);
    const std::array<double, 4> steps = {-2 * h, -h, h, 2 * h}, weights = {1, -8, 8, -1};
    BodyArrays probes;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        std::array<double, 3> p = {centres.x[i], centres.y[i], centres.z[i]};
        probes.add_point(p[0], p[1], p[2], 0.0);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const double step : steps) {
                auto q = p;
                q[axis] += step;
                probes.add_point(q[0], q[1], q[2], 0.0);
            }
        }
    }
    Result cells(mesh.size()), got(probes.size());
    Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), cells.fields(), probes.points(), got.fields());
    for (std::size_t i = 0; i < centres.size(); ++i) {
        double difference2 = 0.0, norm2 = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double gradient = 0.0;
            for (std::size_t s = 0; s < 4; ++s) gradient += weights[s] * got.potential[13 * i + 1 + 4 * axis + s] / (12.0 * h);
            const double acceleration = got.acceleration[axis][13 * i];
            difference2 += std::pow(acceleration + gradient, 2);
            norm2 += acceleration * acceleration;
        }
        EXPECT_LE(std::sqrt(difference2 / norm2), tolerance);
    }
}

TEST(Fields, AccelerationIsMinusGradient) {
    expect_acceleration_is_minus_gradient({.theta = 0.0}, 2e-4, 1e-8);
    expect_acceleration_is_minus_gradient({.theta = 0.4, .order = 4}, 2e-3, 5e-4);
}

TEST(Fields, MomentumIsConserved) {
    const BodyArrays mesh = part_of(random_mesh(3, 4));
    for (const Options& options : {Options{.theta = 0.0}, Options{.theta = 0.5, .order = 2}, Options{}}) {
        const Result result = solve(mesh, options);
        std::array<double, 4> sums{};  // m a, and m |a|
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            double norm2 = 0.0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                sums[axis] += mesh.mass[i] * result.acceleration[axis][i];
                norm2 += std::pow(result.acceleration[axis][i], 2);
            }
            sums[3] += mesh.mass[i] * std::sqrt(norm2);
        }
        MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_GT(sums[3], 0.0);
        EXPECT_LE(std::hypot(sums[0], sums[1], sums[2]) / sums[3], options.theta == 0.0 ? 1.5e-15 : 3e-5);
    }
}

TEST(Fields, OnlyWhatIsWanted) {
    const BodyArrays all = random_mesh(3, 7), mesh = part_of(all);
    const Options options{.theta = 0.5, .order = 2};
    Solver solver(MPI_COMM_WORLD, options);
    Result both(mesh.size()), potential(mesh.size()), acceleration(mesh.size());
    solver.solve(mesh.cells(), both.fields());
    solver.solve(mesh.cells(), potential.potential_only());
    Fields only = acceleration.fields();
    only.potential = {};
    solver.solve(mesh.cells(), only);
    solver.solve(mesh.cells(), {});
    // Local expansions are used more freely for potentials alone: their errors differ, if not by much.
    const Result reference = Naive(all, {}, options, 10).cells;
    const Errors error = potential_errors(potential, reference, mesh.index);
    EXPECT_LE(error.rms, 2.0 * potential_errors(both, reference, mesh.index).rms);
    EXPECT_LE(potential_errors(potential, both).rms, 2.0 * error.rms);
    EXPECT_EQ(potential.acceleration, Result(mesh.size()).acceleration);
    EXPECT_LE(acceleration_errors(acceleration, both).max, 1e-6);
    EXPECT_EQ(acceleration.potential, Result(mesh.size()).potential);
}

TEST(Fields, CellsWithoutMassAreTargetsOnly) {
    BodyArrays mesh = random_mesh(4, 3), massive;
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        if (mesh.mass[i] > 0.0) massive.add_cell(mesh.x[i], mesh.y[i], mesh.z[i], mesh.dx[i], mesh.mass[i]);
    }
    const BodyArrays all = part_of(mesh), heavy = part_of(massive);
    const Options options{.theta = 0.4, .order = 4};
    Solver solver(MPI_COMM_WORLD, options);
    Result with(all.size()), without(heavy.size());
    solver.solve(all.cells(), with.fields());
    EXPECT_EQ(solver.report().targets, static_cast<std::int64_t>(mesh.size()));
    EXPECT_EQ(solver.report().sources, static_cast<std::int64_t>(massive.size()));
    solver.solve(heavy.cells(), without.fields());
    EXPECT_LE(potential_errors(with, Naive(mesh, {}, options).cells, all.index).max, 1.4e-6);
    EXPECT_LE(potential_errors(without, Naive(massive, {}, options).cells, heavy.index).max, 1.3e-6);
}

TEST(Fields, WithoutAnyMassPotentialsAreZero) {
    BodyArrays mesh = part_of(random_mesh(4, 2));
    std::ranges::fill(mesh.mass, 0.0);
    for (const double theta : {0.0, 0.5}) {
        const Result result = solve(mesh, {.theta = theta});
        EXPECT_EQ(result, Result::zeros(mesh.size()));
        EXPECT_TRUE(std::ranges::none_of(result.potential, [](double p) { return std::signbit(p); })) << theta;
    }
}

TEST(Fields, OneCellAloneHasItsSelfTerm) {
    BodyArrays cell;
    cell.add_cell(0.3, 0.4, 0.5, 0.25, 3.0);
    const BodyArrays mine = part_of(cell);
    for (const double theta : {0.0, 0.5}) {
        const Result with = solve(mine, {.theta = theta, .G = 2.0});
        const Result without = solve(mine, {.theta = theta, .G = 2.0, .self_potential = false});
        EXPECT_EQ(without, Result::zeros(mine.size()));
        for (std::size_t i = 0; i < mine.size(); ++i) {
            EXPECT_DOUBLE_EQ(with.potential[i], -6.0 * cube_constant / 0.25);
            EXPECT_EQ(with.acceleration[2][i], 0.0);
        }
    }
}

TEST(Fields, SelfTermOfACuboid) {
    BodyArrays cell;
    cell.add_cell(10.0, 20.0, 30.0, 1.0, 5.0);
    cell.dy = {2.0};
    cell.dz = {3.0};
    const BodyArrays mine = part_of(cell);
    const Result result = solve(mine, {});
    // tests/unit/physics/cuboid/test_cuboid.cpp checks this closed form by numerical integration.
    for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_NEAR(result.potential[i], -5.0 * 1.1924687040741937, 4.4e-15);
}

TEST(Fields, FlatCells) {
    BodyArrays mesh;
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 8; ++j) {
            for (int i = 0; i < 16; ++i) {
                mesh.add_cell(0.25 * (i + 0.5), 0.125 * (j + 0.5), 0.0625 * (k + 0.5), 0.25, uniform(random));
                mesh.dy.push_back(0.125);
                mesh.dz.push_back(0.0625);
            }
        }
    }
    const BodyArrays mine = part_of(mesh);
    const Options options{.theta = 0.4, .order = 4, .self_potential = false};
    const Result result = solve(mine, options);
    const Naive naive(mesh, {}, options);
    EXPECT_LE(potential_errors(result, naive.cells, mine.index).max, 1.6e-6);
    EXPECT_LE(acceleration_errors(result, naive.cells, mine.index).rms, 9e-7);
}

TEST(Fields, ScaleWithG) {
    const BodyArrays mesh = part_of(random_mesh(6, 3));
    for (const double theta : {0.0, 0.5}) {
        const Result one = solve(mesh, {.theta = theta}), small = solve(mesh, {.theta = theta, .G = 6.67408e-8});
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            ASSERT_NEAR(small.potential[i] / one.potential[i], 6.67408e-8, 6.6e-23);
            for (const auto& [a, b] : {std::pair(small.acceleration[0][i], one.acceleration[0][i])}) {
                ASSERT_DOUBLE_EQ(a, 6.67408e-8 * b);
            }
        }
    }
}

// Units of cgs and of galaxies, far from the origin as well.
TEST(Fields, AnyUnits) {
    const BodyArrays unit = random_mesh(7, 3);
    const Naive naive(unit, {}, {});
    for (const auto& [length, mass, shift] :
         {std::array{3e24, 2e43, 0.0}, std::array{1e-12, 1e-30, 0.0}, std::array{1.0, 1.0, 1000.0}}) {
        BodyArrays mesh = part_of(unit);
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            mesh.x[i] = length * (mesh.x[i] + shift);
            mesh.y[i] = length * (mesh.y[i] - shift);
            mesh.z[i] *= length;
            mesh.dx[i] *= length;
            mesh.mass[i] *= mass;
        }
        Result result = solve(mesh, {.theta = 0.4, .order = 4});
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            result.potential[i] *= length / mass;
            for (auto& component : result.acceleration) component[i] *= length * length / mass;
        }
        EXPECT_LE(potential_errors(result, naive.cells, mesh.index).max, 2e-6) << length;
        EXPECT_LE(acceleration_errors(result, naive.cells, mesh.index).rms, 5.7e-7) << length;
    }
}

// Meshes refined to one corner, 2^17 and 2^20 cells across, against one of 2^7.
struct CornerErrors {
    Errors potential, acceleration;
};

CornerErrors corner_errors(int levels, bool equal_mass_a_level) {
    BodyArrays mesh = bodies_of(CornerProblem{.max_level = levels - 2});
    if (!equal_mass_a_level) {
        for (std::size_t i = 0; i < mesh.size(); ++i) mesh.mass[i] = std::pow(mesh.dx[i], 3);
    }
    const BodyArrays mine = part_of(mesh);
    const Result result = solve(mine, {.theta = 0.5, .order = 2, .threads = 1});
    const Naive naive(mesh, {}, {}, 1 + mesh.size() / 2000);
    const CornerErrors out{potential_errors(result, naive.cells, mine.index),
                           acceleration_errors(result, naive.cells, mine.index)};
    return out;
}

TEST(Fields, DeepMeshesAreAsAccurateAsShallowOnes) {
    const CornerErrors shallow = corner_errors(7, false);
    for (const int levels : {17, 20}) {
        const CornerErrors deep = corner_errors(levels, false);
        EXPECT_LE(deep.potential.rms, 1.3 * shallow.potential.rms + 1e-7) << levels;
        // Most cells of the shallow mesh have only wide-opened nodes around them, which shows in forces (1.8 times here).
        EXPECT_LE(deep.acceleration.rms, 2.0 * shallow.acceleration.rms + 1e-6) << levels;
    }
}

// The hardest case: as much mass on each level as on any other, so that only its own surroundings matter to a cell, and heavy
// nodes are at every depth (measured with 18 levels: 3.6e-6 and 7.5e-5; with 7: 1.8e-6 and 5.3e-5).
TEST(Fields, DepthAloneCostsNothing) {
    const CornerErrors deep = corner_errors(17, true), deeper = corner_errors(20, true);
    EXPECT_LE(deeper.potential.rms, 1.3 * deep.potential.rms);
    EXPECT_LE(deeper.acceleration.rms, 1.3 * deep.acceleration.rms);
    EXPECT_LE(deeper.potential.rms, 8e-6);
    EXPECT_LE(deeper.acceleration.rms, 1.6e-4);
}

}  // namespace
}  // namespace gravlet::test
