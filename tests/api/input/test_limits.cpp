// SPDX-License-Identifier: Apache-2.0
// Very large and very small numbers: the right answer, or an error that names what is out of range. Never NaN, and never 0 where
// there is mass.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/api/input/bad_cells.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);

struct Answer {
    Result cells, points;

    Answer(const BodyArrays& mesh, const BodyArrays& masses) : cells(mesh.size()), points(masses.size()) {}
    friend bool operator==(const Answer&, const Answer&) = default;
};

Caught solve(Solver& solver, const BodyArrays& mesh, const BodyArrays& points, Answer& answer) {
    return agreed([&] { solver.solve(mesh.cells(), answer.cells.fields(), points.points(), answer.points.fields()); });
}

void expect_refused(Solver& solver, const BodyArrays& mesh, const BodyArrays& points, const std::vector<std::string>& names) {
    Answer answer(mesh, points);
    const Caught caught = solve(solver, mesh, points, answer);
    EXPECT_EQ(caught.code, invalid_input) << caught.message;
    for (const std::string& name : names) EXPECT_TRUE(caught.names(name)) << name << ": " << caught.message;
    EXPECT_EQ(answer, Answer(mesh, points));
}

void expect_usable(Solver& solver, const BodyArrays& mesh, const BodyArrays& points) {
    Answer answer(mesh, points);
    const Caught caught = solve(solver, mesh, points, answer);
    EXPECT_EQ(caught.code, 0) << caught.message;
    EXPECT_LE(potential_errors(answer.cells, Naive(mesh, points, solver.options()).cells, {}, MPI_COMM_SELF).max, 2e-6);
}

/// The tree's answer is that of the direct sum.
void expect_right(const BodyArrays& mesh, const BodyArrays& points, Options options) {
    options.order = 4;
    options.theta = 0.2;
    Answer answer(mesh, points), exact(mesh, points);
    Solver tree(MPI_COMM_WORLD, options);
    EXPECT_EQ(solve(tree, mesh, points, answer).message, "");
    options.theta = 0.0;
    Solver direct(MPI_COMM_WORLD, options);
    EXPECT_EQ(solve(direct, mesh, points, exact).message, "");
    for (const auto& [got, right] : {std::pair(answer.cells, exact.cells), std::pair(answer.points, exact.points)}) {
        if (got.size() == 0) continue;
        EXPECT_LE(potential_errors(got, right, {}, MPI_COMM_SELF).max, 1.5e-6);
        EXPECT_LE(acceleration_errors(got, right, {}, MPI_COMM_SELF).max, 3e-6);
    }
}

/// 4^3 cells of side 1 on rank 0, and nothing elsewhere.
BodyArrays unit_cells() {
    BodyArrays cells;
    if (world_rank() == 0)
        for (int i = 0; i < 64; ++i) cells.add_cell(0.5 + i % 4, 0.5 + i / 4 % 4, 0.5 + i / 16, 1.0, 1.0 + 0.1 * (i % 7));
    return cells;
}

BodyArrays with_last(BodyArrays cells, double x, double side) {
    if (on_last_rank()) cells.add_cell(x, 0.5, 0.5, side, 1.0);
    return cells;
}

Box cube(double half) { return {{-half, -half, -half}, {half, half, half}}; }

TEST(Extent, ADomainTooLargeForItsCells) {
    Solver solver(MPI_COMM_WORLD, {.domain = cube(1e18)});
    expect_refused(solver, unit_cells(), {}, {"domain", "-1e+18", "2^41", "smallest cell, 1"});
    BodyArrays large = unit_cells();
    for (auto* values : {&large.x, &large.y, &large.z, &large.dx})
        for (double& value : *values) value *= 1e15;
    expect_usable(solver, large, {});
}

