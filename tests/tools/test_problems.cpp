// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/gadget_file.hpp"
#include "tools/problems/bisect.hpp"
#include "tools/problems/distribute.hpp"
#include "tools/problems/problem.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
    EXPECT_NEAR(level5.potential({100.5, 0.5, 0.5}), -mass / 100.0, 1.5e-8 * mass);
}

TEST(Problems, MaclaurinMeshOfDesign) {
    const Problem level7 = make_problem(MPI_COMM_WORLD, MaclaurinProblem{.max_level = 7, .subsamples = 1});
    EXPECT_EQ(level7.rows.total, 15072);
}

TEST(Problems, AllGoesWithItsPoints) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string file = std::filesystem::temp_directory_path() / ("gravlet_all_" + std::to_string(ranks) + ".h5");
    PointSet points;
    for (int i = 0; i < 50; ++i) {
        const double at = (i * 7 % 50) + 0.125 * rank;  // in no order, so that every rank sends to every other
        points.x.push_back(at);
        points.y.push_back(2.0 * at);
        points.z.push_back(3.0 * at);
        points.mass.push_back(4.0 * at);
        points.softening.push_back(5.0 * at);
        for (std::size_t d = 0; d < 3; ++d) points.velocity[d].push_back(static_cast<double>(6 + d) * at);
        points.id.push_back(static_cast<std::uint64_t>(8.0 * at));
    }
    write_points(MPI_COMM_WORLD, file, points, {});
    const Problem problem = make_problem(MPI_COMM_WORLD, PointsFileProblem{.path = file, .velocities = true});
    const PointSet& got = problem.points;
    EXPECT_EQ(sum(static_cast<double>(got.size())), 50.0 * ranks);
    EXPECT_EQ(total_mass(problem), sum(4.0 * (1225.0 + 50.0 * 0.125 * rank)));
    ASSERT_EQ(got.softening.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ((std::array{got.y[i], got.z[i], got.mass[i], got.softening[i]}),
                  (std::array{2.0 * got.x[i], 3.0 * got.x[i], 4.0 * got.x[i], 5.0 * got.x[i]}));
    ASSERT_EQ(got.id.size(), got.size());
    for (std::size_t d = 0; d < 3; ++d) ASSERT_EQ(got.velocity[d].size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ((std::array{got.velocity[0][i], got.velocity[1][i], got.velocity[2][i]}),
                  (std::array{6.0 * got.x[i], 7.0 * got.x[i], 8.0 * got.x[i]}));
        EXPECT_EQ(static_cast<double>(got.id[i]), 8.0 * got.x[i]);
    }
    const Problem at_rest = make_problem(MPI_COMM_WORLD, PointsFileProblem{.path = file});
    EXPECT_TRUE(at_rest.points.velocity[0].empty() && at_rest.points.id.empty());
    if (rank == 0) std::filesystem::remove(file);
}

TEST(Problems, SnapshotsAreReadAndDistributed) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string file = std::filesystem::temp_directory_path() / ("gravlet_snapshot_" + std::to_string(ranks) + ".hdf5");
    Snapshot snapshot;
    PointSet& points = snapshot.points;
    for (int i = 0; i < 30; ++i) {
        const double at = 100.0 * rank + i;
        points.x.push_back(at), points.y.push_back(2.0 * at), points.z.push_back(-at), points.mass.push_back(1.0 + at);
        for (std::size_t d = 0; d < 3; ++d) points.velocity[d].push_back(at + static_cast<double>(d));
        points.id.push_back(static_cast<std::uint64_t>(at));
    }
    write_snapshot(MPI_COMM_WORLD, file, snapshot);
    const Problem problem = make_problem(MPI_COMM_WORLD, SnapshotProblem{.path = file, .velocities = true});
    const PointSet& got = problem.points;
    EXPECT_EQ(problem.kind, "snapshot");
    EXPECT_FALSE(problem.domain.has_value());
    EXPECT_EQ(sum(static_cast<double>(got.size())), 30.0 * ranks);
    EXPECT_EQ(total_mass(problem), sum(30.0 * (1.0 + 100.0 * rank) + 435.0));
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ((std::array{got.y[i], got.z[i], got.mass[i], got.velocity[2][i], static_cast<double>(got.id[i])}),
                  (std::array{2.0 * got.x[i], -got.x[i], 1.0 + got.x[i], got.x[i] + 2.0, got.x[i]}));
    const Problem at_rest = make_problem(MPI_COMM_WORLD, SnapshotProblem{.path = file});
    EXPECT_TRUE(at_rest.points.velocity[0].empty() && at_rest.points.id.empty());
    if (rank == 0) std::filesystem::remove(file);
}

