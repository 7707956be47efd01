// SPDX-License-Identifier: Apache-2.0
// A tolerance is kept when solve() returns, the first time too, by sums in double of this test's own; where it is not the report
// and the listener say so.
#include "tests/api/periodic/ewald_sum.hpp"
#include "tests/api/worst/worst_cases.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace gravlet::test {
namespace {

/// What counts as kept. One in a hundred targets may err by more: four of the 400 that are measured, which are up to 3.5% of all
/// (once in a thousand times; there are some hundred solves here).
constexpr double kept_within = 1.2, most_beyond = 0.035;

struct Problem {
    std::string name;
    BodyArrays all;
    bool periodic = false;
    std::size_t stride = 1;  ///< of the targets that are looked at
};

/// Clumps, filaments between them, and some in between.
BodyArrays web(std::size_t n) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    std::array<std::array<double, 3>, 12> knots{};
    for (auto& knot : knots)
        for (double& x : knot) x = uniform(random);
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const double kind = uniform(random), along = kind < 0.5 ? 0.0 : uniform(random),
                     width = kind < 0.5 ? 0.02 * std::pow(uniform(random), 2) : 0.003;
        const auto &from = knots[random() % 12], &to = knots[random() % 12];
        std::array<double, 3> at{};
        for (std::size_t d = 0; d < 3; ++d)
            at[d] = kind < 0.2 ? uniform(random) : from[d] + along * (to[d] - from[d]) + width * normal(random);
        points.add_point(at[0], at[1], at[2], 1.0 / static_cast<double>(n));
    }
    return points;
}

BodyArrays lumpy_mesh(int level) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    return worst::uniform_mesh(level, [&](auto...) { return 0.2 + std::exp(normal(random)); });
}

/// Refined towards five places, where it is dense.
BodyArrays refined_mesh(int levels) {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> uniform;
    std::array<std::array<double, 3>, 5> peaks{};
    for (auto& peak : peaks)
        for (double& x : peak) x = 0.2 + 0.6 * uniform(random);
    const auto distance = [&](double x, double y, double z) {
        double least = 9.0;
        for (const auto& p : peaks) least = std::min(least, std::hypot(x - p[0], y - p[1], z - p[2]));
        return least;
    };
    return worst::octree_mesh(
        3, levels,
        [&](int, double x, double y, double z, double side) {
            return distance(x + 0.5 * side, y + 0.5 * side, z + 0.5 * side) < 1.5 * side;
        },
        [&](double x, double y, double z) { return std::pow(distance(x, y, z) + 1e-3, -2.0) * (0.5 + uniform(random)); });
}

/// As a cosmological run begins.
BodyArrays wave_on_a_lattice(int n, double amplitude) {
    BodyArrays points;
    const double h = 1.0 / n, k = 2.0 * std::numbers::pi;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < n; ++l) {
                const double x = (i + 0.5) * h;
                points.add_point(x + amplitude / k * std::sin(k * x), (j + 0.5) * h, (l + 0.5) * h, h * h * h);
            }
    return points;
}

BodyArrays clumps_in_a_box(std::size_t n) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 3> at{0.3, 0.6, 0.45};
        for (double& x : at) {
            x = i % 3 == 0 ? uniform(random) : x + 0.08 * normal(random);
            x -= std::floor(x);
        }
        points.add_point(at[0], at[1], at[2], 1.0 / static_cast<double>(n));
    }
    return points;
}

std::vector<Problem> isolated() {
    return {{"Plummer", worst::plummer(4000).points},
            {"web", web(4000)},
            {"lumpy mesh", lumpy_mesh(4)},
            {"refined mesh", refined_mesh(6)}};
}

std::vector<Problem> periodic() {
    return {{"clumps", clumps_in_a_box(800), true, 2},
            {"waves", wave_on_a_lattice(9, 0.1), true, 2},
            {"near-lattice", wave_on_a_lattice(9, 1e-3), true, 2},
            {"lumpy periodic mesh", lumpy_mesh(3), true, 2}};
}

/// Potential and acceleration of every stride-th body of this rank's.
struct Expected {
    std::vector<std::size_t> targets;
    std::vector<std::array<double, 4>> of;

