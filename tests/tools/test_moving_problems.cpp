// SPDX-License-Identifier: Apache-2.0
// Problems with velocities: in equilibrium, on their orbits, and the same at any number of ranks.
#include "tools/problems/problem.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace gravlet {
namespace {

using Row = std::array<double, 7>;  // position, velocity, mass

std::vector<Row> rows_by_id(const PointSet& points) {
    std::vector<Row> rows(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.at(points.id[i]) = {points.x[i],           points.y[i],           points.z[i],   points.velocity[0][i],
                                 points.velocity[1][i], points.velocity[2][i], points.mass[i]};
    return rows;
}

PointSet alone(const ProblemSpec& spec) { return make_problem(MPI_COMM_SELF, spec).points; }

double kinetic(const PointSet& points) {
    double sum = 0.0;
    for (const auto& v : points.velocity)
        for (std::size_t i = 0; i < points.size(); ++i) sum += 0.5 * points.mass[i] * v[i] * v[i];
    return sum;
}

// The potential energy of points of one mass.
double potential(const PointSet& points) {
    double sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double at = 0.0;
        for (std::size_t j = 0; j < i; ++j) {
            const double dx = points.x[i] - points.x[j], dy = points.y[i] - points.y[j], dz = points.z[i] - points.z[j];
            at -= 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz);
        }
        sum += at;
    }
    return sum * points.mass[0] * points.mass[0];
}

// The same of a sphere around the origin, as if each point were a shell.
double potential_of_shells(const PointSet& points) {
    std::vector<double> radii;
    for (std::size_t i = 0; i < points.size(); ++i) radii.push_back(std::hypot(points.x[i], points.y[i], points.z[i]));
    std::ranges::sort(radii);
    double sum = 0.0;
    for (std::size_t i = 0; i < radii.size(); ++i) sum -= static_cast<double>(i) / radii[i];
    return sum * points.mass[0] * points.mass[0];
}

// 2 K/|W|.
double virial_ratio_of_sphere(const ProblemSpec& spec) {
    const PointSet points = alone(spec);
    return -2.0 * kinetic(points) / potential_of_shells(points);
}

TEST(MovingProblems, SpheresAreInEquilibrium) {
    EXPECT_NEAR(virial_ratio_of_sphere(PlummerProblem{.velocities = true}), 1.0, 0.0012);
    EXPECT_NEAR(virial_ratio_of_sphere(HernquistProblem{.velocities = true}), 1.0, 0.0033);
    for (const double concentration : {0.5, 10.0, 1000.0})
        EXPECT_NEAR(virial_ratio_of_sphere(NfwProblem{.concentration = concentration, .velocities = true}), 1.0, 0.01);
    for (const double w0 : {0.1, 6.0, 12.0})
        EXPECT_NEAR(virial_ratio_of_sphere(KingProblem{.w0 = w0, .velocities = true}), 1.0, 0.01) << w0;
    EXPECT_NEAR(virial_ratio_of_sphere(ColdCollapseProblem{.virial_ratio = 0.5, .velocities = true}), 0.5, 0.0014);
    EXPECT_EQ(virial_ratio_of_sphere(ColdCollapseProblem{.velocities = true}), 0.0);
}

TEST(MovingProblems, BulkMomentum) {
    for (const ProblemSpec& spec :
         {ProblemSpec(PlummerProblem{.velocities = true}), ProblemSpec(HernquistProblem{.velocities = true}),
          ProblemSpec(NfwProblem{.velocities = true}), ProblemSpec(KingProblem{.velocities = true}),
          ProblemSpec(EncounterProblem{.mass_ratio = 0.3, .velocities = true}),
          ProblemSpec(M31Problem{.n = 100000, .velocities = true})}) {
        const PointSet points = alone(spec);
        const double mass = points.mass[0] * static_cast<double>(points.size());
        const double speed = std::sqrt(2.0 * kinetic(points) / mass);
        for (const auto& v : points.velocity) {
            double mean = 0.0;
            for (const double value : v) mean += value / static_cast<double>(v.size());
            EXPECT_NEAR(mean, 0.0, 0.009 * speed) << kind_of(spec);
        }
    }
}

