// SPDX-License-Identifier: Apache-2.0
// Points in time: steps as they should be, what is conserved, and a run that goes on from a snapshot as if it had never stopped.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "mpi/agreement.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tools/evolve/evolve.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace gravlet::test {
namespace {

class Evolve : public RankFolder {
protected:
    EvolveResult run(const std::string& text, const std::vector<std::string>& overrides = {}) {
        std::vector<std::string> all{"output.snapshots=" + at("s"), "output.log=" + at("log.csv")};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return evolve(MPI_COMM_WORLD, parse_evolve_config(text, all, "test"));
    }
    /// Positions of all points, by identity.
    std::vector<double> places(const std::string& snapshot) {
        const Snapshot s = read_snapshot(MPI_COMM_WORLD, at(snapshot));
        std::vector<double> all(
            3 * static_cast<std::size_t>(all_reduce(MPI_COMM_WORLD, static_cast<long>(s.points.size()), MPI_SUM)));
        for (std::size_t i = 0; i < s.points.size(); ++i) {
            all[3 * s.points.id[i]] = s.points.x[i];
            all[3 * s.points.id[i] + 1] = s.points.y[i];
            all[3 * s.points.id[i] + 2] = s.points.z[i];
        }
        MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return all;
    }
    /// The numbers of a CSV file.
    std::vector<std::vector<double>> table(const std::string& name) {
        std::vector<std::vector<double>> rows;
        std::ifstream file(at(name));
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            rows.emplace_back();
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        return rows;
    }
    /// Leaves of a CSV file what a run leaves that is killed in its first line behind this time.
    void cut_within_a_line(const std::string& name, double time) {
        if (world_rank() == 0) {
            std::ifstream file(at(name));
            std::string line, kept;
            std::getline(file, kept);
            while (std::getline(file, line) && std::stod(line) <= time) kept += '\n' + line;
            std::ofstream(at(name)) << kept << '\n' << line.substr(0, 1);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /// Lines of sub-steps, without the columns of seconds.
    static std::vector<std::vector<double>> without_seconds(std::vector<std::vector<double>> rows) {
        for (std::vector<double>& row : rows) {
            row.resize(7);
            row.erase(row.begin() + 3, row.begin() + 5);
        }
        return rows;
    }
    /// Without the column of seconds.
    std::vector<std::string> log() {
        std::vector<std::string> lines;
        std::ifstream file(at("log.csv"));
        for (std::string line; std::getline(file, line);) {
            const std::size_t end = line.rfind(',', line.rfind(',') - 1), begin = line.rfind(',', end - 1);
            lines.push_back(line.substr(0, begin) + line.substr(end));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        return lines;
    }
};

// The step of all in one: what a leapfrog does, by hand.
TEST_F(Evolve, KicksDriftsKicks) {
    const std::string bodies = "problem: {kind: two_bodies, eccentricity: 0.5}\nsolver: {theta: 0, threads: 1}\n";
    run(bodies + "evolve: {end: 0.25, step: 0.25, steps: one}");
    const std::vector<double> first = places("s_0000.hdf5"), last = places("s_0001.hdf5");
    const Snapshot start = read_snapshot(MPI_COMM_WORLD, at("s_0000.hdf5"));
    for (std::size_t i = 0; i < start.points.size(); ++i) {
        const std::size_t me = start.points.id[i], other = 1 - me;
        const double v[] = {start.points.velocity[0][i], start.points.velocity[1][i], start.points.velocity[2][i]};
        double r2 = 0.0;
        for (std::size_t d = 0; d < 3; ++d) r2 += std::pow(first[3 * other + d] - first[3 * me + d], 2);
        for (std::size_t d = 0; d < 3; ++d) {
            const double a = (1.0 - start.points.mass[i]) * (first[3 * other + d] - first[3 * me + d]) / std::pow(r2, 1.5);
            EXPECT_NEAR(last[3 * me + d], first[3 * me + d] + 0.25 * (v[d] + 0.125 * a), 1e-14);
        }
    }
}

TEST_F(Evolve, KeplersOrbit) {
    const double end = 6.0 * std::numbers::pi;  // three orbits
    const EvolveResult result =
        run(fmt::format("problem: {{kind: two_bodies, eccentricity: 0.9}}\nsolver: {{theta: 0, threads: 1}}\n"
                        "evolve: {{end: {0}, step: {1}, steps: tidal, eta: 0.02}}",
                        end, end / 300.0));
    EXPECT_LT(std::abs(result.energy_change), 2e-4);
    EXPECT_GT(result.deepest_level, 4);
    EXPECT_LT(result.solves, 2400);
}

const char* const sphere = R"(
problem: {kind: plummer, n: 700}
solver: {softening: 0.05, threads: 1}
evolve: {end: 2.0, step: 0.125, steps: softening, eta: 0.05, balance: 3}
output: {every: 5}
)";

TEST_F(Evolve, SphereInEquilibrium) {
    const EvolveResult result = run(sphere);
    EXPECT_LT(std::abs(result.energy_change), 6e-5);
    EXPECT_GT(result.deepest_level, 1);
    EXPECT_EQ(result.largest_steps, 16);
    EXPECT_EQ(result.snapshots, 5);
    EXPECT_EQ(result.too_slow, 0);
    EXPECT_EQ(log().size(), 18U);
}

// Lines of the log, sums over their largest steps' sub-steps: what is told twice is the same.
TEST_F(Evolve, LinesOfSubSteps) {
    const EvolveResult result = run(sphere, {"output.sub_steps=" + at("sub.csv")});
    const std::vector<std::vector<double>> steps = table("log.csv"), sub_steps = table("sub.csv");
    std::size_t k = 0;
    double deepest = 0.0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        double active = 0.0, pairs = 0.0, seconds = 0.0, before = steps[i - 1][0];
        for (; k < sub_steps.size() && sub_steps[k][0] <= steps[i][0]; ++k) {
            const std::vector<double>& line = sub_steps[k];
            EXPECT_GT(line[0], before);
            EXPECT_EQ(line[1] == 0.0, line[0] == steps[i][0])
                << "all points are active at the end of a largest step, and only then";
            EXPECT_EQ(line[2] == 700.0, line[1] == 0.0);
            EXPECT_GT(line[4], 0.0);
            EXPECT_LT(line[4], 2.0 * line[3]);  // two stages, and on several ranks the slowest one of each
            // A step of a level begins and ends at its multiples.
            EXPECT_EQ(std::fmod(line[0], 0.125 * std::exp2(-line[1])), 0.0);
            before = line[0], seconds += line[3], pairs += line[5], active += line[2], deepest = std::max(deepest, line[1]);
        }
        EXPECT_EQ(before, steps[i][0]);
        EXPECT_EQ(active, steps[i][17]);
        EXPECT_NEAR(pairs, steps[i][16], 1e-4 * pairs);
        EXPECT_LT(seconds, steps[i][15]);
    }
    EXPECT_EQ(k, sub_steps.size());
    EXPECT_EQ(deepest, result.deepest_level);
}

TEST_F(Evolve, GoesOnAsIfItHadNeverStopped) {
    run(sphere, {"output.sub_steps=" + at("sub.csv")});
    const std::vector<double> last = places("s_0004.hdf5");
    const std::vector<std::string> lines = log();
    const std::vector<std::vector<double>> sub_steps = without_seconds(table("sub.csv"));
    const EvolveResult rest = run(sphere, {"evolve.restart=" + at("s_0002.hdf5"), "output.sub_steps=" + at("sub.csv")});
    EXPECT_EQ(rest.largest_steps, 6);
    EXPECT_EQ(places("s_0004.hdf5"), last);
    EXPECT_EQ(log(), lines);
    EXPECT_EQ(without_seconds(table("sub.csv")), sub_steps);
    cut_within_a_line("sub.csv", 1.25);
    run(sphere, {"evolve.restart=" + at("s_0002.hdf5"), "output.sub_steps=" + at("sub.csv")});
    EXPECT_EQ(without_seconds(table("sub.csv")), sub_steps);
    run(sphere, {"evolve.restart=" + at("s_0002.hdf5"), "output.sub_steps=" + at("rest.csv")});  // and a file that begins there
    const std::vector<std::vector<double>> of_rest = without_seconds(table("rest.csv"));
    ASSERT_LT(of_rest.size(), sub_steps.size());
    EXPECT_TRUE(std::equal(of_rest.rbegin(), of_rest.rend(), sub_steps.rbegin()));
}

TEST_F(Evolve, ComesBackIntoAPeriodicBox) {
    run(R"(
problem: {kind: plummer, n: 300, domain: [[-30, -30, -30], [30, 30, 30]]}
solver: {softening: 0.05, threads: 1, boundary: periodic}
evolve: {end: 60.0, step: 20.0, steps: one}
)");
    bool moved = false;
    const std::vector<double> first = places("s_0000.hdf5"), last = places("s_0001.hdf5");
    for (std::size_t i = 0; i < last.size(); ++i) {
        EXPECT_GE(last[i], -30.0);
        EXPECT_LT(last[i], 30.0);
        moved = moved || std::abs(last[i] - first[i]) > 30.0;
    }
    EXPECT_TRUE(moved);
}

TEST_F(Evolve, AndIntoOneThatDoesNotBeginAtZero) {
    run(R"(
problem: {kind: plummer, n: 100, domain: [[-31, -40, -32], [29, 20, 28]]}
solver: {softening: 0.05, threads: 1, boundary: periodic}
evolve: {end: 60.0, step: 20.0, steps: one}
)");
    const double lower[] = {-31.0, -40.0, -32.0};
    const std::vector<double> first = places("s_0000.hdf5"), last = places("s_0001.hdf5");
    for (std::size_t i = 0; i < last.size(); ++i) {
        EXPECT_GE(last[i], lower[i % 3]);
        EXPECT_LT(last[i], lower[i % 3] + 60.0);
    }
}

TEST_F(Evolve, RefusesWhatCannotBe) {
    const auto expect_refused = [&](const std::vector<std::string>& overrides, const std::string& name) {
        const Caught caught = agreed([&] { run(sphere, overrides); });
        EXPECT_TRUE(caught.names(name)) << caught.message;
    };
    expect_refused({"problem.kind=lattice"}, "lattice");
    expect_refused({"evolve.end=2.1"}, "evolve.end is 2.1: it must be a multiple of evolve.step, 0.125");
    expect_refused({"evolve.step=0"}, "evolve.step is 0: it must be above 0");
    expect_refused({"evolve.levels=41"}, "evolve.levels is 41: it must be 0 to 40");
    expect_refused({"evolve.steps=all"}, "evolve.steps");
    expect_refused({"solver.redistribute=true"}, "solver.redistribute");
    expect_refused({"solver.shear=0.1"}, "solver.shear");
    expect_refused({"output.strip=a.png", "output.snapshots=\"\""}, "output.strip is made from snapshots");
    expect_refused({"evolve.restart=" + at("none.hdf5")}, "none.hdf5");
    expect_refused({"output.log=" + at("no/folder.csv")}, "folder.csv");
    expect_refused({"output.sub_steps=" + at("no/folder.csv")}, "folder.csv");
    expect_refused({"output.sub_steps=[1, 2]"}, "output.sub_steps");
    expect_refused({"output.sub_step=a.csv"}, "did you mean sub_steps");
    expect_refused({"solver.softening=0"}, "evolve.steps is softening, and solver.softening is 0");
    run(sphere, {"evolve.end=0.25"});
    expect_refused({"evolve.restart=" + at("s_0001.hdf5"), "evolve.step=0.25"}, "evolve.step is 0.25");
    expect_refused({"evolve.restart=" + at("s_0001.hdf5"), "evolve.end=0.125"}, "evolve.end is 0.125");
}

TEST(BlockClock, StepsBeginAtTheirMultiples) {
    BlockClock clock(3);  // eight shortest steps
    clock.advance(3);
    EXPECT_EQ(clock.least_level(), 3);
    clock.advance(3);
    EXPECT_EQ(clock.least_level(), 2);
    clock.advance(2);
    EXPECT_EQ(clock.least_level(), 1);
    clock.advance(1);
    EXPECT_TRUE(clock.at_end());
    EXPECT_EQ(clock.least_level(), 0);
}

TEST(StepRule, Levels) {
    const StepRule rule{.largest = 1.0, .levels = 4};
    EXPECT_EQ(rule.level_of(2.0), 0);
    EXPECT_EQ(rule.level_of(1.0), 0);
    EXPECT_EQ(rule.level_of(0.9), 1);
    EXPECT_EQ(rule.level_of(1.0 / 16), 4);
    EXPECT_EQ(rule.level_of(1.0 / 17), 5);  // deeper than there is
    EXPECT_EQ(rule.level_of(0.0), 5);
    EXPECT_EQ(rule.level_of(INFINITY), 0);
}

}  // namespace
}  // namespace gravlet::test