TEST(Extent, BodiesTooFarForTheCells) {
    Solver solver(MPI_COMM_WORLD);
    BodyArrays far;
    if (on_last_rank()) far.add_point(0.0, -1e30, 0.0, 1.0);
    for (const double distance : {1e30, -1e16}) {
        expect_refused(solver, with_last(unit_cells(), distance, 1.0), {}, {"the cells", "2^41", "smallest cell, 1"});
        expect_usable(solver, unit_cells(), {});
    }
    expect_refused(solver, unit_cells(), far, {"cells and points", "-1e+30", "2^41", "smallest cell, 1"});
    expect_usable(solver, unit_cells(), {});
}

TEST(Extent, UpToTheLimitIsRight) {
    const double longest = 0x1p41;
    expect_right(unit_cells(), {}, {.domain = Box{{0, 0, 0}, {longest, longest, longest}}});
    expect_right(with_last(unit_cells(), longest - 0.5, 1.0), {}, {});
    Solver solver(MPI_COMM_WORLD);
    expect_refused(solver, with_last(unit_cells(), 1.001 * longest, 1.0), {}, {"2^41"});
}

TEST(Extent, PointsNextToNothingApart) {
    Solver solver(MPI_COMM_WORLD);
    BodyArrays points;
    for (const double x : {0.0, 1e-100}) points.add_point(x, 0.0, 0.0, 1.0);
    expect_refused(solver, {}, points, {"1e-100", "1e-60"});
    points.x[1] = 1.0;
    expect_usable(solver, {}, points);
}

TEST(Softening, FarLargerThanTheSystem) {
    const BodyArrays points = random_points(3, 300);
    for (const double softening : {1e3, 1e10, 1e20, 1e30}) expect_right({}, points, {.softening = softening});
    for (const double softening : {1e3, 1e12}) expect_right(unit_cells(), points, {.softening = softening});
    BodyArrays pair;  // at one place, which has no extent
    if (world_rank() == 0)
        for (const double mass : {1.0, 2.0}) pair.add_point(0.5, 0.0, 0.0, mass);
    Answer answer({}, pair);
    Solver solver(MPI_COMM_WORLD, {.softening = 1e20});
    EXPECT_EQ(solve(solver, {}, pair, answer).message, "");
    for (std::size_t i = 0; i < pair.size(); ++i) EXPECT_NEAR(answer.points.potential[i], -(3.0 - pair.mass[i]) / 1e20, 1e-26);
}

TEST(Softening, TooLargeForTheCells) {
    Solver solver(MPI_COMM_WORLD, {.softening = 1e20});
    expect_refused(solver, unit_cells(), random_points(3, 10), {"softening is 1e+20", "smallest cell, 1"});
    expect_usable(solver, unit_cells(), {});
}

TEST(Masses, AllTooSmall) {
    Solver solver(MPI_COMM_WORLD);
    for (const double mass : {1e-110, 1e-320}) {
        BodyArrays cells = unit_cells();
        for (double& m : cells.mass) m = mass;
        expect_refused(solver, cells, {}, {"mass"});
    }
    BodyArrays cells = unit_cells();
    if (!cells.mass.empty()) cells.mass[5] = cells.mass[6] = 5e-324;  // next to others, no matter
    expect_right(cells, {}, {});
    expect_usable(solver, unit_cells(), {});
}

TEST(Masses, SumsThatOverflow) {
    Solver solver(MPI_COMM_WORLD);
    BodyArrays cells = unit_cells();
    for (double& m : cells.mass) m = 1e308;
    expect_refused(solver, cells, {}, {"cell 0", "1e+308"});
    expect_usable(solver, unit_cells(), {});
}

class Densities : public testing::Test {
protected:
    /// A block of 2^3 cells on the last rank, and what became of it.
    Caught solve(const std::array<double, 3>& side, const std::vector<double>& density) {
        potential.assign(8, Result::untouched);
        std::vector<Block> blocks;
        if (on_last_rank()) blocks = {block_with_guards({0, 0, 0}, side, {2, 2, 2}, 0, density.data(), potential.data())};
        return agreed([&] { solver.solve(blocks); });
    }
    Solver solver{MPI_COMM_WORLD};
    std::vector<double> potential;
};

