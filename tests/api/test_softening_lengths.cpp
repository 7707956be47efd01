// SPDX-License-Identifier: Apache-2.0
// Points that bring softening lengths of their own, with both kernels, alone and with cells, against naive loops.
#include "tests/api/worst/worst_cases.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <string>

namespace gravlet::test {
namespace {

constexpr SofteningKernel plummer = SofteningKernel::plummer, spline = SofteningKernel::spline;

/// From far below the points' distances to the size of them all; a fifth unsoftened.
BodyArrays with_lengths(BodyArrays points) {
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> exponent(-12.0, 0.0);
    for (std::size_t i = 0; i < points.size(); ++i)
        points.softening.push_back(i % 5 == 0 ? 0.0 : std::pow(10.0, exponent(random)));
    return points;
}

/// Gas, stars and a few heavy sinks that bring two lengths.
BodyArrays of_two_kinds(BodyArrays points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool sink = i % 50 == 0;
        points.softening.push_back(sink ? 0.05 : 0.01);
        if (sink) points.mass[i] *= 20.0;
    }
    return points;
}

struct Worst {
    double potential = 0.0, acceleration = 0.0;
};

/// The largest errors at this test's cells and points.
Worst worst_of(const BodyArrays& mesh, const BodyArrays& points, const Options& options) {
    const BodyArrays my_cells = part_of(mesh), my_points = part_of(points);
    const Naive naive(mesh, points, options);
    Result at_cells(my_cells.size()), at_points(my_points.size());
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(my_cells.cells(), at_cells.fields(), my_points.points(), at_points.fields());
    EXPECT_EQ(solver.report().coincident_pairs, naive.coincident_pairs);
    Worst worst{potential_errors(at_points, naive.points, my_points.index).max,
                acceleration_errors(at_points, naive.points, my_points.index).max};
    if (mesh.size() > 0) {
        worst.potential = std::max(worst.potential, potential_errors(at_cells, naive.cells, my_cells.index).max);
        worst.acceleration = std::max(worst.acceleration, acceleration_errors(at_cells, naive.cells, my_cells.index).max);
    }
    return worst;
}

void expect_right(const char* what, const BodyArrays& mesh, const BodyArrays& points, SofteningKernel kernel) {
    for (const double theta : {0.0, 0.4}) {
        const Worst worst = worst_of(mesh, points, {.theta = theta, .order = 4, .softening_kernel = kernel, .softening = 0.02});
        SCOPED_TRACE(testing::Message() << what << ", " << to_string(kernel) << ", theta " << theta);
        EXPECT_LE(worst.potential, theta == 0.0 ? 2.5e-14 : 1.7e-6);
        EXPECT_LE(worst.acceleration, theta == 0.0 ? 4e-14 : 6e-5);
    }
}

TEST(SofteningLengths, OneForAll) {
    const BodyArrays mesh = random_mesh(2, 3);
    for (const SofteningKernel kernel : {plummer, spline}) {
        expect_right("points", {}, random_points(1, 1500), kernel);
        expect_right("points and cells", mesh, random_points(3, 300), kernel);
    }
}

TEST(SofteningLengths, TwoKinds) {
    const BodyArrays mesh = random_mesh(2, 3);
    for (const SofteningKernel kernel : {plummer, spline}) {
        expect_right("points", {}, of_two_kinds(random_points(1, 1500)), kernel);
        expect_right("points and cells", mesh, of_two_kinds(random_points(3, 300)), kernel);
    }
}

TEST(SofteningLengths, AnyLength) {
    const BodyArrays mesh = random_mesh(2, 3);
    for (const SofteningKernel kernel : {plummer, spline}) {
        expect_right("points", {}, with_lengths(random_points(1, 1500)), kernel);
        expect_right("points and cells", mesh, with_lengths(random_points(3, 300)), kernel);
    }
}

// What is promised of the defaults (test_worst.cpp), where nodes have many lengths: from the points' distances up to a third of
// the radius of a Plummer sphere. Against the direct sum.
TEST(SofteningLengths, DefaultsKeepTheirPromise) {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> uniform;
    BodyArrays all = worst::plummer(20'000).points;
    for (std::size_t i = 0; i < all.size(); ++i) all.softening.push_back(0.3 * uniform(random));
    const BodyArrays mine = part_of(all);
    std::vector<std::uint8_t> some(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) some[i] = mine.index[i] % 7 == 0;
    Points few = mine.points();
    few.active = some;
    for (const SofteningKernel kernel : {plummer, spline}) {
        Result got(mine.size(), nan), exact(mine.size(), nan);
        Solver(MPI_COMM_WORLD, {.softening_kernel = kernel}).solve(few, got.fields());
        Solver(MPI_COMM_WORLD, {.theta = 0.0, .softening_kernel = kernel}).solve(few, exact.fields());
        EXPECT_LE(potential_errors(got, exact).max, kernel == plummer ? 1e-4 : 2e-5) << to_string(kernel);
        // On a GPU 4.5e-4 and 6.2e-5.
        EXPECT_LE(acceleration_errors(got, exact).max, 8e-4) << to_string(kernel);
        EXPECT_LE(acceleration_errors(got, exact).rms, 1e-4) << to_string(kernel);
    }
}

// In one place, on a cell, and so near to each other that single precision does not tell them apart.
TEST(SofteningLengths, ClosePairs) {
    const BodyArrays mesh = random_mesh(4, 3);
    BodyArrays points = random_points(5, 200);
    for (std::size_t i = 0; i < 100; ++i) {
        const double apart = i % 3 == 0 ? 0.0 : std::pow(10.0, -static_cast<double>(1 + i % 15));
        points.add_point(points.x[i] + apart, points.y[i], points.z[i] - apart, 1e-4);
    }
    for (std::size_t i = 0; i < mesh.size(); i += 7) points.add_point(mesh.x[i], mesh.y[i], mesh.z[i], 1e-3);
    for (const SofteningKernel kernel : {plummer, spline}) expect_right("pairs", mesh, with_lengths(points), kernel);
}

// The same bits with an array of equal lengths as with the option.
// The longer of two lengths counts, whichever side has it, for nodes as for bodies: an unsoftened (or evenly softened) ball and
// long targets around it, from where its nodes begin to act as one.
TEST(SofteningLengths, LongTargetsAroundABall) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (const double of_ball : {0.0, 0.01}) {
        BodyArrays points;
        const auto add = [&](double radius, double mass, double softening) {
            const double x = normal(random), y = normal(random), z = normal(random), scale = radius / std::hypot(x, y, z);
            points.add_point(x * scale, y * scale, z * scale, mass);
            points.softening.push_back(softening);
        };
        for (int i = 0; i < 1500; ++i) add(0.05 * std::cbrt(uniform(random)), 0.5 + uniform(random), of_ball);
        for (int i = 0; i < 500; ++i) add(0.5 + uniform(random), 0.0, 0.1 + 0.025 * uniform(random));
        const Worst worst = worst_of({}, points, {.theta = 0.4, .order = 4});
        EXPECT_LE(worst.potential, 5e-7) << of_ball;
        EXPECT_LE(worst.acceleration, 2.5e-6) << of_ball;
    }
}

TEST(SofteningLengths, AreTheOptionsWhereEqual) {
    const BodyArrays mesh = part_of(random_mesh(2, 3));
    BodyArrays points = part_of(random_points(3, 300));
    for (const SofteningKernel kernel : {plummer, spline}) {
        for (const double theta : {0.0, 0.8}) {
            const auto solved = [&](double softening) {
                Result cells(mesh.size()), at_points(points.size());
                Solver(MPI_COMM_WORLD, {.theta = theta, .softening_kernel = kernel, .softening = softening})
                    .solve(mesh.cells(), cells.fields(), points.points(), at_points.fields());
                return std::pair(cells, at_points);
            };
            points.softening.clear();
            const auto expected = solved(0.02);
            // Some ranks bring lengths, others have the option's.
            if (world_rank() % 2 == 0) points.softening.assign(points.size(), 0.02);
            EXPECT_EQ(solved(world_size() > 1 ? 0.02 : 0.7), expected);
        }
    }
}

// A body whose length alone has changed has changed.
TEST(SofteningLengths, ChangeBetweenSolves) {
    BodyArrays points = part_of(random_points(1, 600));
    points.softening.assign(points.size(), 0.01);
    const Options options{.theta = 0.6, .softening_kernel = spline};
    Solver kept(MPI_COMM_WORLD, options);
    Result first(points.size()), second(points.size()), anew(points.size());
    kept.solve(points.points(), first.fields());
    for (std::size_t i = 0; i < points.size(); i += 3) points.softening[i] = 0.3;
    kept.solve(points.points(), second.fields());
    Solver(MPI_COMM_WORLD, options).solve(points.points(), anew.fields());
    EXPECT_EQ(second, anew);
    EXPECT_NE(second, first);
}

// What the report says of errors are those of sums in which every pair has the larger length.
TEST(SofteningLengths, SampledErrors) {
    const BodyArrays mesh = random_mesh(7, 3), points = with_lengths(random_points(8, 500)), my_cells = part_of(mesh),
                     my_points = part_of(points);
    for (const double theta : {0.0, 0.4}) {
        const Options options{.theta = theta, .order = 4, .softening = 0.02, .error_samples = 1000000};
        const Naive naive(mesh, points, options);
        Result at_cells(my_cells.size()), at_points(my_points.size());
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(my_cells.cells(), at_cells.fields(), my_points.points(), at_points.fields());
        const Report& report = solver.report();
        const double potential = std::max(potential_errors(at_cells, naive.cells, my_cells.index).max,
                                          potential_errors(at_points, naive.points, my_points.index).max),
                     acceleration = std::max(acceleration_errors(at_cells, naive.cells, my_cells.index).max,
                                             acceleration_errors(at_points, naive.points, my_points.index).max);
        EXPECT_NEAR(report.potential_error->max, potential, 2.5e-14);
        EXPECT_NEAR(report.acceleration_error->max, acceleration, 2.5e-14);
    }
}

TEST(SofteningLengths, Refused) {
    const Box box{{-1, -1, -1}, {2, 2, 2}};
    const std::array<Boundary, 3> periodic{Boundary::periodic, Boundary::isolated, Boundary::periodic};
    const auto options = [&](bool in_a_box, SofteningKernel kernel, double softening) {
        return Options{.boundary = in_a_box ? periodic : std::array<Boundary, 3>{},
                       .softening_kernel = kernel,
                       .softening = softening,
                       .domain = box};
    };
    struct Bad {
        Options options;
        double softening;
        const char* says;
    };
    std::vector<Bad> all;
    for (const auto& [softening, says] : {std::pair(-0.1, "-0.1"), {nan, "nan"}, {infinity, "inf"}, {1e-61, "1e-61"}})
        all.push_back({options(false, plummer, 0.0), softening, says});
    all.push_back({options(true, plummer, 0.1), 0.2, "softening_kernel: spline"});
    all.push_back({options(true, spline, 0.0), 0.301, "tenth of the period"});
    for (const Bad& bad : all) {
        BodyArrays points = part_of(random_points(1, 60));
        points.softening.assign(points.size(), bad.options.softening);
        Solver solver(MPI_COMM_WORLD, bad.options);
        Result good(points.size()), result(points.size());
        solver.solve(points.points(), good.fields());
        if (world_rank() == world_size() - 1) points.softening[7] = bad.softening;
        try {
            solver.solve(points.points(), result.fields());
            ADD_FAILURE() << bad.says;
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.code(), ErrorCode::invalid_input);
            EXPECT_NE(message.find(bad.says), std::string::npos) << message;
            EXPECT_NE(message.find("point 7"), std::string::npos) << message;
        }
        EXPECT_EQ(result, Result(points.size()));
    }
    BodyArrays points = part_of(random_points(1, 60));
    points.softening.assign(points.size() + 1, 0.1);
    Result result(points.size());
    Solver solver(MPI_COMM_WORLD, {});
    EXPECT_THROW(solver.solve(points.points(), result.fields()), Error);
}

}  // namespace
}  // namespace gravlet::test
