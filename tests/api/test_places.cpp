// SPDX-License-Identifier: Apache-2.0
// Many points at one place act as one, and cost what one does: against naive loops, softened and not, among others and tracers,
// in all ways of walking, kept from solve to solve.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gravlet::test {
namespace {

constexpr std::size_t crowd = 1500, second = 300;

/// A crowd of which every rank has its share, and one that is the last rank's; points around both, some of them very near, some
/// without mass, some at the very places but softened otherwise.
BodyArrays crowds(bool own_lengths) {
    BodyArrays all = random_points(1, 500);
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    for (std::size_t i = 0; i < crowd; ++i) all.add_point(0.3, 0.1 + 0.2, 0.7, 1e-3 * uniform(random));
    for (std::size_t i = 0; i < 20; ++i) all.add_point(0.3, 0.1 + 0.2, 0.7, 0.0);
    for (std::size_t i = 0; i < 30; ++i) all.add_point(0.3 + 1e-9 * uniform(random), 0.1 + 0.2, 0.7, 1e-3);
    for (std::size_t i = 0; i < second; ++i) all.add_point(-0.1, 0.9, 1.0 / 3.0, 2e-3);
    if (!own_lengths) return all;
    for (std::size_t i = 0; i < all.size(); ++i) all.softening.push_back(i % 40 == 7 ? 0.03 : 0.002);
    return all;
}

BodyArrays shares(const BodyArrays& all) {
    return part_of(all, [&](std::size_t i) {
        const std::size_t ranks = static_cast<std::size_t>(world_size());
        return static_cast<int>(i + second >= all.size() ? ranks - 1 : i % ranks);
    });
}

/// Pairs at distance zero that a report counts: a crowd is one to another rank's points, and to those without mass.
std::int64_t counted_pairs(const BodyArrays& mine) {
    std::int64_t here[2] = {}, targets[2] = {};
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const bool first = mine.x[i] == 0.3, other = mine.x[i] == -0.1;
        if (first || other) ++targets[other];
        if ((first || other) && mine.mass[i] > 0.0) ++here[other];
    }
    std::int64_t pairs = 0;
    for (int k = 0; k < 2; ++k) pairs += here[k] * (here[k] - 1) + (here[k] > 0 ? targets[k] - here[k] : 0);
    std::int64_t holders = here[0] > 0 ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &holders, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    pairs += targets[0] * (holders - (here[0] > 0 ? 1 : 0));
    MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return pairs;
}

std::int64_t interactions(const Report& report) { return report.cell_interactions + report.node_interactions; }

/// Errors next to the pull of the crowd from 0.1 away: at the crowds' own places nearly nothing pulls.
void expect_right(const BodyArrays& all, const BodyArrays& mine, const Options& options, double potential, double acceleration) {
    SCOPED_TRACE(testing::Message() << "theta " << options.theta << ", order " << options.order << ", softening "
                                    << options.softening << ", " << to_string(options.softening_kernel) << ", "
                                    << to_string(options.criterion) << ", " << to_string(options.precision));
    const Naive naive(BodyArrays(), all, options);
    Options taken = options;
    taken.gpu_sharing = GpuSharing::share;  // ranks that gather on a GPU count as one
    Solver solver(MPI_COMM_WORLD, taken);
    Result result(mine.size());
    solver.solve(mine.points(), result.fields());
    EXPECT_LE(potential_errors(result, naive.points, mine.index).max, potential);
    double worst = 0.0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        double norm = 0.0, error = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double exact = naive.points.acceleration[d][mine.index[k]];
            norm += exact * exact, error += std::pow(result.acceleration[d][k] - exact, 2);
        }
        worst = std::max(worst, std::sqrt(error) / (std::sqrt(norm) + 1.0));
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_LE(worst, acceleration);
    const bool softened = options.softening > 0.0 || !all.softening.empty();
    EXPECT_EQ(solver.report().coincident_pairs, softened ? 0 : counted_pairs(mine));
    EXPECT_LT(interactions(solver.report()), std::int64_t{700} * static_cast<std::int64_t>(all.size()));
}

TEST(Places, ActAsOne) {
    const BodyArrays all = crowds(false), mine = shares(all);
    for (const double softening : {0.0, 0.002}) {
        expect_right(all, mine, {.theta = 0.4, .order = 4, .softening = softening}, 2e-6, 1e-5);
        expect_right(all, mine, {.order = 4, .criterion = Criterion::acceleration, .alpha = 1e-3, .softening = softening}, 2e-6,
                     2e-4);
        expect_right(all, mine, {.theta = 0.4, .order = 4, .precision = Precision::double_, .softening = softening}, 2e-6, 1e-5);
    }
    expect_right(all, mine, {.theta = 0.4, .order = 4, .softening_kernel = SofteningKernel::spline, .softening = 0.002}, 2e-6,
                 2.5e-5);
}

TEST(Places, OfTwoLengths) {
    const BodyArrays all = crowds(true), mine = shares(all);
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline})
        expect_right(all, mine, {.theta = 0.4, .order = 4, .softening_kernel = kernel}, 2.5e-5, 2e-4);
}

