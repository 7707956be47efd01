// SPDX-License-Identifier: Apache-2.0
// Bodies of classes that do not act are targets alone: results are naive sums over the others, and the same bits as where the
// host takes their masses away itself.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace gravlet::test {
namespace {

using Classes = std::vector<std::uint8_t>;

/// A mesh and points around it, all of random classes, and this rank's part of them.
struct Mixture {
    BodyArrays mesh, points, own_mesh, own_points;
    Classes mesh_classes, point_classes;

    explicit Mixture(int levels, std::size_t n, double heaviest = 0.0)
        : mesh(random_mesh(3, levels)), points(random_points(4, n)) {
        if (heaviest > 0.0) points.mass[5] = heaviest;
        own_mesh = part_of(mesh), own_points = part_of(points);
        mesh_classes = drawn(mesh.size(), 21), point_classes = drawn(points.size(), 22);
    }
    static Classes drawn(std::size_t n, unsigned seed) {
        std::mt19937_64 random(seed);
        Classes classes(n);
        for (std::uint8_t& c : classes) c = static_cast<std::uint8_t>(random() % 8);
        return classes;
    }
    static Classes part_of_classes(const Classes& all, const BodyArrays& part) {
        Classes own;
        for (const std::size_t i : part.index) own.push_back(all[i]);
        return own;
    }
    /// The bodies, those that do not act without mass.
    static BodyArrays acting(BodyArrays bodies, const Classes& classes, int mask) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if ((mask >> classes[i] & 1) == 0) bodies.mass[i] = 0.0;
        return bodies;
    }
};

struct Solved {
    Result cells, points;
    friend bool operator==(const Solved&, const Solved&) = default;
};

Solved solved(Solver& solver, const BodyArrays& mesh, const BodyArrays& points, const Classes& mesh_classes = {},
              const Classes& point_classes = {}) {
    Solved got{Result(mesh.size()), Result(points.size())};
    Cells cells = mesh.cells();
    Points masses = points.points();
    cells.source_class = mesh_classes, masses.source_class = point_classes;
    solver.solve(cells, got.cells.all_fields(), masses, got.points.all_fields());
    return got;
}

struct ClassCase {
    std::string name;
    Options options;
    double potential, acceleration;  ///< bounds
    double heaviest = 0.0;           ///< mass of one point

    friend void PrintTo(const ClassCase& c, std::ostream* to) { *to << c.name; }
};

class ClassesOf : public testing::TestWithParam<ClassCase> {};