// Said by the key that asks for it, and before anything of that size is made.
TEST(Problems, MoreThanTheMachineHas) {
    const auto refusal = [](const ProblemSpec& spec) -> std::string {
        try {
            (void)make_problem(MPI_COMM_WORLD, spec);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            return error.what();
        }
        return "accepted";
    };
    const auto expect = [&](const ProblemSpec& spec, const std::string& key) {
        const std::string text = refusal(spec);
        EXPECT_TRUE(text.starts_with("problem." + key + ": that takes ") &&
                    text.find(" GB a rank, this machine has ") != text.npos)
            << text;
    };
    expect(UniformPointsProblem{.n = 1000000000000}, "n is 1000000000000");
    expect(UniformPointsProblem{.n = 1000000000000000000}, "n is 1000000000000000000");
    expect(PlummerProblem{.n = std::numeric_limits<std::int64_t>::max()}, "n is 9223372036854775807");
    expect(HernquistProblem{.n = 1000000000000, .distribution = Distribution::scatter}, "n is 1000000000000");
    expect(TophatProblem{.min_level = 12, .max_level = 12}, "min_level is 12");
    expect(CollapseMeshProblem{.min_level = 12, .max_level = 12}, "min_level is 12");
    expect(SineWaveProblem{.min_level = 12, .max_level = 12}, "min_level is 12");
    expect(Sech2LayerProblem{.min_level = 12, .max_level = 12}, "min_level is 12");
    expect(OstrikerCylinderProblem{.min_level = 12, .max_level = 12}, "min_level is 12");
}

TEST(Problems, CubeHasItsExactMass) {
    EXPECT_DOUBLE_EQ(total_mass(make_problem(MPI_COMM_WORLD, CubeProblem{.max_level = 4})), 0.125);
    const CubeProblem odd{.side = 0.3, .max_level = 5, .centre = {0.41, 0.5, 0.62}};
    EXPECT_NEAR(total_mass(make_problem(MPI_COMM_WORLD, odd)), 0.027, 4.7e-15);
}

TEST(Problems, TophatFillsTheBox) {
    const TophatProblem spec{.radius = 0.3, .min_level = 3, .max_level = 5};
    const Problem problem = make_problem(MPI_COMM_WORLD, spec);
    const double mass = 0.01 + 0.99 * 4.0 / 3.0 * std::numbers::pi * 0.027;
    EXPECT_NEAR(total_mass(problem), mass, 5e-5 * mass);
    for (const int level : problem.blocks.level) EXPECT_GE(level, 3);
    EXPECT_NEAR(problem.potential({0.5, 50.5, 0.5}), -mass / 50.0, 1.1e-11 * mass);
}

// The box stays where it is when the sphere is not in its middle.
TEST(Problems, TophatAnywhereInTheBox) {
    const Problem problem = make_problem(MPI_COMM_WORLD, TophatProblem{.radius = 0.2, .max_level = 4, .centre = {0.3, 0.4, 0.7}});
    const double medium = 0.01, excess = 0.99 * 4.0 / 3.0 * std::numbers::pi * 0.008;
    const Array3 p{0.5, 0.5, 20.5};
    const double away = std::sqrt(0.04 + 0.01 + 19.8 * 19.8);
    EXPECT_NEAR(problem.potential(p), -medium / 20.0 - excess / away, 6e-10);
}

