// SPDX-License-Identifier: Apache-2.0
// What goes wrong behind the Fortran module arrives there as the same code and message on every rank, the one that C++ gets, and
// the host goes on.
#include "tests/api/agreed.hpp"
#include "tests/api/input/bad_cells.hpp"
#include "tests/hosts/fortran/host.hpp"

#include <gravlet/version.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int invalid_option = static_cast<int>(ErrorCode::invalid_option);
constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);

class FortranErrors : public testing::Test {
protected:
    FortranErrors()
        : mesh_(part_of(random_mesh(1, 3))),
          reference_(MPI_COMM_WORLD, options()),
          solver_(MPI_COMM_WORLD, options()),
          good_(mesh_.size()) {
        reference_.solve(mesh_.cells(), good_.fields());
    }

    static Options options() { return {.domain = Box{{0, 0, 0}, {1, 1, 1}}}; }

    // Solves with the last rank's part of the mesh spoilt, and then with the good mesh.
    void expect_named(const Spoil& spoil, const std::string& place = std::to_string(culprit), int rank = world_size() - 1) {
        BodyArrays bad = mesh_;
        if (on_last_rank()) spoil(bad);
        Result result(mesh_.size());
        const Caught expected = agreed([&] { reference_.solve(bad.cells(), result.fields()); });
        const Caught caught = agreed([&] { solver_.solve(bad.cells(), result.fields()); });
        expect_named(caught, place, rank);
        EXPECT_EQ(caught.message, expected.message);
        EXPECT_EQ(result, Result(mesh_.size()));
    }

    void expect_named(const Caught& caught, const std::string& place, int rank = world_size() - 1) {
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(place)) << caught.message;
        EXPECT_TRUE(caught.names(name_of(rank))) << caught.message;
        EXPECT_EQ(text_of(1), caught.message);
        expect_usable();
    }

    void expect_usable() {
        Result result(mesh_.size());
        const Caught caught = agreed([&] { solver_.solve(mesh_.cells(), result.fields()); });
        EXPECT_EQ(caught.code, 0) << caught.message;
        EXPECT_EQ(result, good_);
    }

    BodyArrays mesh_;
    Solver reference_;
    FortranSolver solver_;
    Result good_;
};

TEST_F(FortranErrors, OneCell) {
    for (const auto& [what, spoil] : ways_to_spoil_a_cell()) {
        SCOPED_TRACE(what);
        expect_named(spoil);
    }
}

TEST_F(FortranErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    expect_named(onto_another_ranks_cell(mesh_), "2", 0);
}

TEST_F(FortranErrors, EveryRankWrong) {
    BodyArrays bad = mesh_;
    bad.mass[static_cast<std::size_t>(world_rank())] = -1.0;
    Result result(mesh_.size());
    EXPECT_EQ(agreed([&] { solver_.solve(bad.cells(), result.fields()); }).code, invalid_input);
    expect_usable();
}

// Each Fortran array brings its own size; where they do not match, the rank abandons the solve that the others are in.
TEST_F(FortranErrors, ArraysOfDifferentSizes) {
    const std::string n = std::to_string(mesh_.size());
    const std::string of_x = on_last_rank() ? ", but x has " + n : "";
    expect_named([](BodyArrays& b) { b.y.pop_back(); }, "y of cells");
    expect_named([](BodyArrays& b) { b.z.pop_back(); }, "z of cells");
    expect_named([](BodyArrays& b) { b.dx.push_back(1.0); }, "dx of cells");
    expect_named([](BodyArrays& b) { b.mass.pop_back(); }, of_x);
    expect_named([](BodyArrays& b) { b.mass.clear(); }, "mass of cells");
    expect_named([](BodyArrays& b) { b.dy = b.dx; }, "dz");
    expect_named(
        [](BodyArrays& b) {
            b.dy = b.dz = b.dx;
            b.dz.pop_back();
        },
        "dz of cells");
}