TEST_P(ClassesOf, ActAlone) {
    const ClassCase& of = GetParam();
    const Mixture all(4, 700, of.heaviest);
    const Classes mesh_classes = Mixture::part_of_classes(all.mesh_classes, all.own_mesh),
                  point_classes = Mixture::part_of_classes(all.point_classes, all.own_points);
    for (const int mask : {1, 2, 0b10110100, 255}) {
        Options options = of.options;
        Solver without_classes(MPI_COMM_WORLD, options);
        options.acting_classes = mask;
        Solver solver(MPI_COMM_WORLD, options);
        const Solved got = solved(solver, all.own_mesh, all.own_points, mesh_classes, point_classes);
        EXPECT_EQ(got, solved(without_classes, Mixture::acting(all.own_mesh, mesh_classes, mask),
                              Mixture::acting(all.own_points, point_classes, mask)))
            << "classes " << mask;
        const Naive exact(Mixture::acting(all.mesh, all.mesh_classes, mask), Mixture::acting(all.points, all.point_classes, mask),
                          options);
        EXPECT_LT(potential_errors(got.cells, exact.cells, all.own_mesh.index).max, of.potential) << mask;
        EXPECT_LT(potential_errors(got.points, exact.points, all.own_points.index).max, of.potential) << mask;
        EXPECT_LT(acceleration_errors(got.cells, exact.cells, all.own_mesh.index).max, of.acceleration) << mask;
        EXPECT_LT(acceleration_errors(got.points, exact.points, all.own_points.index).max, of.acceleration) << mask;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Classes, ClassesOf,
    testing::Values(ClassCase{"Direct", {.theta = 0.0}, 1.5e-14, 1.5e-14}, ClassCase{"Default", {}, 1.2e-5, 3e-4},
                    ClassCase{"Narrow", {.theta = 0.3, .order = 4}, 9e-7, 3e-6},
                    ClassCase{"Double", {.theta = 0.35, .order = 10, .precision = Precision::double_}, 1.5e-14, 1e-13},
                    ClassCase{"Softened", {.theta = 0.3, .order = 4, .softening = 0.01}, 9e-7, 3e-6},
                    ClassCase{"Heavy", {.theta = 0.3, .order = 4}, 9e-7, 3e-6, 300.0},
                    ClassCase{"Redistributed", {.theta = 0.3, .order = 4, .redistribute = true}, 9e-7, 4e-6}),
    [](const auto& of) { return of.param.name; });

// Where a host gives no classes, cells are of class 0 and points of class 1.
TEST(Classes, AreGasAndSinksByDefault) {
    const Mixture all(3, 200);
    for (const bool gas : {false, true}) {
        Solver solver(MPI_COMM_WORLD, {.acting_classes = gas ? 1 : 2}), without_classes(MPI_COMM_WORLD);
        BodyArrays mesh = all.own_mesh, points = all.own_points;
        (gas ? points : mesh).mass.assign((gas ? points : mesh).size(), 0.0);
        EXPECT_EQ(solved(solver, all.own_mesh, all.own_points), solved(without_classes, mesh, points));
    }
}

// Also in guard cells and at probes, of a mesh that stays.
TEST(Classes, OfBlocksAndPoints) {
    const BlockMesh mesh({4, 4, 4});
    const BodyArrays points = part_of(random_points(8, 100)), places = part_of(random_points(9, 50));
    const Options all_act{.gpu_sharing = GpuSharing::share};  // where ranks gather there are no guard cells
    for (const bool gas : {false, true}) {
        Options options = all_act;
        options.acting_classes = gas ? 1 : 2;
        Solver solver(MPI_COMM_WORLD, options), without_classes(MPI_COMM_WORLD, all_act);
        for (int again = 0; again < 2; ++again) {
            const auto solve = [&](Solver& by, const BlockMesh& of, const BodyArrays& masses) {
                FlashArray array(of, 1);
                std::vector<Block> blocks = array.blocks(of);
                for (Block& block : blocks) block.result_guards = {1, 1, 1};
                Result at_points(masses.size()), at_probes(places.size());
                by.solve(blocks, masses.points(), at_points.fields(), {places.x, places.y, places.z, at_probes.fields()});
                std::vector<double> results;
                for (std::size_t i = 0; i < array.data.size(); ++i)
                    if (i % FlashArray::variables != 0) results.push_back(array.data[i]);
                return std::tuple{results, at_points, at_probes};
            };
            BlockMesh still = mesh;
            BodyArrays massless = points;
            if (gas) {
                massless.mass.assign(points.size(), 0.0);
            } else {
                for (auto& density : still.density) density.assign(density.size(), 0.0);
            }
            EXPECT_EQ(solve(solver, mesh, points), solve(without_classes, still, massless));
        }
    }
}

// A tree of bodies that stay where they are is not that of those that act now.
TEST(Classes, MayChangeBetweenSolves) {
    const Mixture all(3, 500);
    Classes mesh = Mixture::part_of_classes(all.mesh_classes, all.own_mesh),
            points = Mixture::part_of_classes(all.point_classes, all.own_points);
    Solver solver(MPI_COMM_WORLD, {.acting_classes = 1 << 3});
    for (int step = 0; step < 3; ++step) {
        Solver fresh(MPI_COMM_WORLD);
        EXPECT_EQ(solved(solver, all.own_mesh, all.own_points, mesh, points),
                  solved(fresh, Mixture::acting(all.own_mesh, mesh, 1 << 3), Mixture::acting(all.own_points, points, 1 << 3)));
        if (step == 0)
            for (std::size_t i = 0; i < points.size(); i += 2) points[i] = 3;
    }
}

// What each class does adds up to what all do, in a box that repeats, too, though each has a mean density of its own.
TEST(Classes, AddUpInAPeriodicBox) {
    const Mixture all(3, 300);
    BodyArrays points = all.own_points;
    for (auto* const axis : {&points.x, &points.y, &points.z})
        for (double& x : *axis) x -= std::floor(x);
    Options options{.theta = 0.3, .order = 4, .domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}};
    options.boundary.fill(Boundary::periodic);
    const auto act = [&](int mask) {
        options.acting_classes = mask;
        Solver solver(MPI_COMM_WORLD, options);
        return solved(solver, all.own_mesh, points);
    };
    const Solved both = act(3), gas = act(1), sinks = act(2);
    double error[2] = {}, size[2] = {};
    const auto compare = [&](const Result& whole, const Result& a, const Result& b) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            error[0] = std::max(error[0], std::abs(whole.potential[i] - a.potential[i] - b.potential[i]));
            size[0] = std::max(size[0], std::abs(whole.potential[i]));
            for (std::size_t d = 0; d < 3; ++d) {
                error[1] = std::max(error[1], std::abs(whole.acceleration[d][i] - a.acceleration[d][i] - b.acceleration[d][i]));
                size[1] = std::max(size[1], std::abs(whole.acceleration[d][i]));
            }
        }
    };
    compare(both.cells, gas.cells, sinks.cells);
    compare(both.points, gas.points, sinks.points);
    EXPECT_LT(error[0], 4e-6 * size[0]);
    EXPECT_LT(error[1], 1e-6 * size[1]);
}

template <class F>
void expect_refused(F solve, ErrorCode code, const std::string& text) {
    const Caught caught = agreed(solve);
    EXPECT_EQ(caught.code, static_cast<int>(code));
    EXPECT_TRUE(caught.names(text)) << caught.message;
}

TEST(BadClasses, AreNamed) {
    const Mixture all(2, 20);
    Solver solver(MPI_COMM_WORLD);
    const bool last = world_rank() == world_size() - 1;
    Classes points(all.own_points.size(), 7);
    if (last) points[1] = 8;
    expect_refused([&] { solved(solver, all.own_mesh, all.own_points, {}, points); }, ErrorCode::invalid_input,
                   "point 1: source_class is 8, must be from 0 to 7");
    Classes cells(all.own_mesh.size(), 0);
    if (last) cells.resize(cells.size() - 1);
    expect_refused([&] { solved(solver, all.own_mesh, all.own_points, cells); }, ErrorCode::invalid_input,
                   "source_class of cells has");
    expect_refused([] { const Solver none(MPI_COMM_WORLD, {.acting_classes = 0}); }, ErrorCode::invalid_option, "acting_classes");
}

}  // namespace
}  // namespace gravlet::test