TEST(MovingProblems, AreTheSameAtAnyNumberOfRanks) {
    for (const ProblemSpec& spec : {ProblemSpec(PlummerProblem{.n = 1001, .velocities = true}),
                                    ProblemSpec(HernquistProblem{.n = 1001, .velocities = true}),
                                    ProblemSpec(NfwProblem{.n = 1001, .distribution = Distribution::scatter, .velocities = true}),
                                    ProblemSpec(KingProblem{.n = 1001, .velocities = true}),
                                    ProblemSpec(ColdCollapseProblem{.n = 1001, .virial_ratio = 0.1, .velocities = true}),
                                    ProblemSpec(EncounterProblem{.n = 1001, .mass_ratio = 0.5, .velocities = true}),
                                    ProblemSpec(TwoBodiesProblem{.mass_ratio = 0.5, .velocities = true}),
                                    ProblemSpec(M31Problem{.n = 1001, .velocities = true})}) {
        const std::vector<Row> expected = rows_by_id(alone(spec));
        const PointSet points = make_problem(MPI_COMM_WORLD, spec).points;
        auto count = static_cast<std::int64_t>(points.size());
        MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_EQ(count, static_cast<std::int64_t>(expected.size())) << kind_of(spec);
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_EQ((Row{points.x[i], points.y[i], points.z[i], points.velocity[0][i], points.velocity[1][i],
                           points.velocity[2][i], points.mass[i]}),
                      expected.at(points.id[i]))
                << kind_of(spec);
    }
}

// The places that they have without velocities, but for NFW's; and nothing more is made then.
TEST(MovingProblems, VelocitiesAreOnlyMadeIfWanted) {
    const PointSet still = alone(PlummerProblem{.n = 100}), moving = alone(PlummerProblem{.n = 100, .velocities = true});
    EXPECT_EQ(still.x, moving.x);
    EXPECT_EQ(still.mass, moving.mass);
    EXPECT_TRUE(still.velocity[0].empty() && still.id.empty());
    EXPECT_EQ(moving.velocity[2].size(), 100U);
    EXPECT_TRUE(alone(M31Problem{.n = 100}).velocity[0].empty());
    EXPECT_EQ(alone(HernquistProblem{.n = 100}).y, alone(HernquistProblem{.n = 100, .velocities = true}).y);
    EXPECT_FALSE(make_problem(MPI_COMM_SELF, NfwProblem{.n = 10, .velocities = true}).potential);
    EXPECT_EQ(alone(KingProblem{.n = 0, .velocities = true}).size(), 0U);
    EXPECT_EQ(alone(EncounterProblem{.n = 0, .velocities = true}).size(), 0U);
    EXPECT_EQ(alone(M31Problem{.n = 0, .velocities = true}).size(), 0U);
}

TEST(MovingProblems, TwoBodies) {
    const std::vector<Row> rows =
        rows_by_id(alone(TwoBodiesProblem{.eccentricity = 0.9, .mass_ratio = 0.25, .velocities = true}));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_DOUBLE_EQ(rows[0][6], 0.8);
    EXPECT_DOUBLE_EQ(rows[1][6], 0.2);
    const double separation = rows[1][0] - rows[0][0], vx = rows[1][3] - rows[0][3], vy = rows[1][4] - rows[0][4];
    EXPECT_DOUBLE_EQ(separation, 1.9);
    EXPECT_EQ(vx, 0.0);
    EXPECT_NEAR(0.5 * vy * vy - 1.0 / separation, -0.5, 1e-14);  // semi-major axis 1
    EXPECT_DOUBLE_EQ(separation * vy, std::sqrt(1.0 - 0.81));
    for (const std::size_t d : {0U, 1U, 2U, 3U, 4U, 5U}) EXPECT_NEAR(0.8 * rows[0][d] + 0.2 * rows[1][d], 0.0, 1e-15) << d;
}