TEST_F(FortranErrors, ResultsOfDifferentSizes) {
    const std::vector<std::string> names = {"potential", "acceleration_x", "acceleration_y", "acceleration_z", "acceleration"};
    for (std::size_t spoilt = 0; spoilt < names.size(); ++spoilt) {
        Result result(mesh_.size());
        Fields fields = result.fields();
        if (on_last_rank()) {
            if (spoilt == 0) fields.potential = fields.potential.first(3);
            if (spoilt > 0 && spoilt < 4) fields.acceleration[spoilt - 1] = fields.acceleration[spoilt - 1].first(3);
            if (spoilt == 4) fields.acceleration[2] = {};
        }
        expect_named(agreed([&] { solver_.solve(mesh_.cells(), fields); }), names[spoilt] + " of cells");
        EXPECT_EQ(result, Result(mesh_.size()));
    }
    std::vector<std::uint8_t> active(mesh_.size(), 1);
    if (on_last_rank()) active.pop_back();
    Cells cells = mesh_.cells();
    cells.active = active;
    Result result(mesh_.size());
    expect_named(agreed([&] { solver_.solve(cells, result.fields()); }), "active of cells");
}

TEST_F(FortranErrors, Points) {
    const BodyArrays good = random_points(2, 10);
    const auto expect_point_named = [&](const std::function<void(BodyArrays&, Fields&)>& spoil, const std::string& place) {
        BodyArrays bad = good;
        Result cells(mesh_.size()), points(good.size());
        Fields fields = points.fields();
        if (on_last_rank()) spoil(bad, fields);
        expect_named(agreed([&] { solver_.solve(bad.points(), fields); }), place);
        expect_named(agreed([&] { solver_.solve(mesh_.cells(), cells.fields(), bad.points(), fields); }), place);
        expect_named(agreed([&] { solver_.solve(std::vector<HostBlock>(), bad.points(), fields); }), place);
        EXPECT_EQ(cells, Result(mesh_.size()));
        EXPECT_EQ(points, Result(good.size()));
    };
    expect_point_named([](BodyArrays& b, Fields&) { b.mass[7] = -1.0; }, "point 7");
    expect_point_named([](BodyArrays& b, Fields&) { b.y[4] = nan; }, "point 4");
    expect_point_named([](BodyArrays& b, Fields&) { b.z.pop_back(); }, "z of points has 9 elements, but x has 10");
    expect_point_named([](BodyArrays& b, Fields&) { b.mass.clear(); }, "mass of points has 0 elements");
    expect_point_named([](BodyArrays&, Fields& f) { f.potential = f.potential.first(2); }, "potential of points");
    expect_point_named([](BodyArrays&, Fields& f) { f.acceleration[2] = f.acceleration[2].first(2); },
                       "acceleration_z of points");
}

TEST_F(FortranErrors, LengthsOfPoints) {
    const BodyArrays points = random_points(2, 10);
    const auto expect_length_named = [&](const std::function<void(std::vector<double>&)>& spoil, const std::string& place) {
        std::vector<double> lengths(points.size(), 0.1);
        if (on_last_rank()) spoil(lengths);
        Points softened = points.points();
        softened.softening = lengths;
        Result result(points.size());
        expect_named(agreed([&] { solver_.solve(softened, result.fields()); }), place);
        EXPECT_EQ(result, Result(points.size()));
    };
    expect_length_named([](auto& lengths) { lengths[7] = -0.25; }, "point 7: softening -0.25");
    expect_length_named([](auto& lengths) { lengths.pop_back(); }, "softening of points has 9 elements, but x has 10");
}