// Leaves' cells are as small as their densest one asks for, and the cores reach the finest level.
TEST(Problems, CollapseMeshIsRefinedWhereItIsDense) {
    const CollapseMeshProblem spec{.cores = 5, .max_level = 7};
    const Problem problem = make_problem(MPI_COMM_WORLD, spec);
    const BlockSet& blocks = problem.blocks;
    const double sound_speed2 = 2.0 * std::numbers::pi * spec.core_radius * spec.core_radius;
    double finest = 0.0, densest = 0.0;
    const std::size_t cells = blocks.cells_per_block();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        EXPECT_GE(blocks.level[b], spec.min_level);
        finest += blocks.level[b] == spec.max_level ? 1.0 : 0.0;
        double density = 0.0;
        for (std::size_t i = 0; i < cells; ++i) density = std::max(density, blocks.density[b * cells + i]);
        densest = std::max(densest, density);
        if (blocks.level[b] == spec.max_level) continue;
        EXPECT_LE(spec.jeans_cells * blocks.cell_size(b)[0], std::sqrt(std::numbers::pi * sound_speed2 / density));
    }
    EXPECT_GE(sum(finest), 8.0 * spec.cores);
    // Eight of them would be the fewest that hold a middle; the mesh is a few times that, not all of the box.
    EXPECT_LE(sum(finest), 110.0 * spec.cores);
    const double share = spec.jeans_cells / (8.0 * 64.0) / (std::numbers::sqrt2 * std::numbers::pi * spec.core_radius);
    EXPECT_LE(densest, 2.0 / (share * share));
    const double core = 4.0 * std::numbers::pi * std::pow(spec.core_radius, 3) * (1.0 - share * std::atan(1.0 / share));
    const double mass = 0.01 + 0.99 * 4.0 / 3.0 * std::numbers::pi * std::pow(spec.radius, 3) + spec.cores * core;
    EXPECT_NEAR(total_mass(problem), mass, 1e-4 * mass);
    EXPECT_NEAR(problem.potential({0.5, 50.5, 0.5}), -mass / 50.0, 1e-6 * mass);
    const Problem other = make_problem(MPI_COMM_WORLD, CollapseMeshProblem{.cores = 5, .max_level = 7, .seed = 2});
    EXPECT_NE(problem.potential({0.4, 0.5, 0.6}), other.potential({0.4, 0.5, 0.6}));
}

TEST(Problems, CornerGivesEveryLevelTheSameMass) {
    for (const int max_level : {1, 2, 5, 18}) {
        const Problem problem = make_problem(MPI_COMM_WORLD, CornerProblem{.max_level = max_level});
        EXPECT_EQ(problem.rows.total, 7 * (max_level - 1) + 1);
        EXPECT_NEAR(total_mass(problem), 1.0, 4e-12);
    }
}