// The centres of the two are on the orbit of point masses, and each is a model of its mass and size.
TEST(MovingProblems, Encounter) {
    const EncounterProblem spec{.n = 100000,
                                .model = SphereModel::king,
                                .mass_ratio = 0.25,
                                .separation = 60.0,
                                .pericentre = 5.0,
                                .eccentricity = 1.0,
                                .velocities = true};
    const std::vector<Row> rows = rows_by_id(alone(spec));
    constexpr std::size_t first = 80000;
    std::array<Row, 2> centre{}, spread{};
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t d = 0; d < 6; ++d) centre[i < first ? 0 : 1][d] += rows[i][d] / (i < first ? 80000.0 : 20000.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t d = 0; d < 6; ++d) {
            const std::size_t body = i < first ? 0 : 1;
            const double off = rows[i][d] - centre[body][d];
            spread[body][d < 3 ? 0 : 3] += off * off / (body == 0 ? 80000.0 : 20000.0);
        }
    EXPECT_NEAR(centre[0][0], -12.0, 0.007);
    EXPECT_NEAR(centre[1][0], 48.0, 0.04);
    const double vx = centre[1][3] - centre[0][3], vy = centre[1][4] - centre[0][4];
    EXPECT_NEAR(0.5 * (vx * vx + vy * vy), 1.0 / 60.0, 0.0055 / 60.0);
    EXPECT_NEAR(60.0 * vy, std::sqrt(10.0), 0.02 * std::sqrt(10.0));
    EXPECT_LT(vx, 0.0);
    // The same density: sizes go as the cube root of the mass, speeds as well.
    EXPECT_NEAR(spread[1][0] / spread[0][0], std::pow(0.25, 2.0 / 3.0), 0.006);
    EXPECT_NEAR(spread[1][3] / spread[0][3], std::pow(0.25, 2.0 / 3.0), 0.014);
}

TEST(MovingProblems, M31) {
    const PointSet points = alone(M31Problem{.n = 200000, .velocities = true});
    const double mass = points.mass[0] * 200000.0;
    EXPECT_NEAR(mass, 88.0, 4e-14);
    const std::vector<Row> rows = rows_by_id(points);
    const std::size_t disc = rows.size() - 8318;  // 3.66/88 of them
    const auto distance = [&](std::size_t i) { return std::hypot(rows[i][0], rows[i][1]); };
    double within = 0.0, turn = 0.0;
    for (std::size_t i = disc; i < rows.size(); ++i) {
        within += distance(i) < 5.4 ? 1.0 / 8318.0 : 0.0;
        turn += (rows[i][0] * rows[i][4] - rows[i][1] * rows[i][3]) / distance(i) / 8318.0;
    }
    EXPECT_NEAR(within, 1.0 - 2.0 / std::exp(1.0), 0.01);
    EXPECT_NEAR(turn * 207.38, 240.0, 10.0);

    // The disc's thickness is in balance where there are many points: the means of v_z^2 and of z times the pull towards z = 0,
    // by the disc's points and, as they are spheres, by those of the others that lie further in.
    std::vector<double> radii;
    for (std::size_t i = 0; i < disc; ++i) radii.push_back(std::hypot(rows[i][0], rows[i][1], rows[i][2]));
    std::ranges::sort(radii);
    double up = 0.0, pull = 0.0;
    for (std::size_t i = disc; i < rows.size(); ++i) {
        if (distance(i) < 2.0 || distance(i) > 15.0) continue;
        const double z = rows[i][2], r = std::hypot(distance(i), z), mass_of_one = rows[i][6];
        const auto inside = std::ranges::lower_bound(radii, r) - radii.begin();
        up += rows[i][5] * rows[i][5];
        pull += z * z * static_cast<double>(inside) * mass_of_one / (r * r * r);
        for (std::size_t j = disc; j < rows.size(); ++j) {
            const double dx = rows[j][0] - rows[i][0], dy = rows[j][1] - rows[i][1], dz = rows[j][2] - z;
            const double r2 = dx * dx + dy * dy + dz * dz + 1e-2;
            pull -= z * mass_of_one * dz / (r2 * std::sqrt(r2));
        }
    }
    EXPECT_NEAR(up / pull, 1.0, 0.1);

    const PointSet fewer = alone(M31Problem{.n = 12000, .velocities = true});
    EXPECT_NEAR(-2.0 * kinetic(fewer) / potential(fewer), 1.0, 0.0057);
}