TEST_F(Densities, OfCellsTooSmall) {
    const Caught caught = solve({1e-110, 1e-110, 1e-110}, std::vector<double>(8, 1.0));
    EXPECT_EQ(caught.code, invalid_input) << caught.message;
    EXPECT_TRUE(caught.names("block 0: cell size 1e-110")) << caught.message;
    EXPECT_EQ(potential, std::vector<double>(8, Result::untouched));
    EXPECT_EQ(solve({1, 1, 1}, std::vector<double>(8, 1.0)).code, 0);
}

// The mass of each cell is no number any more.
TEST_F(Densities, TooSmallForTheirCells) {
    const Caught caught = solve({1e-10, 1e-10, 1e-10}, std::vector<double>(8, 1e-300));
    EXPECT_EQ(caught.code, invalid_input) << caught.message;
    EXPECT_TRUE(caught.names("mass")) << caught.message;
    EXPECT_EQ(potential, std::vector<double>(8, Result::untouched));
    std::vector<double> density(8, 1e-300);  // the tail of a profile
    density[3] = 1.0;
    EXPECT_EQ(solve({1e-10, 1e-10, 1e-10}, density).code, 0);
    EXPECT_EQ(solve({1e-10, 1e-10, 1e-10}, std::vector<double>(8, 0.0)).code, 0);
    EXPECT_EQ(potential, std::vector<double>(8, on_last_rank() ? 0.0 : Result::untouched));
}

// A rod acts on itself by 2/L (ln(L/a) + c), whatever its sides.
TEST(Sides, OfRods) {
    Solver solver(MPI_COMM_WORLD);
    std::vector<double> potential;
    for (const double side : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
        BodyArrays rod;
        if (world_rank() == 0) {
            rod.add_cell(0, 0, 0, 1.0, 1.0);
            rod.dy = rod.dz = {side};
        }
        Result result(rod.size());
        EXPECT_EQ(agreed([&] { solver.solve(rod.cells(), result.fields()); }).message, "");
        potential.insert(potential.end(), result.potential.begin(), result.potential.end());
    }
    for (std::size_t k = 1; k < potential.size(); ++k)
        EXPECT_NEAR(potential[k], potential[k - 1] - 2.0 * std::log(100.0), 1e-8) << k;
}

// At the corners of what is allowed a solve is the unit system's in other units.
TEST(Limits, AnySystemOfUnits) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    for (const double theta : {0.5, 0.0}) {
        Result unit(mesh.size());
        Solver(MPI_COMM_WORLD, {.theta = theta}).solve(mesh.cells(), unit.fields());
        for (const double length : {0x1p-195, 0x1p198})    // the smallest cells are an eighth, 3e-60; 4e59
            for (const double mass : {0x1p-321, 0x1p332})  // the largest mass is above 1e-3: 2e-100 ... 9e99
                for (const double G : {0x1p-265, 0x1p265}) {
                    BodyArrays scaled = mesh;
                    for (auto* values : {&scaled.x, &scaled.y, &scaled.z, &scaled.dx})
                        for (double& value : *values) value *= length;
                    for (double& value : scaled.mass) value *= mass;
                    Solver solver(MPI_COMM_WORLD, {.theta = theta, .G = G});
                    Result result(mesh.size());
                    EXPECT_EQ(agreed([&] { solver.solve(scaled.cells(), result.fields()); }).message, "");
                    for (double& value : result.potential) value /= G * mass / length;
                    for (auto& axis : result.acceleration)
                        for (double& value : axis) value /= G * mass / length / length;
                    EXPECT_EQ(result, unit);
                }
    }
}

}  // namespace
}  // namespace gravlet::test
