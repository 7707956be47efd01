// SPDX-License-Identifier: Apache-2.0
// What periodic boundaries ask of options and bodies: anything else is one error on every rank that names the culprit, and leaves
// the solver usable.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace gravlet::test {
namespace {

constexpr int invalid_option = static_cast<int>(ErrorCode::invalid_option);
constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);
constexpr int bad_file = static_cast<int>(ErrorCode::file);
constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
constexpr std::array<Boundary, 3> ppp{p, p, p}, ppi{p, p, i};
const Box unit_box{{0, 0, 0}, {1, 1, 1}};

bool on_last_rank() { return world_rank() == world_size() - 1; }

std::string name_of(int rank) { return world_size() > 1 ? "rank " + std::to_string(rank) : ""; }

class PeriodicInput : public testing::Test {
protected:
    // Solves with the last rank's bodies spoilt, and then with the good ones.
    void expect_refused(const std::function<void(BodyArrays&, BodyArrays&)>& spoil, const std::string& place) {
        for (const auto& [theta, method] : {std::pair(0.0, PeriodicMethod::images), std::pair(0.5, PeriodicMethod::images),
                                            std::pair(0.5, PeriodicMethod::table)}) {
            Solver solver(MPI_COMM_WORLD,
                          {.boundary = ppi, .theta = theta, .domain = unit_box, .periodic_method = method, .ewald_nodes = 8});
            const Result good = solved(solver, mesh_, points_);
            BodyArrays mesh = mesh_, points = points_;
            if (on_last_rank()) spoil(mesh, points);
            Result result(mesh_.size()), at_points(points_.size());
            const Caught caught =
                agreed([&] { solver.solve(mesh.cells(), result.fields(), points.points(), at_points.fields()); });
            EXPECT_EQ(caught.code, invalid_input) << caught.message;
            EXPECT_TRUE(caught.names(place)) << caught.message;
            EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
            EXPECT_EQ(result, Result(mesh_.size()));
            EXPECT_EQ(at_points, Result(points_.size()));
            EXPECT_EQ(solved(solver, mesh_, points_), good);
        }
    }

    static Result solved(Solver& solver, const BodyArrays& mesh, const BodyArrays& points) {
        Result result(mesh.size()), at_points(points.size());
        EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields(), points.points(), at_points.fields()); }).code, 0);
        return result;
    }

    static BodyArrays some_points() {
        BodyArrays points;
        for (int n = 0; n < 12; ++n)
            points.add_point(0.03 + 0.08 * n, 0.9 - 0.07 * n, n % 2 == 0 ? 0.0 : 1.0, 0.01);  // on faces too
        return points;
    }

    const BodyArrays mesh_ = part_of(random_mesh(1, 3)), points_ = part_of(some_points());
};

TEST_F(PeriodicInput, CellOutsideTheDomain) {
    expect_refused([](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = 1.5; }, "5");
    expect_refused([](BodyArrays& mesh, BodyArrays&) { mesh.z[5] = -0.01; }, "5");  // an isolated direction as well
}

TEST_F(PeriodicInput, PointOutsideTheDomain) {
    expect_refused([](BodyArrays&, BodyArrays& points) { points.x[3] = 1.0 + 1e-9; }, "3");
    expect_refused([](BodyArrays&, BodyArrays& points) { points.z[3] = -1.0; }, "3");
}

// A float is what it is rounded from, and no other number is.
TEST_F(PeriodicInput, SofteningInFloats) {
    for (const auto& [kernel, length] : {std::pair(SofteningKernel::plummer, 0.07), std::pair(SofteningKernel::plummer, 0.03),
                                         std::pair(SofteningKernel::spline, 0.1)})
        for (const auto& [theta, method] : {std::pair(0.0, PeriodicMethod::images), std::pair(0.5, PeriodicMethod::images),
                                            std::pair(0.5, PeriodicMethod::table)}) {
            const float rounded = static_cast<float>(length);
            EXPECT_NE(static_cast<double>(rounded), length);
            Solver solver(MPI_COMM_WORLD, {.boundary = ppi,
                                           .theta = theta,
                                           .softening_kernel = kernel,
                                           .softening = length,
                                           .domain = unit_box,
                                           .periodic_method = method,
                                           .ewald_nodes = 8});
            const auto solve = [&](InputSpan lengths, Result& result) {
                Points points = points_.points();
                points.softening = lengths;
                return agreed([&] { solver.solve(points, result.fields()); });
            };
            Result all(points_.size()), each(points_.size());
            std::vector<float> floats(points_.size(), rounded);
            EXPECT_EQ(solve({}, all).message, "");
            EXPECT_EQ(solve(floats, each).message, "");
            for (std::size_t n = 0; n < points_.size(); ++n) EXPECT_NEAR(each.potential[n], all.potential[n], 1e-8);
            std::ranges::fill(floats, std::nextafter(rounded, 1.0f));
            EXPECT_EQ(solve(floats, each).code, invalid_input);
            EXPECT_EQ(solve(std::vector<double>(points_.size(), length * (1.0 + 1e-6)), each).code, invalid_input);
        }
}