/// The largest differences from another result of some targets, next to the largest of each kind.
std::array<double, 3> differences(const Result& got, const Result& other, const std::vector<std::uint8_t>& asked) {
    std::array<double, 3> worst{}, largest{};
    const auto compare = [&](std::size_t degree, const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!asked.empty() && asked[i] == 0) continue;
            worst[degree] = std::max(worst[degree], std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : infinity);
            largest[degree] = std::max(largest[degree], std::abs(b[i]));
        }
    };
    compare(0, got.potential, other.potential);
    for (std::size_t d = 0; d < 3; ++d) compare(1, got.acceleration[d], other.acceleration[d]);
    for (std::size_t d = 0; d < 6; ++d) compare(2, got.tidal[d], other.tidal[d]);
    for (std::array<double, 3>* of : {&worst, &largest})
        MPI_Allreduce(MPI_IN_PLACE, of->data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (std::size_t k = 0; k < 3; ++k) worst[k] /= largest[k];
    return worst;
}

/// Against the direct sum, in which all act on all.
void expect_as_directly(Options options, bool tidal) {
    const BodyArrays mine = shares(crowds(false));
    for (const double softening : {0.0, 0.01}) {
        SCOPED_TRACE(testing::Message() << "softening " << softening);
        options.softening = softening;
        Options direct = options;
        direct.theta = 0.0;
        Result got(mine.size(), 0.0), exact(mine.size(), 0.0);
        Solver(MPI_COMM_WORLD, options).solve(mine.points(), tidal ? got.all_fields() : got.fields());
        Solver(MPI_COMM_WORLD, direct).solve(mine.points(), tidal ? exact.all_fields() : exact.fields());
        const auto worst = differences(got, exact, {});
        EXPECT_LE(worst[0], 2e-6);
        EXPECT_LE(worst[1], 2e-6);
        EXPECT_LE(tidal ? worst[2] : 0.0, 2e-6);
    }
}

TEST(Places, Tides) { expect_as_directly({.theta = 0.4, .order = 4}, true); }

TEST(Places, InPeriodicBoxes) {
    Options options{.theta = 0.4, .order = 4};
    options.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    options.domain = {{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
    expect_as_directly(options, false);
    options.periodic_method = PeriodicMethod::table;
    expect_as_directly(options, false);
}

TEST(Places, OfFewActive) {
    const BodyArrays mine = shares(crowds(false));
    for (const double softening : {0.0, 0.01}) {
        for (const double share : {0.02, 0.6}) {
            const Options options{.theta = 0.4, .order = 4, .softening = softening};
            const std::vector<std::uint8_t> active = draw_flags(mine.size(), share, 5);
            Result got(mine.size()), whole(mine.size());
            Points some = mine.points();
            some.active = active;
            Solver(MPI_COMM_WORLD, options).solve(some, got.fields());
            Solver(MPI_COMM_WORLD, options).solve(mine.points(), whole.fields());
            const auto worst = differences(got, whole, active);
            EXPECT_LE(worst[0], 2e-6);
            EXPECT_LE(worst[1], 2e-6);
        }
    }
}

/// Two crowds that no key tells apart, whose points come by turns: each is a source.
TEST(Places, TooNearToTellApart) {
    BodyArrays all = random_points(7, 200);
    for (int i = 0; i < 60; ++i) all.add_point(i % 2 == 0 ? 0.3 : std::nextafter(0.3, 1.0), 0.3, 0.7, 1e-4);
    const BodyArrays mine = shares(all);
    const auto solved = [&](double theta) {
        Result result(mine.size(), 0.0);
        Solver(MPI_COMM_WORLD, {.theta = theta, .order = 4, .softening = 0.01}).solve(mine.points(), result.fields());
        return result;
    };
    const auto worst = differences(solved(0.4), solved(0.0), {});
    EXPECT_LE(worst[0], 2e-6);
    EXPECT_LE(worst[1], 2e-6);
}

/// A crowd whose masses change, that moves as one, that dissolves and forms again: as by a solver that keeps nothing.
TEST(Places, InKeptTrees) {
    BodyArrays mine = shares(crowds(false));
    const std::vector<double> places = mine.x;
    Options options{.theta = 0.4, .order = 4, .softening = 0.01};
    options.keep_moved = true;
    Solver keeping(MPI_COMM_WORLD, options);
    options.keep_moved = options.keep_tree = false;
    Solver building(MPI_COMM_WORLD, options);
    const auto expect_alike = [&](const char* what) {
        Result kept(mine.size()), built(mine.size());
        keeping.solve(mine.points(), kept.fields());
        building.solve(mine.points(), built.fields());
        const auto worst = differences(kept, built, {});
        EXPECT_LE(worst[0], 2e-6) << what;
        EXPECT_LE(worst[1], 5e-6) << what;
    };
    expect_alike("first");
    expect_alike("as before");
    for (std::size_t i = 0; i < mine.size(); ++i) mine.mass[i] *= 1.0 + 0.3 * std::sin(static_cast<double>(i));
    expect_alike("other masses");
    for (double& x : mine.x) x += 1e-3;
    expect_alike("moved");
    for (std::size_t i = 0; i < mine.size(); ++i) mine.x[i] += 1e-3 * std::sin(static_cast<double>(i));
    expect_alike("dissolved");
    mine.x = places;
    expect_alike("formed again");
}

}  // namespace
}  // namespace gravlet::test