    Expected(const Problem& problem, const BodyArrays& mine) {
        const BodyArrays& all = problem.all;
        std::optional<EwaldSum> images;
        if (problem.periodic) images.emplace(all, 0.0);
        for (std::size_t k = 0; k < mine.size(); ++k) {
            if (mine.index[k] % problem.stride != 0) continue;
            targets.push_back(k);
            std::array<double, 4> sum{};
            const Vector3 at{mine.x[k], mine.y[k], mine.z[k]};
            if (images)
                images->add_to(at, sum);
            else
                add_pairs(all, at, mine.index[k], sum);
            if (!mine.dx.empty()) sum[0] -= cube_constant * mine.mass[k] / mine.dx[k];
            of.push_back(sum);
        }
    }

private:
    static void add_pairs(const BodyArrays& all, const Vector3& at, std::size_t itself, std::array<double, 4>& sum) {
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (j == itself) continue;
            const double d[] = {all.x[j] - at.x, all.y[j] - at.y, all.z[j] - at.z},
                         r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            sum[0] -= all.mass[j] / r;
            for (std::size_t axis = 0; axis < 3; ++axis) sum[axis + 1] += all.mass[j] * d[axis] / (r * r * r);
        }
    }
};

/// The share of targets that err by more than so much: of each, or (periodic) of the rms of all.
double share_beyond(double limit, const Problem& problem, const Expected& expected, const Result& got, bool acceleration) {
    std::vector<std::pair<double, double>> squares;  // of the difference, and of what is expected
    double sums[] = {0.0, static_cast<double>(expected.targets.size())};
    for (std::size_t i = 0; i < expected.targets.size(); ++i) {
        const std::size_t k = expected.targets[i];
        const std::array<double, 4> result{got.potential[k], got.acceleration[0][k], got.acceleration[1][k],
                                           got.acceleration[2][k]};
        auto& [difference, norm] = squares.emplace_back();
        for (std::size_t c = acceleration ? 1 : 0; c < (acceleration ? 4 : 1); ++c) {
            difference += std::pow(result[c] - expected.of[i][c], 2);
            norm += std::pow(expected.of[i][c], 2);
        }
        sums[0] += norm;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double beyond = 0.0;
    for (const auto& [difference, norm] : squares)
        if (!(difference <= limit * limit * (problem.periodic ? sums[0] / sums[1] : norm))) ++beyond;
    MPI_Allreduce(MPI_IN_PLACE, &beyond, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return beyond / sums[1];
}

struct Warned : Listener {
    std::vector<std::string> warnings;
    void warning(const char* text) override { warnings.emplace_back(text); }
};

struct Outcome {
    int solves = 0, kept = 0, walks = 0;
    std::string missed;  ///< what was asked and reached
};

/// Three solves with each tolerance, of the potential alone or of the acceleration.
Outcome expect_kept(const Problem& problem, const BodyArrays& mine, const Expected& expected, bool acceleration,
                    const std::vector<double>& tolerances) {
    Outcome outcome;
    for (const double tolerance : tolerances) {
        Options options{.gpu_sharing = GpuSharing::share, .tolerance = tolerance, .background = Background::keep};
        if (problem.periodic) options.boundary.fill(Boundary::periodic), options.domain = Box{{0, 0, 0}, {1, 1, 1}};
        const auto heard = std::make_shared<Warned>();
        Solver solver(MPI_COMM_WORLD, options, heard);
        for (int solve = 0; solve < 3; ++solve) {
            SCOPED_TRACE(problem.name + (acceleration ? ", acceleration " : ", potential ") + std::to_string(tolerance) +
                         ", solve " + std::to_string(solve));
            Result result(mine.size());
            const Fields fields = acceleration ? result.fields() : result.potential_only();
            heard->warnings.clear();
            mine.dx.empty() ? solver.solve(mine.points(), fields) : solver.solve(mine.cells(), fields);
            const Report& report = solver.report();
            const ToleranceReport& t = report.tolerance.value();
            const double limit = std::max(kept_within * tolerance, t.reached);
            ++outcome.solves;
            outcome.kept += t.kept ? 1 : 0;
            if (!t.kept)
                outcome.missed +=
                    std::to_string(1e6 * tolerance) + "e-6 asked, " + std::to_string(1e6 * t.reached) + "e-6 reached; ";
            outcome.walks += t.walks;
            EXPECT_LE(t.walks, options.tolerance_effort);
            EXPECT_EQ(t.kept, t.reached <= kept_within * tolerance);
            EXPECT_EQ(report.warnings.size(), t.kept ? 0 : 1);
            EXPECT_EQ(heard->warnings.size(), t.kept || t.solves_ago > 0 ? 0 : 1);
            EXPECT_LE(share_beyond(limit, problem, expected, result, acceleration), most_beyond) << to_string(report);
        }
    }
    return outcome;
}

TEST(ToleranceFirst, IsKept) {
    // GPUs add up what is far in single precision: a web on three ranks reaches 1.5e-6.
    const double least = std::getenv("GRAVLET_TEST_GPU") != nullptr ? 2e-6 : 1e-6;
    for (const Problem& problem : isolated()) {
        const BodyArrays mine = part_of(problem.all);
        const Expected expected(problem, mine);
        for (const bool acceleration : {false, true}) {
            const Outcome outcome = expect_kept(problem, mine, expected, acceleration, {1e-3, 1e-4, 1e-5, least});
            EXPECT_EQ(outcome.kept, outcome.solves) << problem.name << ": " << outcome.missed;
            EXPECT_LE(outcome.walks, 2 * outcome.solves) << problem.name;
        }
    }
}

TEST(ToleranceFirst, IsKeptInPeriodicBoxesOrSaidNotToBe) {
    for (const Problem& problem : periodic()) {
        const BodyArrays mine = part_of(problem.all);
        const Expected expected(problem, mine);
        const Outcome potential = expect_kept(problem, mine, expected, false, {1e-4, 1e-6}),
                      acceleration = expect_kept(problem, mine, expected, true, {1e-3, 1e-4, 1e-6});
        EXPECT_GE(potential.kept, 3) << problem.name;
        EXPECT_GE(acceleration.kept, problem.name == "near-lattice" ? 3 : 6) << problem.name;
    }
}

/// What is walked again has the bits of a solve that begins with that.
TEST(ToleranceFirst, WalksAgainAsIfItWereTheFirst) {
    std::vector<Problem> problems = isolated();
    problems.push_back(periodic()[2]);
    int walks = 0;
    for (const Problem& problem : problems) {
        SCOPED_TRACE(problem.name);
        const BodyArrays mine = part_of(problem.all);
        const auto solve = [&](Solver& solver) {
            Result result(mine.size());
            mine.dx.empty() ? solver.solve(mine.points(), result.fields()) : solver.solve(mine.cells(), result.fields());
            return result;
        };
        for (const double tolerance : {1e-3, 2e-5, 1e-6}) {
            Options options{.gpu_sharing = GpuSharing::share,
                            .criterion = problem.periodic ? Criterion::automatic : Criterion::multipole,
                            .tolerance = tolerance,
                            .tolerance_of = problem.periodic ? ErrorOf::acceleration : ErrorOf::potential,
                            .keep_tree = problem.all.size() % 2 == 0};
            if (problem.periodic) options.boundary.fill(Boundary::periodic), options.domain = Box{{0, 0, 0}, {1, 1, 1}};
            Solver steered(MPI_COMM_WORLD, options);
            const Result result = solve(steered);
            const Report& report = steered.report();
            walks = std::max(walks, report.tolerance->walks);
            Solver once(MPI_COMM_WORLD, as_taken(options, report));
            EXPECT_EQ(solve(once), result);
            EXPECT_EQ(once.report().node_interactions, report.node_interactions);
            EXPECT_EQ(once.report().cell_interactions, report.cell_interactions);
            EXPECT_EQ(once.report().far_interactions, report.far_interactions);
            EXPECT_EQ(once.report().bytes_sent, report.bytes_sent);
            EXPECT_EQ(once.report().nodes_imported, report.nodes_imported);
            EXPECT_EQ(once.report().targets, report.targets);
            EXPECT_EQ(once.report().net_force, report.net_force);
        }
    }
    EXPECT_GT(walks, 1);
}

/// Of a lattice's pulls, which nearly cancel, no table knows the error.
TEST(ToleranceFirst, EffortBoundsTheWalks) {
    const Problem problem = periodic()[2];
    const BodyArrays mine = part_of(problem.all);
    for (const int effort : {1, 2}) {
        Options options{.gpu_sharing = GpuSharing::share, .tolerance = 1e-3, .tolerance_effort = effort};
        options.boundary.fill(Boundary::periodic), options.domain = Box{{0, 0, 0}, {1, 1, 1}};
        const auto heard = std::make_shared<Warned>();
        Solver solver(MPI_COMM_WORLD, options, heard);
        Result result(mine.size());
        solver.solve(mine.points(), result.fields());
        const ToleranceReport t = solver.report().tolerance.value();
        EXPECT_EQ(t.walks, effort);
        EXPECT_EQ(heard->warnings, solver.report().warnings);
        EXPECT_EQ(heard->warnings.size(), t.kept ? 0 : 1);
        if (effort > 1) continue;
        ASSERT_FALSE(t.kept);
        EXPECT_NE(heard->warnings[0].find("0.001 is not kept"), std::string::npos) << heard->warnings[0];
        EXPECT_NE(heard->warnings[0].find("tolerance_effort"), std::string::npos) << heard->warnings[0];
    }
}

}  // namespace
}  // namespace gravlet::test