TEST_F(PeriodicInput, PointOutsideAnIsolatedDomain) {
    BodyArrays points = points_;
    points.x[3] = 2.0;
    Solver solver(MPI_COMM_WORLD, {.domain = unit_box});
    solved(solver, mesh_, points);
}

// As wide as the period, or one and a half times: there is no room for it.
TEST(PeriodicDomain, OneCell) {
    BodyArrays cell;
    if (on_last_rank()) cell.add_cell(0.5, 0.5, 0.5, 1.0, 1.0);
    Result result(cell.size());
    Solver solver(MPI_COMM_WORLD, {.boundary = ppp, .domain = unit_box});
    EXPECT_EQ(agreed([&] { solver.solve(cell.cells(), result.fields()); }).code, 0);
    for (const double potential : result.potential) EXPECT_EQ(potential, 0.0);
    Solver keeping(MPI_COMM_WORLD, {.boundary = ppp, .domain = unit_box, .background = Background::keep});
    EXPECT_EQ(agreed([&] { keeping.solve(cell.cells(), result.fields()); }).code, 0);
    for (const double potential : result.potential) EXPECT_NEAR(potential, 2.8372974794806195 - cube_constant, 1.6e-14);
    for (double& side : cell.dx) side = 1.5;
    EXPECT_EQ(agreed([&] { solver.solve(cell.cells(), result.fields()); }).code, invalid_input);
}

TEST(PeriodicDomain, NoBodiesAndNoMass) {
    for (const double theta : {0.8, 0.0}) {
        for (const PeriodicMethod method : {PeriodicMethod::images, PeriodicMethod::table}) {
            Solver solver(MPI_COMM_WORLD, {.boundary = ppp, .theta = theta, .domain = unit_box, .periodic_method = method});
            Result none(0);
            EXPECT_EQ(agreed([&] { solver.solve(Cells{}, none.fields()); }).code, 0);
            EXPECT_EQ(agreed([&] { solver.solve(Points{}, none.fields()); }).code, 0);
            BodyArrays mesh = part_of(random_mesh(1, 3));
            std::ranges::fill(mesh.mass, 0.0);
            Result result(mesh.size());
            EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields()); }).code, 0);
            EXPECT_EQ(result, Result::zeros(mesh.size())) << theta << to_string(method);
        }
    }
}

Caught make_and_solve(const Options& options, const BodyArrays& mesh, Result& result) {
    return agreed([&] { Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), result.fields()); });
}

// The same options but for the fault work.
void expect_refused(const Options& options, const std::string& name, int code = invalid_option) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    Result result(mesh.size());
    const Caught caught = make_and_solve(options, mesh, result);
    EXPECT_EQ(caught.code, code) << name << ": " << caught.message;
    EXPECT_TRUE(caught.names(name)) << caught.message;
    EXPECT_EQ(result, Result(mesh.size()));
    EXPECT_EQ(make_and_solve({.boundary = ppp, .domain = unit_box}, mesh, result).code, 0);
}

TEST(PeriodicOptions, Refused) {
    expect_refused({.boundary = ppp}, "domain");
    expect_refused({.boundary = {i, p, i}}, "domain");
    expect_refused({.boundary = ppp, .domain = Box{{0, 0, 0}, {1, 0, 1}}}, "domain");
    expect_refused({.boundary = ppi, .domain = Box{{0, 0, 0}, {1, 1, 0}}}, "domain");
    expect_refused({.boundary = ppp, .domain = Box{{0, 0, 0}, {1, 1, infinity}}}, "domain");
    expect_refused({.boundary = ppp, .domain = Box{{0, nan, 0}, {1, 1, 1}}}, "domain");
    for (const int nodes : {-1, 0, 3, 65})
        expect_refused({.boundary = ppp, .domain = unit_box, .ewald_nodes = nodes}, "ewald_nodes");
    for (const int order : {-1, 1, 6}) expect_refused({.boundary = ppp, .domain = unit_box, .ewald_order = order}, "ewald_order");
}