TEST_F(FortranErrors, Blocks) {
    const BlockMesh mesh({4, 3, 2});
    const auto expect_block_named = [&](const std::function<void(std::vector<HostBlock>&, FlashArray&)>& spoil,
                                        const std::string& place) {
        FlashArray array(mesh, 2);
        std::vector<HostBlock> blocks = host_blocks(mesh, array);
        if (on_last_rank()) spoil(blocks, array);
        const std::vector<double> before = array.data;
        const Caught caught = agreed([&] { solver_.solve(blocks); });
        expect_named(caught, place);
        EXPECT_EQ(array.data == before || on_last_rank(), true);  // NaN differs from itself
    };
    const auto way_of_1 = [](BlockWay way) { return [way](std::vector<HostBlock>& b, FlashArray&) { b[1].way = way; }; };
    expect_block_named(way_of_1(BlockWay::other_shape), "block 1: potential has another shape than density");
    expect_block_named(way_of_1(BlockWay::other_strides), "block 1: acceleration_z has other strides than the results before it");
    expect_block_named(way_of_1(BlockWay::few_faces),
                       "block 1: face_acceleration_z has not the shape of density and one more along its axis");
    expect_block_named(
        [](auto& b, FlashArray&) {
            b[1].way = BlockWay::with_guards;
            b[1].result_guards[1] = 3;
        },
        "block 1: more result_guards than its arrays have guard cells");
    expect_block_named([](auto&, FlashArray& a) { a.at(0, 2, 1, 1, 1) = nan; }, "cell (2, 1, 1) of block 1: density is NaN");
    expect_block_named([](auto&, FlashArray& a) { a.at(0, 2, 1, 1, 1) = -1.0; },
                       "cell (2, 1, 1) of block 1: density -1 is negative");
    expect_block_named([](auto& b, FlashArray&) { b[1].cell_size[1] = 0.0; }, "block 1: cell size 0 in direction 1");
    expect_block_named([](auto& b, FlashArray&) { b[1].lower[0] = nan; }, "block 1");
    expect_block_named([](auto& b, FlashArray&) { b[1].lower[2] = 2.0; }, "block 1");
    expect_block_named([](auto& b, FlashArray&) { b[1].guards = 3; }, "block 1: 0 cells in direction 2");
}

TEST_F(FortranErrors, Abandon) {
    Result result(mesh_.size());
    const Caught caught = agreed([&] {
        if (on_last_rank())
            solver_.abandon("the equation of state is lost   ");
        else
            solver_.solve(mesh_.cells(), result.fields());
    });
    expect_named(caught, "the equation of state is lost");
    EXPECT_EQ(caught.message.back(), 't');
    EXPECT_EQ(result, Result(mesh_.size()));
}

TEST_F(FortranErrors, WithoutStatusAreWrittenAndSurvived) {
    testing::internal::CaptureStderr();
    host_abandon_unasked();
    const std::string written = testing::internal::GetCapturedStderr();
    if (world_rank() == 0) {
        EXPECT_NE(written.find("gravlet: " + text_of(1)), std::string::npos) << written;
        EXPECT_NE(written.find("nobody asks"), std::string::npos) << written;
    } else {
        EXPECT_EQ(written, "");
    }
    expect_usable();
}

void expect_refused(const Options& options, const std::string& name) {
    const Caught caught = agreed([&] { const FortranSolver solver(MPI_COMM_WORLD, options); });
    EXPECT_EQ(caught.code, invalid_option) << name << ": " << caught.message;
    EXPECT_TRUE(caught.names(name)) << caught.message;
    EXPECT_EQ(host_is_created(), 0);
}

TEST(FortranOptions, OutOfRange) {
    for (const double theta : {0.05, 7.0, -0.5, nan}) expect_refused({.theta = theta}, "theta");
    expect_refused({.order = 9}, "order");
    expect_refused({.backend = static_cast<Backend>(7)}, "backend");
    expect_refused(on_last_rank() ? Options{.theta = 7.0} : Options{}, "theta");
    expect_refused(on_last_rank() ? Options{.backend = static_cast<Backend>(7)} : Options{}, "backend");
}