TEST(MovingProblems, M31HasThePapersNumbers) {
    // 2^23 points: 7,730,866 of the halo, 308,853 of the bulge, 348,889 of the disc.
    const double n = 8388608.0;
    EXPECT_EQ(std::floor(n * (3.24 / 88.0)), 308853.0);
    EXPECT_EQ(std::floor(n * (3.66 / 88.0)), 348889.0);
}

TEST(MovingProblems, OutOfRange) {
    const auto refused = [](const ProblemSpec& spec) -> std::string {
        try {
            (void)make_problem(MPI_COMM_WORLD, spec);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            return error.what();
        }
        return "accepted";
    };
    const auto expect = [&](const ProblemSpec& spec, const std::string& part) {
        EXPECT_NE(refused(spec).find(part), std::string::npos) << refused(spec);
    };
    expect(KingProblem{.n = -1}, "problem.n is -1");
    expect(M31Problem{.n = -1}, "problem.n is -1");
    expect(EncounterProblem{.n = -1}, "problem.n is -1");
    expect(KingProblem{.w0 = 0.0}, "problem.w0 is 0: it must be 0.1 to 16");
    expect(ColdCollapseProblem{.virial_ratio = -0.1}, "problem.virial_ratio is -0.1: it must be 0 to 1.5");
    expect(EncounterProblem{.mass_ratio = 2.0}, "problem.mass_ratio is 2");
    expect(EncounterProblem{.pericentre = 0.0}, "problem.pericenter is 0");
    expect(EncounterProblem{.separation = 1.0}, "problem.separation is 1");
    expect(EncounterProblem{.separation = 10.0, .pericentre = 2.0, .eccentricity = 0.5},
           "problem.separation is 10: it must be at most");
    expect(EncounterProblem{.eccentricity = -1.0}, "problem.eccentricity is -1");
    expect(TwoBodiesProblem{.eccentricity = 1.0}, "problem.eccentricity is 1: it must be from 0 to below 1");
    expect(TwoBodiesProblem{.mass_ratio = 0.0}, "problem.mass_ratio is 0");
    expect(M31Problem{.toomre_q = 0.0}, "problem.toomre_q is 0");
    expect(NfwProblem{.concentration = 0.1, .velocities = true}, "problem.concentration is 0.1: it must be 0.5 to 1000 with");
}

// Velocities that a file lacks are an error, identities are the rows.
TEST(MovingProblems, PointsOfAFile) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string file = std::filesystem::temp_directory_path() / ("gravlet_moving_" + std::to_string(ranks) + ".h5");
    PointSet points;
    for (int i = 0; i < 20; ++i)
        for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->push_back(20.0 * rank + (i * 7 % 20));
    write_points(MPI_COMM_WORLD, file, points, {});
    std::string text = "accepted";
    try {
        (void)make_problem(MPI_COMM_WORLD, PointsFileProblem{.path = file, .velocities = true});
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::file);
        text = error.what();
    }
    EXPECT_NE(text.find(file + ": there are no velocities"), std::string::npos) << text;

    points.velocity = {points.x, points.y, points.z};
    write_points(MPI_COMM_WORLD, file, points, {});
    const PointSet got = make_problem(MPI_COMM_WORLD, PointsFileProblem{.path = file, .velocities = true}).points;
    ASSERT_EQ(got.id.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::uint64_t row = got.id[i];
        EXPECT_EQ(got.x[i], static_cast<double>(row / 20 * 20 + row % 20 * 7 % 20));
        EXPECT_EQ(got.velocity[1][i], got.x[i]);
    }
    if (rank == 0) std::filesystem::remove(file);
}

}  // namespace
}  // namespace gravlet
