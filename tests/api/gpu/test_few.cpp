// SPDX-License-Identifier: Apache-2.0
// Few bodies on a GPU act one by one unless the host has a say in it: every target has what the direct sum in double gives it, in
// all cases that a pair has.
#include "tests/api/worst/worst_cases.hpp"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace gravlet::test {
namespace {

/// On several ranks one solves for all: there is one device. (Said before anybody looks for devices.)
[[maybe_unused]] const int one_device = setenv("CUDA_VISIBLE_DEVICES", "0", 1);
Options usual() { return {.gpu_sharing = GpuSharing::gather}; }

struct Solved {
    Result cells, points;
    Report report;
};

Solved solve(const WorstCase& mine, const Options& options, int derivatives) {
    Solver solver(MPI_COMM_WORLD, options);
    Solved out{Result(mine.cells.size(), 0.0), Result(mine.points.size(), 0.0), {}};
    const auto fields = [&](Result& r) {
        return derivatives == 0 ? r.potential_only() : derivatives == 1 ? r.fields() : r.all_fields();
    };
    solver.solve(mine.cells.cells(), fields(out.cells), mine.points.points(), fields(out.points));
    out.report = solver.report();
    return out;
}

template <std::size_t N>
double difference(const std::array<std::vector<double>, N>& a, const std::array<std::vector<double>, N>& b, std::size_t i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < N; ++k) sum += std::pow(a[k][i] - b[k][i], 2);
    return std::sqrt(sum);
}

/// Of a field with so many derivatives, what would pull at a target if nothing cancelled.
double pulls(const WorstCase& all, const Options& options, double x, double y, double z, double own, int derivatives) {
    double sum = 0.0;
    for (const BodyArrays* sources : {&all.cells, &all.points})
        for (std::size_t s = 0; s < sources->size(); ++s) {
            const double dx = sources->x[s] - x, dy = sources->y[s] - y, dz = sources->z[s] - z, r2 = dx * dx + dy * dy + dz * dz;
            const bool cell = !sources->dx.empty();
            const double length = std::max(own, cell                         ? 0.0
                                                : sources->softening.empty() ? options.softening
                                                                             : sources->softening[s]);
            if (r2 > 0.0 || length > 0.0) sum += sources->mass[s] * std::pow(r2 + length * length, -0.5 * (derivatives + 1));
        }
    return sum;
}

/// The largest over all targets, by derivatives.
std::array<double, 3> worst(const WorstCase& all, const WorstCase& mine, const Options& options, const Solved& got,
                            const Solved& truth, int derivatives) {
    std::array<double, 3> out{};
    const auto look = [&](const BodyArrays& at, const Result& a, const Result& b) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            const double own = !at.dx.empty() ? 0.0 : at.softening.empty() ? options.softening : at.softening[i];
            const std::array errors = {std::abs(a.potential[i] - b.potential[i]), difference(a.acceleration, b.acceleration, i),
                                       difference(a.tidal, b.tidal, i)};
            for (int d = 0; d <= derivatives; ++d) {
                const auto k = static_cast<std::size_t>(d);
                out[k] = std::max(out[k], errors[k] / pulls(all, options, at.x[i], at.y[i], at.z[i], own, d));
            }
        }
    };
    look(mine.cells, got.cells, truth.cells), look(mine.points, got.points, truth.points);
    MPI_Allreduce(MPI_IN_PLACE, out.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return out;
}

void expect_as_direct(const WorstCase& all, const Options& options, int derivatives) {
    const WorstCase mine{all.name, part_of(all.cells), part_of(all.points)};
    const Solved got = solve(mine, options, derivatives);
    EXPECT_EQ(got.report.node_interactions + got.report.far_interactions, 0) << all.name;
    Options direct = options;
    direct.theta = 0.0;
    const Solved truth = solve(mine, direct, derivatives);
    EXPECT_EQ(got.report.coincident_pairs, truth.report.coincident_pairs) << all.name;
    const std::array<double, 3> errors = worst(all, mine, options, got, truth, derivatives);
    testing::Test::RecordProperty(fmt::format("{} {}", all.name, derivatives),
                                  fmt::format("{:.2e} {:.2e} {:.2e}", errors[0], errors[1], errors[2]));
    // Masses of cells and of softened points are floats, those of other points have 46 bits.
    const bool floats = !all.cells.x.empty() || !all.points.softening.empty() || options.softening > 0.0;
    for (const double error : errors) EXPECT_LE(error, floats ? 1.2e-7 : 4e-14) << all.name;
}

