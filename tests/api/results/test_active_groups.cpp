// SPDX-License-Identifier: Apache-2.0
// Active targets in groups of their own (active_bits: any): as good as in a solve for all, the same bits each time, and less
// work.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

/// Cells and points of a rank, and their results.
struct Bodies {
    BodyArrays mesh, points;
    std::vector<std::uint8_t> active, active_points;
    Result cells{0}, of_points{0};

    void solve(Solver& solver, bool tides) {
        cells = Result(mesh.size()), of_points = Result(points.size());
        Cells given = mesh.cells();
        Points masses = points.points();
        given.active = active, masses.active = active_points;
        if (mesh.size() + static_cast<std::size_t>(world_size() > 1) == 0)
            solver.solve(masses, tides ? of_points.all_fields() : of_points.fields());
        else
            solver.solve(given, tides ? cells.all_fields() : cells.fields(), masses,
                         tides ? of_points.all_fields() : of_points.fields());
    }
};

/// Largest errors of the potential, the acceleration, the tidal tensor at active targets, in units of the rms over all bodies.
using Errors = std::array<double, 3>;

Errors errors_of(const Bodies& got, const Bodies& truth, bool tides) {
    std::array<double, 6> sums{};  // squares of each, and the largest square of each error
    double count = 0.0;
    const auto add = [&](const Result& a, const Result& b, const std::vector<std::uint8_t>& active) {
        for (std::size_t i = 0; i < b.potential.size(); ++i) {
            const bool asked = active.empty() || active[i] != 0;
            if (!asked) {
                EXPECT_EQ(a.potential[i], Result::untouched);
            }
            ++count;
            double error[3] = {};
            const auto compare = [&](std::size_t kind, double x, double y) {
                sums[kind] += y * y, error[kind] += asked ? (x - y) * (x - y) : 0.0;
            };
            compare(0, a.potential[i], b.potential[i]);
            for (std::size_t d = 0; d < 3; ++d) compare(1, a.acceleration[d][i], b.acceleration[d][i]);
            for (std::size_t k = 0; tides && k < 6; ++k) compare(2, a.tidal[k][i], b.tidal[k][i]);
            for (std::size_t kind = 0; kind < 3; ++kind) sums[3 + kind] = std::max(sums[3 + kind], error[kind]);
        }
    };
    add(got.cells, truth.cells, got.active);
    add(got.of_points, truth.of_points, got.active_points);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sums.data() + 3, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    Errors out{};
    for (std::size_t kind = 0; kind < 3 && count > 0.0; ++kind)
        out[kind] = std::sqrt(sums[3 + kind] / std::max(sums[kind] / count, 1e-300));
    return out;
}

struct Case {
    std::string name;
    Options options;
    bool cells = true, points = true, tides = false, lengths = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr std::array<Boundary, 3> all_periodic = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
constexpr Box box_of_points{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};

std::vector<Case> cases() {
    std::vector<Case> all;
    all.push_back({"defaults", {}});
    all.push_back({"points", {.theta = 0.6, .order = 3, .softening = 0.003}, false});
    all.push_back({"cells", {.theta = 0.5, .order = 2}, true, false});
    all.push_back({"tides", {.theta = 0.5, .order = 4}, true, true, true});
    all.push_back({"lengths", {.theta = 0.5, .order = 2}, true, true, false, true});
    all.push_back({"spline", {.theta = 0.5, .order = 2, .softening_kernel = SofteningKernel::spline}, false, true, true, true});
    all.push_back({"periodic", {.boundary = all_periodic, .domain = box_of_points}});
    all.push_back({"acceleration", {.order = 2, .criterion = Criterion::acceleration, .alpha = 0.005}});
    all.push_back({"points, acceleration", {.order = 2, .criterion = Criterion::acceleration, .alpha = 0.005}, false});
    all.push_back({"near cells", {.theta = 0.5, .near_cells = NearCells::cuboid}});
    return all;
}

class ActiveGroups : public testing::TestWithParam<Case> {};

TEST_P(ActiveGroups, AsGoodAsAll) {
    const Case& c = GetParam();
    Bodies bodies;
    if (c.cells) bodies.mesh = part_of(random_mesh(3, 5));
    if (c.points) bodies.points = random_points(4, 6000);
    if (c.lengths)
        for (std::size_t i = 0; i < bodies.points.size(); ++i) bodies.points.softening.push_back(i % 7 == 0 ? 0.02 : 1e-4);
    if (c.points) bodies.points = part_of(bodies.points);
    Options options = c.options, exact = c.options;
    exact.theta = 0.0, exact.criterion = Criterion::opening, exact.alpha = automatic;
    Solver solver(MPI_COMM_WORLD, options), direct(MPI_COMM_WORLD, exact);
    Bodies truth = bodies;
    truth.solve(direct, c.tides);
    bodies.solve(solver, c.tides);
    const Errors of_all = errors_of(bodies, truth, c.tides);
    const double all_pairs = static_cast<double>(solver.report().node_interactions + solver.report().cell_interactions);
    for (const double share : {0.3, 0.03, 0.002, 0.0}) {
        bodies.active = draw_flags(bodies.mesh.size(), share, 11),
        bodies.active_points = draw_flags(bodies.points.size(), share, 11);
        bodies.solve(solver, c.tides);
        const Errors some = errors_of(bodies, truth, c.tides);
        if (world_rank() == 0)
            std::printf("%s %g: %.2e %.2e %.2e of %.2e %.2e %.2e\n", c.name.c_str(), share, some[0], some[1], some[2], of_all[0],
                        of_all[1], of_all[2]);
        constexpr Errors rounding{1e-7, 1e-6, 2e-5};  // of the potential, the acceleration, tides of near pairs
        for (std::size_t kind = 0; kind < 3; ++kind) EXPECT_LE(some[kind], 2.0 * of_all[kind] + rounding[kind]) << share;
        const double pairs = static_cast<double>(solver.report().node_interactions + solver.report().cell_interactions);
        EXPECT_LT(pairs, 0.9 * all_pairs) << share;
        const Bodies first = bodies;
        bodies.solve(solver, c.tides);
        EXPECT_EQ(bodies.cells, first.cells);
        EXPECT_EQ(bodies.of_points, first.of_points);
        Solver fresh(MPI_COMM_WORLD, options);
        bodies.solve(fresh, c.tides);
        EXPECT_EQ(bodies.cells, first.cells);
        EXPECT_EQ(bodies.of_points, first.of_points);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, ActiveGroups, testing::ValuesIn(cases()));

// What acts on one target of a rank alone, and on none of the others.
TEST(ActiveGroup, OneTarget) {
    Bodies bodies, truth;
    bodies.points = truth.points = part_of(random_points(5, 5000));
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 4}), direct(MPI_COMM_WORLD, {.theta = 0.0});
    bodies.active_points.assign(bodies.points.size(), 0);
    if (world_rank() == world_size() - 1) bodies.active_points[bodies.points.size() / 2] = 1;
    truth.solve(direct, false);
    bodies.solve(solver, false);
    EXPECT_EQ(solver.report().targets, 1);
    const Errors errors = errors_of(bodies, truth, false);
    EXPECT_LT(errors[0], 1e-6);
    EXPECT_LT(errors[1], 1e-5);
}