// The last rank asks for something else: each option comes through Fortran in its own place.
TEST(FortranOptions, DifferBetweenRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    const auto expect_difference = [](const Options& options, const std::string& name) {
        const Caught caught = agreed([&] { const FortranSolver solver(MPI_COMM_WORLD, on_last_rank() ? options : Options{}); });
        EXPECT_EQ(caught.code, invalid_option) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
        EXPECT_TRUE(caught.names(name)) << caught.message;
    };
    expect_difference({.backend = Backend::cpu}, "backend: cpu");
    expect_difference({.gpu_sharing = GpuSharing::share}, "gpu_sharing: share");
    expect_difference({.theta = 0.5}, "theta: 0.5");
    expect_difference({.order = 3}, "order: 3");
    expect_difference({.criterion = Criterion::multipole}, "criterion: multipole");
    expect_difference({.criterion = Criterion::acceleration, .alpha = 0.5}, "criterion: acceleration");
    expect_difference({.alpha = 0.5}, "alpha: 0.5");
    expect_difference({.tolerance = 0.01}, "tolerance: 0.01");
    expect_difference({.tolerance_of = ErrorOf::potential}, "tolerance_of: potential");
    expect_difference({.tolerance_at = ErrorMeasure::rms}, "tolerance_at: rms");
    expect_difference({.background = Background::keep}, "background: keep");
    expect_difference({.tolerance_effort = 2}, "tolerance_effort: 2");
    expect_difference({.G = 2.0}, "G: 2");
    expect_difference({.self_potential = false}, "self_potential: false");
    expect_difference({.softening_kernel = SofteningKernel::spline}, "softening_kernel: spline");
    expect_difference({.near_cells = NearCells::cuboid}, "near_cells: cuboid");
    expect_difference({.precision = Precision::double_}, "precision: double");
    expect_difference({.softening = 0.25}, "softening: 0.25");
    expect_difference({.domain = Box{{0, 0, 0}, {1, 1, 2}}}, "domain: [[0");
    expect_difference({.periodic_method = PeriodicMethod::table}, "periodic_method: table");
    expect_difference({.ewald_nodes = 20}, "ewald_nodes: 20");
    expect_difference({.ewald_order = 4}, "ewald_order: 4");
    expect_difference({.keep_tree = false}, "keep_tree: false");
    expect_difference({.keep_moved = true}, "keep_moved: true");
    expect_difference({.redistribute = true}, "redistribute: true");
    expect_difference({.group_size = 100}, "group_size: 100");
    expect_difference({.leaf_size = 20}, "leaf_size: 20");
    expect_difference({.virtual_root_boxes = 20}, "virtual_root_boxes: 20");
    expect_difference({.error_samples = 20}, "error_samples: 20");
    expect_difference({.error_seed = 20}, "error_seed: 20");
}

TEST(FortranOptions, Defaults) {
    Message message{};
    for (const int given : {0, 1}) {  // none; and options as they are declared, for a solver that is created anew
        EXPECT_EQ(host_create_with_defaults(MPI_Comm_c2f(MPI_COMM_WORLD), given, message.data()), 0) << message.data();
        EXPECT_EQ(host_is_created(), 1);
    }
}

TEST(FortranOptions, NoGpuWhereOneIsAskedFor) {
    if (text_of(3).starts_with("gpu")) GTEST_SKIP() << "needs a machine without a GPU";
    const Caught caught = agreed([&] { const FortranSolver solver(MPI_COMM_WORLD, {.backend = Backend::gpu}); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::not_available)) << caught.message;
    EXPECT_TRUE(caught.names("backend: gpu")) << caught.message;
    const FortranSolver solver(MPI_COMM_WORLD);
    EXPECT_EQ(host_is_created(), 1);
}

TEST(FortranOptions, AForeignFile) {
    const auto [options, path] = options_with_foreign_file();
    const Caught caught = agreed([&, &wanted = options] { const FortranSolver solver(MPI_COMM_WORLD, wanted); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file)) << caught.message;
    EXPECT_TRUE(caught.names(path)) << caught.message;
}

TEST(FortranSolverObject, DestroyedTwiceOrNeverCreated) {
    Message message{};
    EXPECT_EQ(host_destroy(message.data()), 0);
    EXPECT_EQ(host_destroy(message.data()), 0);
    EXPECT_EQ(message[0], '\0');
    const std::string reason = "none";
    EXPECT_EQ(host_abandon(reason.data(), static_cast<int>(reason.size()), message.data()), invalid_input);
    std::array<std::int64_t, 17> numbers{};
    std::array<double, 17> seconds{};
    EXPECT_EQ(host_report(numbers.data(), seconds.data(), message.data()), invalid_input);
    EXPECT_EQ(text_of(2), "");
}

TEST(FortranSolverObject, NoBodiesAtAll) {
    FortranSolver solver(MPI_COMM_WORLD);
    Result result(0);
    EXPECT_EQ(agreed([&] { solver.solve(Cells{}, result.fields()); }).code, 0);
    EXPECT_EQ(agreed([&] { solver.solve(Points{}, Fields{}); }).code, 0);
    EXPECT_EQ(agreed([&] { solver.solve(std::vector<HostBlock>()); }).code, 0);
}

}  // namespace
}  // namespace gravlet::test
