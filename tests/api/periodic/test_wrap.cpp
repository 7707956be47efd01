// SPDX-License-Identifier: Apache-2.0
// Points beyond a periodic box are in it, by the option wrap: whole periods away they get the same bits, in every method.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
const Box box{{-1, -1, -1}, {3, 3, 3}};

/// Points on a fine grid in the box, so that a period more or less of them is a number, too.
BodyArrays in_the_box(std::size_t n) {
    BodyArrays points = random_points(5, n);
    for (auto* x : {&points.x, &points.y, &points.z})
        for (double& at : *x) at = std::floor((at - std::floor(at)) * 0x1p20) * 0x1p-18 - 1.0;
    return points;
}

/// The same by up to three periods off in the periodic directions.
BodyArrays displaced(BodyArrays points, const std::array<Boundary, 3>& boundary) {
    std::array<std::vector<double>*, 3> at{&points.x, &points.y, &points.z};
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t n = 0; n < at[d]->size(); ++n)
            if (boundary[d] == p) (*at[d])[n] += 4.0 * (static_cast<double>((n * (d + 3)) % 7) - 3.0);
    return points;
}

Options options_of(const std::array<Boundary, 3>& boundary) {
    return {.boundary = boundary, .softening = 0.01, .domain = box, .wrap = true};
}

Result solved(Solver& solver, const BodyArrays& points) {
    Result result(points.size());
    solver.solve(points.points(), result.all_fields());
    return result;
}

void expect_the_same_place(const std::array<Boundary, 3>& boundary, Options options) {
    const BodyArrays inside = part_of(in_the_box(400)), outside = displaced(inside, boundary);
    options.boundary = boundary, options.domain = box, options.softening = 0.01, options.wrap = true;
    SCOPED_TRACE(to_string(options));
    Solver solver(MPI_COMM_WORLD, options);
    const Result expected = solved(solver, inside);
    EXPECT_EQ(solved(solver, outside), expected);
    options.wrap = false;
    Solver strict(MPI_COMM_WORLD, options);
    EXPECT_EQ(solved(strict, inside), expected);
    Result result(outside.size());
    const Caught caught = agreed([&] { strict.solve(outside.points(), result.fields()); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_EQ(result, Result(outside.size()));
}

TEST(Wrap, WholePeriodsAwayIsTheSamePlace) {
    for (const Options& options : {Options{}, Options{.theta = 0.0}, Options{.redistribute = true}, Options{.error_samples = 20}})
        expect_the_same_place({p, p, p}, options);
    if (world_size() == 1) expect_the_same_place({p, p, p}, {.precision = Precision::double_});  // ten seconds
    expect_the_same_place({p, i, p}, {});
    expect_the_same_place({i, i, p}, {});
}

TEST(Wrap, BelowAFaceByLessThanRounding) {
    const BodyArrays inside = part_of(in_the_box(600));
    BodyArrays outside = inside, at_the_face = inside;
    if (inside.size() > 0) {
        outside.x[0] = std::nextafter(-1.0, -2.0), at_the_face.x[0] = -1.0;
        outside.y[0] = 3.0, at_the_face.y[0] = -1.0;
    }
    Solver solver(MPI_COMM_WORLD, options_of({p, p, p}));
    const Result near = solved(solver, outside), expected = solved(solver, at_the_face);
    for (std::size_t n = 0; n < near.size(); ++n) EXPECT_NEAR(near.potential[n], expected.potential[n], 1e-5);
}

TEST(Wrap, NoIsolatedDirection) {
    BodyArrays points = part_of(in_the_box(600));
    Solver solver(MPI_COMM_WORLD, options_of({p, i, p}));
    const Result expected = solved(solver, points);
    Result result(points.size());
    BodyArrays outside = points;
    for (double& y : outside.y) y += 4.0;
    EXPECT_EQ(agreed([&] { solver.solve(outside.points(), result.fields()); }).code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_EQ(solved(solver, points), expected);
}

}  // namespace
}  // namespace gravlet::test
