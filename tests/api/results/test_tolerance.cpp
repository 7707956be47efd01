// SPDX-License-Identifier: Apache-2.0
// Options::tolerance: what was asked for is reached, is the same on every rank and in every run, and is what the report says.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/api/worst/worst_cases.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace gravlet::test {
namespace {

BodyArrays sphere() { return part_of(worst::plummer(8000).points); }

/// Solves so often; the last one's report.
Report solve_often(Solver& solver, const BodyArrays& mine, int solves, Result& result) {
    for (int solve = 0; solve < solves; ++solve) {
        mine.dx.empty() ? solver.solve(mine.points(), result.fields()) : solver.solve(mine.cells(), result.fields());
    }
    return solver.report();
}

/// The error of all targets of a solve that takes what `report` says.
Report with_all_errors(Options options, const Report& report, const BodyArrays& mine, Result& result) {
    options = as_taken(options, report);
    options.error_samples = 1000000;
    Solver solver(MPI_COMM_WORLD, options);
    return solve_often(solver, mine, 1, result);
}

bool has_stage(const Report& report, const std::string& name) {
    return std::ranges::any_of(report.stages, [&](const StageTime& stage) { return stage.name == name; });
}

template <class T>
void expect_same_everywhere(T value, MPI_Datatype type) {
    T least = value, most = value;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, type, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, type, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(least, most);
}

/// Errors of small meshes jump: as much as 30 times at some angle, which takes more solves to be found.
enum class Errors { smooth, jumping };

void expect_reached(Options options, const BodyArrays& mine, double tolerance, Errors errors) {
    options.tolerance = tolerance;
    Solver solver(MPI_COMM_WORLD, options);
    Result result(mine.size()), same(mine.size());
    const Report report = solve_often(solver, mine, errors == Errors::smooth ? 4 : 10, result);
    ASSERT_TRUE(report.tolerance);
    const ToleranceReport& t = *report.tolerance;
    expect_same_everywhere(t.theta, MPI_DOUBLE), expect_same_everywhere(t.order, MPI_INT),
        expect_same_everywhere(t.reached, MPI_DOUBLE);
    const Report all = with_all_errors(options, report, mine, same);
    EXPECT_EQ(result.potential, same.potential);
    const double error = all.acceleration_error.value().p99;
    EXPECT_LT(error, 2.0 * tolerance) << to_string(report);
    if (errors == Errors::smooth) {
        EXPECT_LT(std::abs(std::log(error / t.reached)), std::log(2.0)) << to_string(report);
    }
    if (t.theta < 1.0 && t.criterion == Criterion::opening && errors == Errors::smooth) {
        EXPECT_GT(error, 0.5 * tolerance) << to_string(report);
    }
    EXPECT_NE(to_string(report).find("tolerance"), std::string::npos);
}

TEST(Tolerance, IsReached) {
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
        expect_reached({}, sphere(), tolerance, Errors::smooth);
        expect_reached({}, part_of(random_mesh(4, 5)), tolerance, Errors::jumping);
    }
}

TEST(Tolerance, WithOtherCriteria) {
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole})
        for (const double tolerance : {1e-3, 1e-4}) expect_reached({.criterion = criterion}, sphere(), tolerance, Errors::smooth);
}

// Of points a tolerance has one criterion for accelerations and another one for potentials alone.
TEST(Tolerance, OfOneFieldAndThenAnother) {
    const BodyArrays points = sphere();
    Solver both(MPI_COMM_WORLD, {.tolerance = 1e-3}), alone(MPI_COMM_WORLD, {.tolerance = 1e-3});
    Result fields(points.size()), first(points.size()), second(points.size());
    both.solve(points.points(), fields.fields());
    EXPECT_EQ(both.report().tolerance->criterion, Criterion::acceleration);
    both.solve(points.points(), {first.fields().potential});
    alone.solve(points.points(), {second.fields().potential});
    EXPECT_EQ(both.report().tolerance->criterion, Criterion::opening);
    EXPECT_EQ(both.report().unchanged_ranks, world_size());
    EXPECT_EQ(first.potential, second.potential);
}

TEST(Tolerance, InAPeriodicBox) {
    Options options{.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}};
    options.boundary.fill(Boundary::periodic);
    expect_reached(options, part_of(random_mesh(4, 4)), 1e-4, Errors::jumping);
}

TEST(Tolerance, OfThePotential) {
    const BodyArrays mine = sphere();
    Result result(mine.size());
    const Options options{.tolerance = 1e-5, .tolerance_of = ErrorOf::potential};
    Solver solver(MPI_COMM_WORLD, options);
    const Report report = solve_often(solver, mine, 4, result);
    EXPECT_LT(with_all_errors(options, report, mine, result).potential_error.value().p99, 2e-5);
    // Accelerations may err more: a tolerance of theirs takes more.
    Solver fields(MPI_COMM_WORLD, {.tolerance = 1e-5});
    EXPECT_LT(solve_often(fields, mine, 4, result).tolerance->theta, report.tolerance->theta);
}

TEST(Tolerance, RepeatsItself) {
    const BodyArrays mine = sphere();
    Result first(mine.size()), second(mine.size());
    const Options options{.tolerance = 3e-5, .tolerance_at = ErrorMeasure::p999};
    Solver one(MPI_COMM_WORLD, options), other(MPI_COMM_WORLD, options);
    for (int solve = 0; solve < 3; ++solve) {
        solve_often(one, mine, 1, first), solve_often(other, mine, 1, second);
        EXPECT_EQ(one.report().tolerance->theta, other.report().tolerance->theta);
        EXPECT_EQ(first.potential, second.potential);
        EXPECT_EQ(first.acceleration, second.acceleration);
    }
    EXPECT_LT(one.report().tolerance->reached, 6e-5);
}

