// SPDX-License-Identifier: Apache-2.0
// Bad input is one error with one message on every rank, names the culprit, leaves results alone and the solver usable.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/api/input/bad_cells.hpp"

#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int invalid_option = static_cast<int>(ErrorCode::invalid_option);
constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);

class BadCells : public testing::Test {
protected:
    BadCells()
        : mesh_(part_of(random_mesh(1, 3))), solver_(MPI_COMM_WORLD, {.domain = Box{{0, 0, 0}, {1, 1, 1}}}), good_(mesh_.size()) {
        solver_.solve(mesh_.cells(), good_.fields());
    }

    // Solves with the last rank's part of the mesh spoilt, and then with the good mesh.
    void expect_named(const Spoil& spoil, const std::string& place = std::to_string(culprit), int rank = world_size() - 1) {
        BodyArrays bad = mesh_;
        if (on_last_rank()) spoil(bad);
        Result result(mesh_.size());
        const Caught caught = agreed([&] { solver_.solve(bad.cells(), result.fields()); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(place)) << caught.message;
        EXPECT_TRUE(caught.names(name_of(rank))) << caught.message;
        EXPECT_EQ(result, Result(mesh_.size()));
        expect_usable();
    }

    void expect_usable() {
        Result result(mesh_.size());
        EXPECT_EQ(agreed([&] { solver_.solve(mesh_.cells(), result.fields()); }).code, 0);
        EXPECT_EQ(result, good_);
    }

    BodyArrays mesh_;
    Solver solver_;
    Result good_;
};

TEST_F(BadCells, OneCell) {
    for (const auto& [what, spoil] : ways_to_spoil_a_cell()) {
        SCOPED_TRACE(what);
        expect_named(spoil);
    }
}

TEST_F(BadCells, InTheSameWordsByEveryMethod) {
    const Options isolated = solver_.options();
    Options periodic = isolated, table;
    periodic.boundary.fill(Boundary::periodic);
    table = periodic;
    table.periodic_method = PeriodicMethod::table;
    table.ewald_nodes = 8, table.ewald_order = 3;
    const auto with = [](Options options, const std::function<void(Options&)>& change) {
        change(options);
        return options;
    };
    const auto redistributed = [](Options& o) { o.redistribute = true; };
    const auto direct = [](Options& o) { o.theta = 0.0; };
    std::vector<Solver> methods;
    for (const Options& options :
         {isolated, with(isolated, direct), with(isolated, redistributed), periodic, with(periodic, direct),
          with(periodic, redistributed), table, with(table, redistributed),
          with(isolated, [](Options& o) { o.criterion = Criterion::acceleration; }),
          with(isolated, [](Options& o) { o.tolerance = 1e-3; }), with(isolated, [](Options& o) { o.error_samples = 5; })})
        methods.emplace_back(MPI_COMM_WORLD, options);
    for (const auto& [what, spoil] : ways_to_spoil_a_cell()) {
        BodyArrays bad = mesh_;
        if (on_last_rank()) spoil(bad);
        std::string expected;
        for (Solver& solver : methods) {
            if (what == "equal cells" && solver.options().theta == 0.0) continue;  // told by volumes
            Result result(mesh_.size());
            const Caught caught = agreed([&] { solver.solve(bad.cells(), result.fields()); });
            if (expected.empty()) expected = caught.message;
            EXPECT_EQ(caught.code, invalid_input) << what << to_string(solver.options());
            EXPECT_EQ(caught.message, expected) << what << to_string(solver.options());
            EXPECT_EQ(result, Result(mesh_.size()));
        }
    }
}

TEST_F(BadCells, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    expect_named(onto_another_ranks_cell(mesh_), "2", 0);
}

// In the same words, whoever finds them.
TEST_F(BadCells, EqualCellsInADirectSum) {
    Solver direct(MPI_COMM_WORLD, {.theta = 0.0, .domain = Box{{0, 0, 0}, {1, 1, 1}}});
    BodyArrays bad = mesh_;
    bad.mass.assign(bad.size(), 1.0);
    if (on_last_rank()) bad.x[culprit] = bad.x[3], bad.y[culprit] = bad.y[3], bad.z[culprit] = bad.z[3];
    const auto message = [&](Solver& solver) {
        Result result(bad.size());
        const Caught caught = agreed([&] { solver.solve(bad.cells(), result.fields()); });
        EXPECT_EQ(caught.code, invalid_input);
        EXPECT_EQ(result, Result(bad.size()));
        return caught.message;
    };
    const std::string expected = message(solver_);
    EXPECT_NE(expected.find("are at the same place ("), std::string::npos) << expected;
    EXPECT_EQ(message(direct), expected);
    bad = mesh_;
    Result result(mesh_.size());
    EXPECT_EQ(agreed([&] { direct.solve(bad.cells(), result.fields()); }).code, 0);
}

TEST_F(BadCells, SpansOfDifferentLength) {
    const std::string rank_alone;  // there is no cell to name
    expect_named([](BodyArrays& b) { b.mass.pop_back(); }, rank_alone);
    expect_named([](BodyArrays& b) { b.y.pop_back(); }, rank_alone);
    expect_named([](BodyArrays& b) { b.dx.push_back(1.0); }, rank_alone);
    expect_named([](BodyArrays& b) { b.dy = b.dx; }, rank_alone);
}

TEST_F(BadCells, FieldsOfDifferentLength) {
    for (int spoilt = 0; spoilt < 3; ++spoilt) {
        Result result(mesh_.size());
        Fields fields = result.fields();
        if (on_last_rank() && spoilt == 0) fields.potential = fields.potential.first(3);
        if (on_last_rank() && spoilt == 1) fields.acceleration[1] = fields.acceleration[1].first(3);
        if (on_last_rank() && spoilt == 2) fields.acceleration[2] = {};
        const Caught caught = agreed([&] { solver_.solve(mesh_.cells(), fields); });
        EXPECT_EQ(caught.code, invalid_input) << spoilt << caught.message;
        EXPECT_EQ(result, Result(mesh_.size()));
        expect_usable();
    }
}

TEST_F(BadCells, EveryRankWrongIsOneError) {
    BodyArrays bad = mesh_;
    bad.mass[static_cast<std::size_t>(world_rank())] = -1.0;
    Result result(mesh_.size());
    EXPECT_EQ(agreed([&] { solver_.solve(bad.cells(), result.fields()); }).code, invalid_input);
    expect_usable();
}

TEST_F(BadCells, Points) {
    BodyArrays points = random_points(2, 10);
    Result result(points.size());
    if (on_last_rank()) points.mass[7] = -1.0;
    Caught caught = agreed([&] { solver_.solve(points.points(), result.fields()); });
    EXPECT_EQ(caught.code, invalid_input);
    EXPECT_TRUE(caught.names("7")) << caught.message;
    points.mass[7] = 1.0;
    if (on_last_rank()) points.y[4] = nan;
    Result cell_result(mesh_.size());
    caught = agreed([&] { solver_.solve(mesh_.cells(), cell_result.fields(), points.points(), result.fields()); });
    EXPECT_EQ(caught.code, invalid_input);
    EXPECT_TRUE(caught.names("4")) << caught.message;
    EXPECT_EQ(result, Result(points.size()));
    expect_usable();
}

TEST_F(BadCells, Blocks) {
    std::vector<double> density(24, 1.0), potential(48, Result::untouched);
    const double side = 1.0 / 8.0, x = 0.5 * world_rank() / world_size();
    const auto block = [&](int number) {
        return block_with_guards({x, 0.0, 0.5 * number}, {0.01, side, side}, {4, 3, 2}, 0, density.data(),
                                 potential.data() + 24 * number);
    };
    const auto expect_block_named = [&](const std::function<void(Block&)>& spoil, const std::string& place) {
        std::array<Block, 2> blocks = {block(0), block(1)};
        if (on_last_rank()) spoil(blocks[1]);
        const Caught caught = agreed([&] { solver_.solve(blocks); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(place)) << caught.message;
        EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
        expect_usable();
    };
    std::vector<double> bad_density = density;
    bad_density[2 + 4 * (1 + 3 * 1)] = nan;
    expect_block_named([&](Block& b) { b.density = bad_density.data(); }, "(2, 1, 1)");
    bad_density[2 + 4 * (1 + 3 * 1)] = -0.1;
    expect_block_named([&](Block& b) { b.density = bad_density.data(); }, "cell (2, 1, 1) of block 1: density -0.1 is negative");
    expect_block_named([](Block& b) { b.density = nullptr; }, "block 1");
    expect_block_named([](Block& b) { b.cell_size[1] = 0.0; }, "block 1");
    expect_block_named([](Block& b) { b.n[2] = 0; }, "block 1");
    expect_block_named([](Block& b) { b.lower[0] = nan; }, "block 1");
    expect_block_named([](Block& b) { b.lower[2] = 2.0; }, "block 1");
    expect_block_named([](Block& b) { b.lower[2] = 0.0; }, "block 1");  // on block 0
    EXPECT_EQ(potential, std::vector<double>(48, Result::untouched));
}

void expect_refused(const Options& options, const std::string& name) {
    const Caught caught = agreed([&] { const Solver solver(MPI_COMM_WORLD, options); });
    EXPECT_EQ(caught.code, invalid_option) << name << ": " << caught.message;
    EXPECT_TRUE(caught.names(name)) << caught.message;
}

TEST(BadOptions, OutOfRange) {
    for (const double theta : {0.05, 7.0, -0.5, nan}) expect_refused({.theta = theta}, "theta");
    for (const int order : {-2, 5}) expect_refused({.order = order}, "order");
    for (const double G : {nan, infinity, 0.0, -1.0, 1e-81, 1e81}) expect_refused({.G = G}, "G");
    for (const double softening : {-1.0, nan, infinity, 5e-324, 1e-61, 1e61})
        expect_refused({.softening = softening}, "softening");
    for (const int size : {-1, 15, 1025}) expect_refused({.group_size = size}, "group_size");
    for (const int size : {0, 257}) expect_refused({.leaf_size = size}, "leaf_size");
    for (const int boxes : {0, 257}) expect_refused({.virtual_root_boxes = boxes}, "virtual_root_boxes");
    expect_refused({.threads = -1}, "threads");
    expect_refused({.error_samples = -1}, "error_samples");
    for (const double upper : {-1.0, 0.0, nan, infinity, 1e-61, 1e61})
        expect_refused({.domain = Box{{0, 0, 0}, {1, upper, 1}}}, "domain");
    expect_refused({.domain = Box{{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}}}, "domain");
}

TEST(BadOptions, OnOneRankOnly) { expect_refused(on_last_rank() ? Options{.theta = 7.0} : Options{}, "theta"); }

TEST(BadOptions, DifferBetweenRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    // The first rank that differs is named, and the option with both values.
    const auto expect_difference = [](const Options& options, const std::string& ours, const std::string& theirs) {
        const Options mine = on_last_rank() ? options : Options{};
        const Caught caught = agreed([&] { const Solver solver(MPI_COMM_WORLD, mine); });
        EXPECT_EQ(caught.code, invalid_option) << ours << ": " << caught.message;
        EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
        EXPECT_TRUE(caught.names(ours)) << caught.message;
        EXPECT_TRUE(caught.names(theirs)) << caught.message;
    };
    expect_difference({.theta = 0.5}, "theta: 0.5", "theta: ");
    expect_difference({.order = 3}, "order: 3", "order: auto");
    expect_difference({.G = 2.0}, "G: 2", "G: 1");
    expect_difference({.self_potential = false}, "self_potential: false", "self_potential: true");
    expect_difference({.softening = 0.25}, "softening: 0.25", "softening: 0");
    expect_difference({.domain = Box{{0, 0, 0}, {1, 1, 1}}}, "domain: [[0", "domain: none");
    expect_difference({.group_size = 100}, "group_size: 100", "group_size: auto");
    expect_difference({.backend = Backend::cpu}, "backend: cpu", "backend: auto");
    expect_difference({.gpu_sharing = GpuSharing::share}, "gpu_sharing: share", "gpu_sharing: auto");
}

// Where there is none, taking the CPU is nothing to warn of; asked for by name, its lack is told apart from the build's.
TEST(BadOptions, NoGpuWhereNoneIsNeeded) {
    if (backends().front().starts_with("gpu")) GTEST_SKIP() << "needs a machine without a GPU";
    Solver solver(MPI_COMM_WORLD);
    solver.solve(Points{}, Fields{});
    EXPECT_TRUE(solver.report().warnings.empty()) << solver.report().warnings.front();
}

TEST(BadOptions, NoGpuWhereOneIsAskedFor) {
    if (backends().front().starts_with("gpu")) GTEST_SKIP() << "needs a machine without a GPU";
    const Caught caught = agreed([&] { const Solver solver(MPI_COMM_WORLD, {.backend = Backend::gpu}); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::not_available)) << caught.message;
    EXPECT_TRUE(caught.names("backend: gpu")) << caught.message;
    const Solver solver(MPI_COMM_WORLD);  // the choice left open, there is the CPU
}

TEST(NoMass, NoCellsAtAll) {
    Solver solver(MPI_COMM_WORLD);
    Result result(0);
    EXPECT_EQ(agreed([&] { solver.solve(Cells{}, result.fields()); }).code, 0);
    EXPECT_EQ(agreed([&] { solver.solve(Points{}, Fields{}); }).code, 0);
    EXPECT_EQ(agreed([&] { solver.solve(std::span<const Block>{}); }).code, 0);
    EXPECT_EQ(solver.report().targets, 0);
}

TEST(NoMass, PotentialIsZero) {
    BodyArrays mesh = part_of(random_mesh(1, 3));
    std::ranges::fill(mesh.mass, 0.0);
    Result result(mesh.size());
    Solver solver(MPI_COMM_WORLD);
    EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields()); }).code, 0);
    EXPECT_EQ(result, Result::zeros(mesh.size()));
    EXPECT_EQ(solver.report().sources, 0);
}

}  // namespace
}  // namespace gravlet::test