// Against the period of periodic directions only.
TEST(PeriodicOptions, LargeSoftening) {
    expect_refused({.boundary = ppp, .softening = 0.101, .domain = unit_box}, "softening");
    expect_refused({.boundary = ppi, .softening = 0.01, .domain = Box{{0, 0, 0}, {1, 0.0999, 1}}}, "softening");
    BodyArrays points = part_of(random_points(1, 20));
    for (std::size_t n = 0; n < points.size(); ++n) points.z[n] = 0.05;
    Result result(points.size());
    const Options wide{.boundary = ppi, .softening = 0.3, .domain = Box{{-1, -1, 0}, {2, 2, 0.1}}};
    EXPECT_EQ(agreed([&] { Solver(MPI_COMM_WORLD, wide).solve(points.points(), result.fields()); }).code, 0);
}

TEST(PeriodicOptions, OnOneRankOnly) {
    const Options good{.boundary = ppp, .domain = unit_box};
    expect_refused(on_last_rank() ? Options{.boundary = ppp} : good, "domain");
    expect_refused(on_last_rank() ? Options{.boundary = ppp, .domain = unit_box, .ewald_nodes = 3} : good, "ewald_nodes");
}

TEST(PeriodicOptions, DifferBetweenRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    const auto expect_difference = [](const Options& theirs, const std::string& name) {
        const Options ours{.boundary = ppp, .domain = unit_box};
        expect_refused(on_last_rank() ? theirs : ours, name);
    };
    expect_difference({.boundary = ppi, .domain = unit_box}, "boundary: [periodic, periodic, isolated]");
    expect_difference({.domain = unit_box}, "boundary: isolated");
    expect_difference({.boundary = ppp, .domain = Box{{0, 0, 0}, {1, 1, 2}}}, "domain: [[0");
    expect_difference({.boundary = ppp, .domain = unit_box, .periodic_method = PeriodicMethod::table}, "periodic_method: table");
    expect_difference({.boundary = ppp, .domain = unit_box, .ewald_nodes = 16}, "ewald_nodes: 16");
    expect_difference({.boundary = ppp, .domain = unit_box, .ewald_order = 3}, "ewald_order: 3");
    expect_difference({.boundary = ppp, .domain = unit_box, .ewald_cache = "elsewhere.h5"}, "ewald_cache: elsewhere.h5");
}

TEST(PeriodicOptions, CacheThatCannotBeWritten) {
    expect_refused({.boundary = ppp,
                    .theta = 0.0,
                    .domain = unit_box,
                    .periodic_method = PeriodicMethod::table,
                    .ewald_cache = "/nonexistent/folder/table.h5"},
                   "/nonexistent/folder/table.h5", bad_file);
}

// Works, or says why it does not.
TEST(PeriodicOptions, ElongatedDomain) {
    for (const double length : {50.0, 5000.0}) {
        const Box domain{{0, 0, 0}, {1, 1, length}};
        BodyArrays all;
        for (int n = 0; n < 200; ++n)
            all.add_cell(0.125 + 0.25 * (n % 4), 0.125 + 0.25 * (n / 4 % 4), 0.125 + length * n / 201.0, 0.01, 1.0 + n % 3);
        const BodyArrays mesh = part_of(all);
        for (const std::array<Boundary, 3>& boundary :
             {ppp, ppi, std::array{p, i, i}, std::array{i, i, p}, std::array{i, p, p}}) {
            const Options options{.boundary = boundary, .theta = 0.5, .domain = domain};
            Options direct = options;
            direct.theta = 0.0;
            Result result(mesh.size()), reference(mesh.size());
            const Caught by_sum = make_and_solve(direct, mesh, reference);
            if (by_sum.code != 0) {  // the table of sums has its limits, too
                EXPECT_GT(length, 250.0);
                EXPECT_NE(by_sum.message.find("domain"), std::string::npos) << by_sum.message;
                continue;
            }
            const Caught caught = make_and_solve(options, mesh, result);
            if (caught.code == 0) {
                const double rms = reduce_errors(MPI_COMM_WORLD, reference.potential).rms;
                std::vector<double> errors;
                for (std::size_t k = 0; k < mesh.size(); ++k)
                    errors.push_back(std::abs(result.potential[k] - reference.potential[k]) / rms);
                const Errors e = reduce_errors(MPI_COMM_WORLD, errors);
                EXPECT_LE(e.max, 5e-7) << length << to_string(boundary);
            } else {
                EXPECT_EQ(caught.code, invalid_option) << caught.message;
                EXPECT_TRUE(caught.names("domain")) << caught.message;
            }
        }
    }
}

}  // namespace
}  // namespace gravlet::test