// A host's restart: another solver, given what this one has learned after any of its solves, does the same from there on.
TEST(Tolerance, GoesOnFromACheckpoint) {
    const BodyArrays mine = sphere(), mesh = part_of(random_mesh(3, 4)), other = part_of(random_mesh(5, 4));
    std::int64_t longest_ago = 0;
    for (const double tolerance : {1e-3, 3e-5, 3e-6}) {
        const Options options{.tolerance = tolerance};
        Solver one(MPI_COMM_WORLD, options);
        EXPECT_EQ(one.get_steering(), SteeringState{});
        std::optional<Solver> restarted;
        for (const BodyArrays& bodies : {mine, mine, mine, mesh, mesh, other, other, mesh}) {
            Result expected(bodies.size()), result(bodies.size());
            const SteeringState state = one.get_steering();
            restarted.emplace(MPI_COMM_WORLD, options).set_steering(state);
            EXPECT_EQ(restarted->get_steering(), state);
            const Report report = solve_often(one, bodies, 1, expected), again = solve_often(*restarted, bodies, 1, result);
            EXPECT_EQ(result, expected);
            EXPECT_EQ(again.tolerance->theta, report.tolerance->theta);
            EXPECT_EQ(again.tolerance->solves_ago, report.tolerance->solves_ago);
            EXPECT_EQ(again.tolerance->walks, report.tolerance->walks);
            EXPECT_EQ(restarted->get_steering(), one.get_steering());
            longest_ago = std::max(longest_ago, again.tolerance->solves_ago);
        }
    }
    EXPECT_GT(longest_ago, 1);  // a solver that knows nothing measures at once
}

TEST(Tolerance, StateThatIsNone) {
    const BodyArrays mine = sphere();
    Result result(mine.size()), expected(mine.size());
    Solver solver(MPI_COMM_WORLD, {.tolerance = 1e-4}), other(MPI_COMM_WORLD, {.tolerance = 1e-4});
    solve_often(solver, mine, 1, result), solve_often(other, mine, 1, expected);
    const SteeringState state = solver.get_steering();
    const auto expect_refused = [&](const SteeringState& wrong) {
        const Caught caught = agreed([&] { solver.set_steering(wrong); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_input)) << caught.message;
        EXPECT_TRUE(caught.names("steering: ")) << caught.message;
        EXPECT_EQ(solver.get_steering(), state);
    };
    for (const double wrong : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
        for (std::size_t k = 0; k < 60; ++k) {
            SteeringState spoilt = state;
            spoilt[k] = wrong;
            expect_refused(spoilt);
        }
    SteeringState spoilt = state;
    for (const std::size_t choice : {6U, 61U}) spoilt = state, spoilt[choice] = 3.0, expect_refused(spoilt);  // orders
    if (world_size() > 1) {
        spoilt = state;
        spoilt[50] += world_rank();
        expect_refused(spoilt);
    }
    solve_often(solver, mine, 1, result), solve_often(other, mine, 1, expected);
    EXPECT_EQ(result, expected);
}

TEST(Tolerance, IsMeasuredSeldom) {
    const BodyArrays mine = sphere();
    Result result(mine.size());
    Solver solver(MPI_COMM_WORLD, {.tolerance = 1e-3});
    int measured = 0;
    for (int solve = 0; solve < 12; ++solve) {
        const Report report = solve_often(solver, mine, 1, result);
        const bool now = has_stage(report, "tolerance");
        EXPECT_EQ(report.tolerance->solves_ago == 0, now);
        EXPECT_EQ(report.acceleration_error.has_value(), now);
        measured += now ? 1 : 0;
    }
    EXPECT_GE(measured, 1);
    EXPECT_LE(measured, 4);
}

TEST(Tolerance, OfWhatNobodyAsksFor) {
    const BodyArrays mine = sphere();
    Result result(mine.size());
    Solver solver(MPI_COMM_WORLD, {.tolerance = 1e-3, .tolerance_of = ErrorOf::acceleration});
    try {
        solver.solve(mine.points(), result.potential_only());
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        EXPECT_NE(std::string(error.what()).find("tolerance_of is acceleration"), std::string::npos) << error.what();
    }
    EXPECT_LT(solve_often(solver, mine, 3, result).tolerance->reached, 2e-3);
}

TEST(Tolerance, NothingToSolve) {
    Result none(0);
    BodyArrays two;
    if (world_rank() == 0) two.add_point(0.0, 0.0, 0.0, 1.0), two.add_point(1.0, 0.0, 0.0, 1.0);
    for (const ErrorOf of : {ErrorOf::automatic, ErrorOf::potential, ErrorOf::acceleration}) {
        Solver solver(MPI_COMM_WORLD, {.tolerance = 1e-3, .tolerance_of = of});
        solver.solve(BodyArrays{}.points(), none.fields());
        Result result(two.size());
        EXPECT_LT(solve_often(solver, two, 3, result).tolerance->reached, 1e-6);
        solver.solve(BodyArrays{}.points(), none.fields());
    }
}

}  // namespace
}  // namespace gravlet::test