// Of all cells: how far the density is off 1/(4 pi) times the Laplacian of the closed form at the cell's centre.
double worst_poisson_error(const Problem& problem, double mean_density) {
    const BlockSet& blocks = problem.blocks;
    const double h = 1e-3;
    double worst = 0.0;
    for (std::size_t b = 0; b < blocks.size(); b += 7)
        for (std::size_t i = 0; i < blocks.cells_per_block(); i += 5) {
            const Array3 centre = blocks.cell_centre(b, i);
            double laplacian = 0.0;
            for (std::size_t d = 0; d < 3; ++d)
                for (const double step : {-h, h}) {
                    Array3 p = centre;
                    p[d] += step;
                    laplacian += (problem.potential(p) - problem.potential(centre)) / (h * h);
                }
            const double density = blocks.density[b * blocks.cells_per_block() + i] - mean_density;
            worst = std::max(worst, std::abs(density - laplacian / (4.0 * std::numbers::pi)));
        }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

void expect_unit_box(const Problem& problem) {
    ASSERT_TRUE(problem.domain);
    EXPECT_EQ(problem.domain->lower, (Array3{0.0, 0.0, 0.0}));
    EXPECT_EQ(problem.domain->upper, (Array3{1.0, 1.0, 1.0}));
}

std::pair<int, int> levels(const Problem& problem) {
    int least = 100;
    int most = 0;
    for (const int level : problem.blocks.level) least = std::min(least, level), most = std::max(most, level);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return {least, most};
}

constexpr Boundary isolated = Boundary::isolated;
constexpr Boundary periodic = Boundary::periodic;

TEST(Problems, SineWave) {
    const Problem uniform = make_problem(MPI_COMM_WORLD, SineWaveProblem{.mean_density = 2.0});
    EXPECT_EQ(uniform.rows.total, 512);
    EXPECT_NEAR(total_mass(uniform), 2.0, 2e-14);
    EXPECT_LT(worst_poisson_error(uniform, 2.0), 1e-3);
    EXPECT_EQ(uniform.boundary, (std::array{periodic, periodic, periodic}));
    expect_unit_box(uniform);

    const Problem refined =
        make_problem(MPI_COMM_WORLD, SineWaveProblem{.wave_vector = {1, 2, 1}, .min_level = 3, .max_level = 5, .radius = 0.2});
    EXPECT_EQ(levels(refined), std::pair(3, 5));
    EXPECT_NEAR(total_mass(refined), 1.0, 2.3e-13);
    EXPECT_LT(worst_poisson_error(refined, 1.0), 0.014);
}

TEST(Problems, Sech2Layer) {
    const Problem problem = make_problem(MPI_COMM_WORLD, Sech2LayerProblem{});
    EXPECT_EQ(problem.rows.total, 1408);
    EXPECT_EQ(levels(problem), std::pair(4, 5));
    const double mass = 0.1 * std::tanh(7.5);
    EXPECT_NEAR(total_mass(problem), mass, 3.6e-12 * mass);
    EXPECT_LT(worst_poisson_error(problem, 0.0), 5e-3);
    EXPECT_EQ(problem.boundary, (std::array{periodic, periodic, isolated}));
    EXPECT_DOUBLE_EQ(problem.potential({0.3, 0.1, 1.0}), std::numbers::pi * mass);
    expect_unit_box(problem);
}

TEST(Problems, OstrikerCylinder) {
    const Problem problem = make_problem(MPI_COMM_WORLD, OstrikerCylinderProblem{});
    EXPECT_LT(problem.rows.total * 512, 2000000);
    EXPECT_EQ(levels(problem), std::pair(4, 6));
    const double mass = std::numbers::pi * 0.0025 * 64.0 / 65.0;
    EXPECT_NEAR(total_mass(problem), mass, 4e-5 * mass);
    EXPECT_LT(worst_poisson_error(problem, 0.0), 5e-3);
    EXPECT_EQ(problem.boundary, (std::array{periodic, isolated, isolated}));
    EXPECT_DOUBLE_EQ(problem.potential({0.3, 0.5, 10.5}), 2.0 * mass * std::log(10.0));
    expect_unit_box(problem);
}

TEST(Problems, LatticeFillsTheBox) {
    const Problem one = make_problem(MPI_COMM_WORLD, LatticeProblem{.n = 1});
    EXPECT_EQ(sum(static_cast<double>(one.targets())), 1.0);
    for (std::size_t i = 0; i < one.targets(); ++i) EXPECT_EQ(one.target(i), (Array3{0.5, 0.5, 0.5}));
    EXPECT_NEAR(one.potential({0.5, 0.5, 0.5}), 2.8372974794806, 5.7e-14);

    const Problem problem = make_problem(MPI_COMM_WORLD, LatticeProblem{.n = 4});
    EXPECT_EQ(sum(static_cast<double>(problem.targets())), 64.0);
    EXPECT_DOUBLE_EQ(total_mass(problem), 1.0);
    for (std::size_t i = 0; i < problem.targets(); ++i)
        for (const double x : problem.target(i)) EXPECT_EQ(std::fmod(x, 0.25), 0.125);
    EXPECT_NEAR(problem.potential(Array3{}), 2.8372974794806 / 16.0, 3.5e-15);
    EXPECT_EQ(problem.boundary, (std::array{periodic, periodic, periodic}));
    EXPECT_FALSE(problem.acceleration);
    expect_unit_box(problem);
}

TEST(Problems, DomainOfPoints) {
    EXPECT_FALSE(make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 10}).domain);
    const Box box{{-9.0, -9.0, -9.0}, {9.0, 9.0, 8.0}};
    const Problem problem = make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 10, .domain = box});
    ASSERT_TRUE(problem.domain);
    EXPECT_EQ(problem.domain->upper, box.upper);
    EXPECT_EQ(problem.boundary, (std::array{isolated, isolated, isolated}));
}

