// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/problem.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace gravlet {
namespace {

double sum(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

double total_mass(const Problem& problem) {
    double mass = 0.0;
    for (const double m : problem.points.mass) mass += m;
    const std::size_t cells = problem.blocks.cells_per_block();
    for (std::size_t b = 0; b < problem.blocks.size(); ++b)
        for (std::size_t i = 0; i < cells; ++i) mass += problem.blocks.density[b * cells + i] * problem.blocks.cell_volume(b);
    return sum(mass);
}

TEST(Problems, MaclaurinMesh) {
    const Problem level5 = make_problem(MPI_COMM_WORLD, MaclaurinProblem{.max_level = 5});
    const Problem level6 = make_problem(MPI_COMM_WORLD, MaclaurinProblem{.max_level = 6, .subsamples = 1});
    EXPECT_EQ(level5.rows.total, 1352);
    EXPECT_EQ(level6.rows.total, 4264);
    const double mass = 4.0 / 3.0 * std::numbers::pi * 0.25 * 0.25 * 0.25 * std::sqrt(1.0 - 0.9 * 0.9);
    EXPECT_NEAR(total_mass(level5), mass, 2e-4 * mass);
    EXPECT_NEAR(total_mass(level6), mass, 1e-3 * mass);
    EXPECT_EQ(level5.kind, "maclaurin");
    ASSERT_TRUE(level5.potential);
    EXPECT_NEAR(level5.potential({100.5, 0.5, 0.5}), -mass / 100.0, 1e-5 * mass);
}

TEST(Problems, MaclaurinMeshOfDesign) {
    const Problem level7 = make_problem(MPI_COMM_WORLD, MaclaurinProblem{.max_level = 7, .subsamples = 1});
    EXPECT_EQ(level7.rows.total, 15072);
}

TEST(Problems, CubeHasItsExactMass) {
    EXPECT_NEAR(total_mass(make_problem(MPI_COMM_WORLD, CubeProblem{.max_level = 4})), 0.125, 1e-14);
    const CubeProblem odd{.side = 0.3, .max_level = 5, .center = {0.41, 0.5, 0.62}};
    EXPECT_NEAR(total_mass(make_problem(MPI_COMM_WORLD, odd)), 0.027, 1e-14);
}

TEST(Problems, TophatFillsTheBox) {
    const TophatProblem spec{.radius = 0.3, .min_level = 3, .max_level = 5};
    const Problem problem = make_problem(MPI_COMM_WORLD, spec);
    const double mass = 0.01 + 0.99 * 4.0 / 3.0 * std::numbers::pi * 0.027;
    EXPECT_NEAR(total_mass(problem), mass, 2e-4 * mass);
    for (const int level : problem.blocks.level) EXPECT_GE(level, 3);
    EXPECT_NEAR(problem.potential({0.5, 50.5, 0.5}), -mass / 50.0, 1e-5 * mass);
}

TEST(Problems, CornerGivesEveryLevelTheSameMass) {
    for (const int max_level : {1, 2, 5, 18}) {
        const Problem problem = make_problem(MPI_COMM_WORLD, CornerProblem{.max_level = max_level});
        EXPECT_EQ(problem.rows.total, 7 * (max_level - 1) + 1);
        EXPECT_NEAR(total_mass(problem), 1.0, 1e-10);
    }
}

TEST(Problems, PointsAreTheSameAtAnyNumberOfRanks) {
    for (const ProblemSpec& spec : {ProblemSpec(UniformPointsProblem{.n = 3001}), ProblemSpec(PlummerProblem{.n = 3001}),
                                    ProblemSpec(HernquistProblem{.n = 3001, .distribution = Distribution::scatter})}) {
        const Problem shared = make_problem(MPI_COMM_WORLD, spec);
        const Problem alone = make_problem(MPI_COMM_SELF, spec);
        std::set<Position> all;
        for (std::size_t i = 0; i < alone.targets(); ++i) all.insert(alone.target(i));
        EXPECT_EQ(all.size(), 3001U);
        for (std::size_t i = 0; i < shared.targets(); ++i) EXPECT_TRUE(all.contains(shared.target(i)));
        EXPECT_EQ(sum(static_cast<double>(shared.targets())), 3001.0);
        EXPECT_NEAR(total_mass(shared), 1.0, 1e-12);
    }
}

TEST(Problems, PointsFollowTheirDistribution) {
    const auto half_mass_radius = [](const ProblemSpec& spec) {
        const Problem problem = make_problem(MPI_COMM_SELF, spec);
        std::vector<double> radius;
        for (std::size_t i = 0; i < problem.targets(); ++i) {
            const Position p = problem.target(i);
            radius.push_back(std::hypot(p[0], p[1], p[2]));
        }
        std::nth_element(radius.begin(), radius.begin() + 10000, radius.end());
        return radius[10000];
    };
    EXPECT_NEAR(half_mass_radius(UniformPointsProblem{.n = 20000}), std::cbrt(0.5), 0.01);
    EXPECT_NEAR(half_mass_radius(PlummerProblem{.n = 20000}), 1.305, 0.04);
    EXPECT_NEAR(half_mass_radius(HernquistProblem{.n = 20000}), 1.0 + std::numbers::sqrt2, 0.1);
}

TEST(Problems, CurvePiecesAreEvenAndCompact) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Problem problem = make_problem(MPI_COMM_WORLD, UniformPointsProblem{.n = 30000, .shape = PointShape::cube});
    const double even = 30000.0 / ranks;
    EXPECT_NEAR(static_cast<double>(problem.targets()), even, 0.15 * even);
    if (ranks == 1) return;
    // Two octants, or a few: well below the cube's volume of 8 for one rank of two.
    const auto [low, high] = std::minmax_element(problem.points.z.begin(), problem.points.z.end());
    const double mine = *high - *low;
    double least = mine;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    EXPECT_LT(least, 1.2);
}

TEST(Problems, OutOfRange) {
    const auto refused = [](const ProblemSpec& spec) {
        try {
            (void)make_problem(MPI_COMM_WORLD, spec);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(refused(MaclaurinProblem{.eccentricity = 1.5}).find("problem.eccentricity is 1.5"), std::string::npos);
    EXPECT_NE(refused(MaclaurinProblem{.max_level = 40}).find("problem.max_level is 40"), std::string::npos);
    EXPECT_NE(refused(MaclaurinProblem{.a1 = 0.7}).find("problem.a1 is 0.7"), std::string::npos);
    EXPECT_NE(refused(TophatProblem{.min_level = 9}).find("problem.min_level"), std::string::npos);
    EXPECT_NE(refused(PlummerProblem{.n = -1}).find("problem.n"), std::string::npos);
}

TEST(Problems, NoPoints) { EXPECT_EQ(make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 0}).targets(), 0U); }

}  // namespace
}  // namespace gravlet