// Bodies at one place leave each other out, whoever of them is active.
TEST(ActiveGroup, BodiesAtOnePlace) {
    Bodies bodies, truth;
    BodyArrays all = random_points(6, 3000);
    for (std::size_t i = 1; i < all.size(); i += 3) all.x[i] = all.x[i - 1], all.y[i] = all.y[i - 1], all.z[i] = all.z[i - 1];
    bodies.points = truth.points = part_of(all);
    bodies.active_points.assign(bodies.points.size(), 0);
    for (std::size_t i = 0; i < bodies.points.size(); i += 5) bodies.active_points[i] = 1;
    truth.active_points = bodies.active_points;
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 4}), direct(MPI_COMM_WORLD, {.theta = 0.0});
    truth.solve(direct, false);
    bodies.solve(solver, false);
    EXPECT_EQ(solver.report().coincident_pairs, direct.report().coincident_pairs);
    truth.active_points.clear();
    truth.solve(direct, false);
    const Errors errors = errors_of(bodies, truth, false);
    EXPECT_LT(errors[0], 1e-5);
    EXPECT_LT(errors[1], 1e-3);
}

// A star is pulled by all bodies, whoever of them is active.
TEST(ActiveGroup, HeavyBody) {
    Bodies bodies, truth;
    BodyArrays all = random_points(8, 3000);
    all.mass[100] = 1e3;
    bodies.points = truth.points = part_of(all);
    for (std::size_t i = 0; i < bodies.points.size(); ++i)
        bodies.active_points.push_back(i % 50 == 7 || bodies.points.mass[i] == 1e3 ? 1 : 0);
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 4}), direct(MPI_COMM_WORLD, {.theta = 0.0});
    truth.solve(direct, false);
    bodies.solve(solver, false);
    const Errors errors = errors_of(bodies, truth, false);
    if (world_rank() == 0) std::printf("heavy: %.2e %.2e\n", errors[0], errors[1]);
    EXPECT_LT(errors[0], 3e-12);
    EXPECT_LT(errors[1], 1e-12);
}

// However few: a target meets about as much as in a solve for all.
TEST(ActiveGroup, WorkIsTheirShare) {
    Bodies bodies;
    bodies.points = part_of(random_points(7, 100'000));
    Solver solver(MPI_COMM_WORLD, {.theta = 0.8, .order = 2});
    const auto pairs_a_target = [&] {
        bodies.solve(solver, false);
        const Report& report = solver.report();
        return static_cast<double>(report.node_interactions + report.cell_interactions) / static_cast<double>(report.targets);
    };
    const double whole = pairs_a_target();
    for (const double share : {0.1, 0.01, 0.001}) {
        bodies.active_points = draw_flags(bodies.points.size(), share, 11);
        const double some = pairs_a_target();
        if (world_rank() == 0) std::printf("pairs %g: %.3f\n", share, some / whole);
        EXPECT_LT(some, 2.0 * whole) << share;
    }
}

}  // namespace
}  // namespace gravlet::test