TEST(Problems, PointsAreTheSameAtAnyNumberOfRanks) {
    for (const ProblemSpec& spec : {ProblemSpec(UniformPointsProblem{.n = 3001}), ProblemSpec(PlummerProblem{.n = 3001}),
                                    ProblemSpec(NfwProblem{.n = 3001}), ProblemSpec(DiscProblem{.n = 3001}),
                                    ProblemSpec(HernquistProblem{.n = 3001, .distribution = Distribution::scatter})}) {
        const Problem shared = make_problem(MPI_COMM_WORLD, spec);
        const Problem alone = make_problem(MPI_COMM_SELF, spec);
        std::set<Array3> all;
        for (std::size_t i = 0; i < alone.targets(); ++i) all.insert(alone.target(i));
        EXPECT_EQ(all.size(), 3001U);
        for (std::size_t i = 0; i < shared.targets(); ++i) EXPECT_TRUE(all.contains(shared.target(i)));
        EXPECT_EQ(sum(static_cast<double>(shared.targets())), 3001.0);
        EXPECT_NEAR(total_mass(shared), 1.0, 4.8e-14);
    }
}

TEST(Problems, PointsFollowTheirDistribution) {
    const auto half_mass_radius = [](const ProblemSpec& spec) {
        const Problem problem = make_problem(MPI_COMM_SELF, spec);
        std::vector<double> radius;
        for (std::size_t i = 0; i < problem.targets(); ++i) {
            const Array3 p = problem.target(i);
            radius.push_back(std::hypot(p[0], p[1], p[2]));
        }
        std::nth_element(radius.begin(), radius.begin() + 10000, radius.end());
        return radius[10000];
    };
    EXPECT_NEAR(half_mass_radius(UniformPointsProblem{.n = 20000}), std::cbrt(0.5), 0.003);
    EXPECT_NEAR(half_mass_radius(PlummerProblem{.n = 20000}), 1.305, 0.013);
    EXPECT_NEAR(half_mass_radius(HernquistProblem{.n = 20000}), 1.0 + std::numbers::sqrt2, 0.05);
    // ln(1 + r) - r/(1 + r) is 0.7440 at 3.6056, half of what it is at 10.
    EXPECT_NEAR(half_mass_radius(NfwProblem{.n = 20000}), 3.6056, 0.05);
    EXPECT_NEAR(half_mass_radius(DiscProblem{.n = 20000, .disc_mass = 0.0, .halo_scale = 2.0}), 2.0 * 3.6056, 0.1);
    EXPECT_NEAR(half_mass_radius(DiscProblem{.n = 20000, .disc_mass = 1.0, .height = 1e-6}), 1.678, 0.02);
}

TEST(Problems, TheDiscIsFlat) {
    const Problem problem = make_problem(MPI_COMM_SELF, DiscProblem{.n = 20000, .disc_mass = 1.0, .height = 0.1});
    std::size_t within = 0;
    for (const double z : problem.points.z) within += std::abs(z) < 0.1 ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(within) / 20000.0, std::tanh(1.0), 0.003);
}