TEST(Few, EveryDistribution) {
    using namespace gravlet::test::worst;
    constexpr std::size_t n = 3000;
    for (const WorstCase& c :
         {plummer(n), star_in_disc(n), levy_flight(n), thin_shell(n), diagonal(n), heavy_cell(4), two_sinks(4)})
        for (const int derivatives : {0, 1, 2}) expect_as_direct(c, usual(), derivatives);
}

TEST(Few, EveryNumber) {
    for (const std::size_t n : {1, 2, 31, 32, 33, 63, 64, 65, 511, 512, 513, 1000})
        expect_as_direct(worst::plummer(n), usual(), 1);
}

TEST(Few, Softened) {
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        Options options = usual();
        options.softening = 0.05, options.softening_kernel = kernel;
        WorstCase mixed = worst::two_sinks(4);
        for (const int derivatives : {0, 1, 2}) {
            expect_as_direct(worst::plummer(2000), options, derivatives);
            expect_as_direct(mixed, options, derivatives);
        }
        WorstCase lengths = worst::plummer(2000);
        for (std::size_t i = 0; i < lengths.points.size(); ++i)
            lengths.points.softening.push_back(i % 3 == 0 ? 0.0 : std::pow(10.0, -static_cast<double>(i % 7)));
        expect_as_direct(lengths, options, 1);
    }
}

/// Far from zero; pairs from touching to the box's length, all of them near zero, where positions are finest; some at one place.
TEST(Few, NearAndFar) {
    worst::Random random(3);
    WorstCase far{"far from zero", {}, random_points(4, 2000)};
    for (double& x : far.points.x) x += 1e5;
    expect_as_direct(far, usual(), 1);
    WorstCase scales{"all scales", {}, {}};
    for (std::size_t i = 0; i < 2000; ++i)
        worst::add_on_sphere(scales.points, random, std::pow(10.0, -static_cast<double>(i % 20)), 1.0);
    expect_as_direct(scales, usual(), 1);
    WorstCase pairs{"pairs at one place", {}, random_points(5, 1000)};
    for (std::size_t i = 0; i < 100; ++i) pairs.points.add_point(pairs.points.x[i], pairs.points.y[i], pairs.points.z[i], 0.3);
    expect_as_direct(pairs, usual(), 1);
}

TEST(Few, ActiveTargetsAndKeptTreesGetTheSameBits) {
    const BodyArrays mine = part_of(worst::plummer(5000).points);
    Solver solver(MPI_COMM_WORLD, usual());
    Result everyone(mine.size()), again(mine.size()), some(mine.size());
    solver.solve(mine.points(), everyone.fields());
    solver.solve(mine.points(), again.fields());
    EXPECT_EQ(everyone, again);
    std::vector<std::uint8_t> active(mine.size(), 0);
    for (std::size_t i = 0; i < mine.size(); i += 7) active[i] = 1;
    Points points = mine.points();
    points.active = active;
    solver.solve(points, some.fields());
    for (std::size_t i = 0; i < mine.size(); ++i)
        EXPECT_EQ(some.potential[i], active[i] != 0 ? everyone.potential[i] : Result::untouched);
}

TEST(Few, AHostThatChoosesGetsATree) {
    const WorstCase all = worst::plummer(5000), mine{all.name, {}, part_of(all.points)};
    const auto nodes = [&](const Options& options) { return solve(mine, options, 1).report.node_interactions; };
    Options theta = usual(), order = usual(), criterion = usual(), tolerance = usual();
    theta.theta = 1.0, order.order = 4, criterion.criterion = Criterion::opening, tolerance.tolerance = 1e-3;
    for (const Options& options : {theta, order, criterion, tolerance}) EXPECT_GT(nodes(options), 0);
    const WorstCase many = worst::plummer(40'000), part{many.name, {}, part_of(many.points)};
    EXPECT_GT(solve(part, usual(), 1).report.node_interactions, 0);
}

}  // namespace
}  // namespace gravlet::test
