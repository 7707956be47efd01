// SPDX-License-Identifier: Apache-2.0
// Active targets, active_bits: same: whoever is asked for gets the bits of a solve for all; the others' results are left alone.
#include "physics/path_size.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace gravlet::test {
namespace {

// As `all` where flagged, untouched elsewhere.
void expect_active(const Result& got, const Result& all, const std::vector<std::uint8_t>& active) {
    const auto expect = [&](const std::vector<double>& a, const std::vector<double>& b, std::size_t i) {
        EXPECT_EQ(a[i], active[i] != 0 ? b[i] : Result::untouched) << i;
    };
    for (std::size_t i = 0; i < active.size(); ++i) {
        expect(got.potential, all.potential, i);
        for (std::size_t axis = 0; axis < 3; ++axis) expect(got.acceleration[axis], all.acceleration[axis], i);
    }
}

Options with_same_bits(Options options) {
    options.active_bits = ActiveBits::same;
    return options;
}

class Active : public testing::TestWithParam<Options> {};

TEST_P(Active, CellsAndPoints) {
    const BodyArrays mesh = part_of(random_mesh(3, 4)), points = part_of(random_points(4, 200));
    Solver solver(MPI_COMM_WORLD, with_same_bits(GetParam()));
    Result all(mesh.size()), all_points(points.size());
    solver.solve(mesh.cells(), all.fields(), points.points(), all_points.fields());
    const std::int64_t everyone = solver.report().targets;
    for (const double share : {0.0, 0.02, 0.5}) {
        const std::vector<std::uint8_t> active = draw_flags(mesh.size(), share, 1),
                                        active_points = draw_flags(points.size(), share, 1);
        Cells cells = mesh.cells();
        Points masses = points.points();
        cells.active = active;
        masses.active = active_points;
        Result some(mesh.size()), some_points(points.size());
        solver.solve(cells, some.fields(), masses, some_points.fields());
        expect_active(some, all, active);
        expect_active(some_points, all_points, active_points);
        long count = std::count(active.begin(), active.end(), 1) + std::count(active_points.begin(), active_points.end(), 1);
        MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_EQ(solver.report().targets, count);
    }
    // Flags of the cells alone, and of one rank alone.
    const std::vector<std::uint8_t> active = draw_flags(mesh.size(), 0.3, 1);
    Cells cells = mesh.cells();
    const bool flagged = world_rank() == 0;
    if (flagged) cells.active = active;
    Result some(mesh.size()), some_points(points.size());
    solver.solve(cells, some.fields(), points.points(), some_points.fields());
    expect_active(some, all, flagged ? active : std::vector<std::uint8_t>(mesh.size(), 1));
    EXPECT_EQ(some_points, all_points);
    EXPECT_LT(solver.report().targets, everyone);
}

/// The bits of a group that a GPU gives up for its long lists hang on how many were given up with it. There are few, but where
/// lists are short for tests: then up to 1.8e-4 (the defaults' error).
TEST_P(Active, Blocks) {
    const double of_given_up = std::getenv("GRAVLET_TEST_GPU") != nullptr ? path_size(0.0, 5e-4) : 0.0;
    const BlockMesh mesh({8, 8, 8});
    Solver solver(MPI_COMM_WORLD, with_same_bits(GetParam()));
    FlashArray all(mesh, 2), some(mesh, 2);
    solver.solve(all.blocks(mesh));
    const std::int64_t work = solver.report().node_interactions + solver.report().cell_interactions;
    std::vector<Block> blocks = some.blocks(mesh);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].active = b % 3 == 1;
    solver.solve(blocks);
    mesh.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
        for (int variable = 1; variable <= 4; ++variable)
            EXPECT_NEAR(some.at(variable, i, j, k, b), blocks[b].active ? all.at(variable, i, j, k, b) : guard_value,
                        of_given_up);
    });
    EXPECT_LT(solver.report().node_interactions + solver.report().cell_interactions, work);
}

constexpr std::array<Boundary, 3> all_periodic = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
constexpr Box box_of_points{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};

INSTANTIATE_TEST_SUITE_P(Solves, Active,
                         testing::Values(Options{.theta = 0.5}, Options{.theta = 0.8, .order = 4},
                                         Options{.boundary = all_periodic, .domain = box_of_points}, Options{.theta = 0.0},
                                         Options{.gpu_sharing = GpuSharing::gather}, Options{.gpu_sharing = GpuSharing::share}));

// Few active groups are walked as if all of the many were.
TEST(ActiveFlags, FewOfMany) {
    const BodyArrays bodies = part_of(random_points(7, 80'000));
    Solver solver(MPI_COMM_WORLD, with_same_bits({.theta = 1.0, .order = 2}));
    Result all(bodies.size()), some(bodies.size());
    solver.solve(bodies.points(), all.fields());
    const std::vector<std::uint8_t> active = draw_flags(bodies.size(), 0.005, 1);
    Points points = bodies.points();
    points.active = active;
    solver.solve(points, some.fields());
    expect_active(some, all, active);
}

TEST(ActiveFlags, SampledErrorsAreOfActiveTargets) {
    const BodyArrays mesh = part_of(random_mesh(3, 4));
    Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .error_samples = 1000000});
    Cells cells = mesh.cells();
    const std::vector<std::uint8_t> active = draw_flags(mesh.size(), 0.1, 1);
    cells.active = active;
    Result result(mesh.size());
    solver.solve(cells, result.fields());
    ASSERT_TRUE(solver.report().potential_error.has_value());
    EXPECT_EQ(solver.report().potential_error->samples, solver.report().targets);
    EXPECT_LT(solver.report().potential_error->max, 1.7e-6);
}

TEST(ActiveFlags, TheWorstErrorIsOfAnActiveTarget) {
    const BodyArrays mesh = part_of(random_mesh(3, 4));
    Solver solver(MPI_COMM_WORLD, {.theta = 0.7, .error_samples = 1000000});
    for (const double half : {0.0, 0.5}) {
        std::vector<std::uint8_t> active;
        for (const double x : mesh.x) active.push_back(x > half && x < half + 0.5 ? 1 : 0);
        Cells cells = mesh.cells();
        cells.active = active;
        Result result(mesh.size());
        solver.solve(cells, result.fields());
        for (const auto& errors : {solver.report().potential_error, solver.report().acceleration_error})
            EXPECT_NEAR(errors->worst[0], half + 0.25, 0.25);
    }
}

TEST(ActiveFlags, OfTheWrongNumber) {
    const BodyArrays mesh = part_of(random_mesh(3, 3));
    Solver solver(MPI_COMM_WORLD);
    Cells cells = mesh.cells();
    const std::vector<std::uint8_t> active(mesh.size() + 1, 1);
    if (world_rank() == 0) cells.active = active;
    Result result(mesh.size());
    const Caught caught = agreed([&] { solver.solve(cells, result.fields()); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_TRUE(caught.names("active of cells")) << caught.message;
    EXPECT_EQ(result, Result(mesh.size()));
}

}  // namespace
}  // namespace gravlet::test