TEST(Problems, CurveRunsAreEvenAndCompact) {
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

// Along the curve by work: a quarter of the points, on one side, cost a hundred times as much.
TEST(Problems, SharesOfWork) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PointSet points = make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 20000, .distribution = Distribution::scatter}).points;
    const auto work_of = [&](std::size_t i) { return points.x[i] > 0.5 ? 100.0 : 1.0; };
    std::vector<double> work;
    for (std::size_t i = 0; i < points.size(); ++i) work.push_back(work_of(i));
    const double all = sum(std::accumulate(work.begin(), work.end(), 0.0));
    distribute_along_curve(MPI_COMM_WORLD, points, work);
    EXPECT_EQ(sum(static_cast<double>(points.size())), 20000.0);
    double mine = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) mine += work_of(i);
    EXPECT_NEAR(mine * ranks / all, 1.0, 0.1);
}

// Equal shares, to a point, and no two ranks' boxes overlap.
TEST(Problems, BisectionGivesEachRankABoxOfItsOwn) {
    int ranks = 1, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PointSet points = make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 5000, .distribution = Distribution::scatter}).points;
    const double x = sum(std::accumulate(points.x.begin(), points.x.end(), 0.0));
    distribute_in_boxes(MPI_COMM_WORLD, points);
    EXPECT_EQ(sum(static_cast<double>(points.size())), 5000.0);
    EXPECT_NEAR(static_cast<double>(points.size()), 5000.0 / ranks, 1.0);
    EXPECT_NEAR(sum(std::accumulate(points.x.begin(), points.x.end(), 0.0)), x, 1e-14 * 5000);

    std::array<double, 6> mine{};  // lower ends, and upper ones with the other sign
    mine.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Array3 at{points.x[i], points.y[i], points.z[i]};
        for (std::size_t d = 0; d < 3; ++d) {
            mine[d] = std::min(mine[d], at[d]);
            mine[d + 3] = std::min(mine[d + 3], -at[d]);
        }
    }
    std::vector<std::array<double, 6>> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(mine.data(), 6, MPI_DOUBLE, all.data(), 6, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int other = 0; other < ranks; ++other) {
        const auto& box = all[static_cast<std::size_t>(other)];
        bool apart = other == rank;
        for (std::size_t d = 0; d < 3; ++d) apart = apart || mine[d] >= -box[d + 3] || -mine[d + 3] <= box[d];
        EXPECT_TRUE(apart) << "ranks " << rank << " and " << other;
    }
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
    EXPECT_NE(refused(NfwProblem{.concentration = 0.0}).find("problem.concentration"), std::string::npos);
    EXPECT_NE(refused(DiscProblem{.disc_mass = 1.5}).find("problem.disc_mass"), std::string::npos);
    EXPECT_NE(refused(DiscProblem{.height = 0.0}).find("problem.height"), std::string::npos);
    EXPECT_NE(refused(DiscProblem{.halo_scale = 0.0}).find("problem.halo_scale"), std::string::npos);
    EXPECT_NE(refused(SineWaveProblem{.wave_vector = {0, 0, 0}}).find("problem.wave_vector is 0"), std::string::npos);
    EXPECT_NE(refused(SineWaveProblem{.amplitude = 1.5}).find("problem.amplitude is 1.5"), std::string::npos);
    EXPECT_NE(refused(SineWaveProblem{.max_level = 3}).find("problem.min_level is 4"), std::string::npos);
    EXPECT_NE(refused(LatticeProblem{.n = 0}).find("problem.n is 0"), std::string::npos);
    EXPECT_NE(refused(Sech2LayerProblem{.scale_height = 0.0}).find("problem.scale_height is 0"), std::string::npos);
    EXPECT_NE(refused(Sech2LayerProblem{.z_cut = 0.6}).find("problem.z_cut is 0.6"), std::string::npos);
    EXPECT_NE(refused(OstrikerCylinderProblem{.core_radius = 0.0}).find("problem.core_radius is 0"), std::string::npos);
    EXPECT_NE(refused(OstrikerCylinderProblem{.r_cut = 0.7}).find("problem.r_cut is 0.7"), std::string::npos);
}

TEST(Problems, NoPoints) { EXPECT_EQ(make_problem(MPI_COMM_WORLD, PlummerProblem{.n = 0}).targets(), 0U); }

}  // namespace
}  // namespace gravlet
