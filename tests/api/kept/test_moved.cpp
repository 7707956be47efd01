// SPDX-License-Identifier: Apache-2.0
// Points that move: kept trees err as new ones do, are given up in time, and a row of solves repeats itself.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace gravlet::test {
namespace {

/// A rank's points, each with a velocity of its own.
struct Swarm {
    BodyArrays points = part_of(random_points(8, 1500));
    std::array<std::vector<double>, 3> velocity;

    Swarm() {
        std::mt19937_64 random(static_cast<std::uint64_t>(world_rank()));
        std::normal_distribution<double> normal;
        for (std::vector<double>& component : velocity)
            for (std::size_t i = 0; i < points.size(); ++i) component.push_back(normal(random));
    }
    void move(double time) {
        std::vector<double>* const places[] = {&points.x, &points.y, &points.z};
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t i = 0; i < points.size(); ++i) (*places[d])[i] += time * velocity[d][i];
    }
};

Options moving(int order = 2) {
    return {.gpu_sharing = GpuSharing::share,
            .theta = 0.6,
            .order = order,
            .softening = 1e-3,
            .keep_moved = true,
            .threads = 1,
            .error_samples = 1500};
}

TEST(Moved, ErrsAsNewTreesDo) {
    for (const int order : {0, 2, 4}) {
        Options building = moving(order);
        building.keep_moved = false;
        Swarm swarm;
        Solver kept(MPI_COMM_WORLD, moving(order)), built(MPI_COMM_WORLD, building);
        Result a(swarm.points.size()), b(swarm.points.size());
        int followed = 0;
        double worst_kept = 0.0, worst_built = 0.0;  // of all solves: of one it is one target, which another tree has elsewhere
        for (int solve = 0; solve < 8; ++solve, swarm.move(2e-3)) {
            kept.solve(swarm.points.points(), a.fields());
            built.solve(swarm.points.points(), b.fields());
            followed += kept.report().moved_ranks;
            EXPECT_EQ(built.report().moved_ranks, 0);
            EXPECT_LE(kept.report().acceleration_error->p99, 1.3 * built.report().acceleration_error->p99)
                << order << " " << solve;
            worst_kept = std::max(worst_kept, kept.report().acceleration_error->max);
            worst_built = std::max(worst_built, built.report().acceleration_error->max);
            EXPECT_LE(kept.report().potential_error->p99, 1.3 * built.report().potential_error->p99) << order << " " << solve;
        }
        EXPECT_LE(worst_kept, 3.0 * worst_built) << order;
        EXPECT_GE(followed, 3 * world_size());
    }
}

// A fifth of the points are active in each solve, and get other velocities after it.
TEST(Moved, ErrsAlikeWhereVelocitiesAreTold) {
    for (const Criterion criterion : {Criterion::opening, Criterion::acceleration, Criterion::multipole}) {
        Options options = moving();
        options.criterion = criterion;
        if (criterion != Criterion::opening) options.theta = automatic;
        Swarm swarm;
        Solver told(MPI_COMM_WORLD, options), untold(MPI_COMM_WORLD, options);
        Result a(swarm.points.size()), b(swarm.points.size());
        std::mt19937_64 random(77);
        std::normal_distribution<double> normal;
        std::vector<std::uint8_t> active(swarm.points.size());
        double time = 0.0, errors_told = 0.0, errors_untold = 0.0, worst_told = 0.0, worst_untold = 0.0;
        std::int64_t predicted = 0;
        for (int solve = 0; solve < 12; ++solve) {
            if (solve > 0) told.drifted({swarm.velocity[0], swarm.velocity[1], swarm.velocity[2]}, time);
            for (std::size_t i = 0; i < active.size(); ++i) active[i] = (i + static_cast<std::size_t>(solve)) % 5 == 0 ? 1 : 0;
            Points points = swarm.points.points();
            points.active = active;
            told.solve(points, a.fields());
            untold.solve(points, b.fields());
            predicted += told.report().predicted_nodes;
            EXPECT_LE(told.report().predicted_shift, criterion == Criterion::opening ? 0x1p-6 : 0x1p-5);
            EXPECT_EQ(told.report().predicted_shift > 0.0, told.report().predicted_nodes > 0);
            EXPECT_EQ(untold.report().predicted_nodes, 0);
            errors_told += told.report().acceleration_error->p99, errors_untold += untold.report().acceleration_error->p99;
            worst_told = std::max(worst_told, told.report().acceleration_error->max);
            worst_untold = std::max(worst_untold, untold.report().acceleration_error->max);
            for (std::size_t i = 0; i < active.size(); ++i)
                for (auto& component : swarm.velocity)
                    if (active[i] != 0) component[i] += i % 50 < 5 ? 20.0 * normal(random) : 0.3 * normal(random);
            swarm.move(time = solve % 2 == 0 ? 2e-4 : 1e-4);
        }
        EXPECT_LE(errors_told, 1.1 * errors_untold) << static_cast<int>(criterion);
        EXPECT_LE(worst_told, 1.6 * worst_untold) << static_cast<int>(criterion);
        EXPECT_GT(predicted, 200) << static_cast<int>(criterion);
    }
}

TEST(Moved, VelocitiesAreOfOneSolve) {
    Swarm swarm;
    Solver solver(MPI_COMM_WORLD, moving());
    Result result(swarm.points.size());
    const auto solve = [&](bool told) {
        if (told) solver.drifted({swarm.velocity[0], swarm.velocity[1], swarm.velocity[2]}, 1e-4);
        solver.solve(swarm.points.points(), result.fields());
        const std::int64_t predicted = solver.report().predicted_nodes;
        swarm.move(1e-4);
        return predicted;
    };
    EXPECT_EQ(solve(true), 0);
    EXPECT_EQ(solve(true), 0);  // measured, and velocities seen
    EXPECT_GT(solve(true), 0);
    EXPECT_EQ(solve(false), 0);
    EXPECT_EQ(solve(true), 0);
    EXPECT_GT(solve(true), 0);
    swarm.points.mass[3] *= 1.1;
    EXPECT_EQ(solve(true), 0);
    EXPECT_GT(solve(true), 0);
    for (auto& component : swarm.velocity) component[0] = NAN;
    const BodyArrays before = swarm.points;
    EXPECT_GT(solve(true), 0);
    for (const double potential : result.potential) EXPECT_TRUE(std::isfinite(potential));
    swarm.points = before;
    const Caught error = agreed([&] {
        solver.drifted({swarm.velocity[0], swarm.velocity[1], {}}, 1e-4);
        solver.solve(swarm.points.points(), result.fields());
    });
    EXPECT_EQ(error.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_EQ(solve(false), 0);
}

TEST(Moved, IsGivenUpInTime) {
    Swarm swarm;
    Solver solver(MPI_COMM_WORLD, moving());
    Result result(swarm.points.size());
    int built = 0;
    std::int64_t pairs = 0;
    for (int solve = 0; solve < 30; ++solve, swarm.move(0.02)) {
        solver.solve(swarm.points.points(), result.fields());
        built += world_size() - solver.report().moved_ranks;
        if (solve == 0) pairs = solver.report().node_interactions + solver.report().cell_interactions;
        EXPECT_LT(solver.report().node_interactions + solver.report().cell_interactions, 3 * pairs) << solve;
    }
    EXPECT_GE(built, 3 * world_size());
}

TEST(Moved, RepeatsItself) {
    std::vector<Result> runs;
    for (int run = 0; run < 2; ++run) {
        Swarm swarm;
        Solver solver(MPI_COMM_WORLD, moving());
        Result result(swarm.points.size());
        for (int solve = 0; solve < 5; ++solve, swarm.move(5e-3)) solver.solve(swarm.points.points(), result.fields());
        runs.push_back(result);
    }
    EXPECT_EQ(runs[0], runs[1]);
}

TEST(Moved, ActiveTargetsGetTheSameBits) {
    std::vector<Result> runs;
    for (const bool some : {false, true}) {
        Swarm swarm;
        Options options = moving();
        options.active_bits = ActiveBits::same;
        Solver solver(MPI_COMM_WORLD, options);
        Result result(swarm.points.size());
        solver.solve(swarm.points.points(), result.fields());
        swarm.move(2e-3);
        std::vector<std::uint8_t> active(swarm.points.size(), 0);
        for (std::size_t i = 0; i < active.size(); i += 5) active[i] = 1;
        Points points = swarm.points.points();
        if (some) points.active = active;
        Result second(swarm.points.size());
        solver.solve(points, second.fields());
        for (std::size_t i = 0; i < active.size(); ++i)
            if (active[i] == 0)
                second.potential[i] = second.acceleration[0][i] = second.acceleration[1][i] = second.acceleration[2][i] = 0.0;
        runs.push_back(second);
    }
    EXPECT_EQ(runs[0], runs[1]);
}

// Points that nobody solves for may go far; those that are solved for may not.
TEST(Moved, GrowthOfActiveGroupsCounts) {
    for (const bool movers_are_active : {false, true}) {
        BodyArrays swarm = part_of(random_points(8, 30000));
        Options options = moving();
        options.error_samples = 0;
        Solver solver(MPI_COMM_WORLD, options);
        Result result(swarm.size());
        solver.solve(swarm.points(), result.fields());
        std::mt19937_64 random(static_cast<std::uint64_t>(world_rank()));
        std::normal_distribution<double> normal;
        std::vector<std::uint8_t> active(swarm.size());
        for (std::size_t i = 0; i < active.size(); ++i) {
            const bool moves = swarm.x[i] < 0.1;
            const bool far_away = swarm.x[i] > 0.3;
            active[i] = (movers_are_active ? moves : far_away) ? 1 : 0;
            if (moves)  // within the root cube, another one is another tree
                swarm.y[i] = std::clamp(swarm.y[i] + 0.3 * normal(random), -0.19, 1.19);
        }
        Points points = swarm.points();
        points.active = active;
        solver.solve(points, result.fields());
        EXPECT_EQ(solver.report().moved_ranks, movers_are_active ? 0 : world_size());
    }
}

// Points in another order are not the ones that the tree has.
TEST(Moved, AnotherOrderIsNoticed) {
    BodyArrays points = part_of(random_points(8, 20000));
    Options options = moving();
    options.error_samples = 0;
    Solver solver(MPI_COMM_WORLD, options);
    Result result(points.size());
    solver.solve(points.points(), result.fields());
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) std::ranges::reverse(*array);
    solver.solve(points.points(), result.fields());
    EXPECT_EQ(solver.report().moved_ranks, 0);
}

// What is no move: other numbers, masses that come and go, cells; and points that rest after a move.
TEST(Moved, OtherChangesAreNoticed) {
    Swarm swarm;
    Solver solver(MPI_COMM_WORLD, moving());
    Result result(swarm.points.size());
    const auto solve = [&](int moved, int unchanged) {
        result = Result(swarm.points.size());
        solver.solve(swarm.points.points(), result.fields());
        EXPECT_EQ(solver.report().moved_ranks, moved);
        EXPECT_EQ(solver.report().unchanged_ranks, unchanged);
        EXPECT_LT(solver.report().acceleration_error->p99, 2e-4);
    };
    solve(0, 0);
    swarm.move(1e-3);
    solve(world_size(), 0);
    solve(0, world_size());
    swarm.move(1e-3);
    solve(world_size(), 0);
    swarm.points.mass[3] = 0.0;
    solve(0, 0);
    swarm.points.mass[5] *= 2.0;
    solve(0, world_size());
    swarm.points.softening.assign(swarm.points.size(), 2e-3);
    solve(0, 0);
    swarm.points.softening.assign(swarm.points.size(), 1e-3);
    swarm.move(1e-3);
    solve(0, 0);
    const BodyArrays mesh = part_of(random_mesh(5, 3));
    Result cells(mesh.size());
    solver.solve(mesh.cells(), cells.fields());
    EXPECT_EQ(solver.report().moved_ranks, 0);
    solve(0, 0);
}

TEST(Moved, NotInDouble) {
    Swarm swarm;
    Options options = moving(10);
    options.precision = Precision::double_, options.error_samples = 0;
    Solver solver(MPI_COMM_WORLD, options);
    Result result(swarm.points.size());
    for (int solve = 0; solve < 3; ++solve, swarm.move(1e-4)) {
        solver.solve(swarm.points.points(), result.fields());
        EXPECT_EQ(solver.report().moved_ranks, 0);
    }
}

// One point a rank: its node has grown from nothing to what it has moved.
TEST(Moved, LonePoints) {
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .keep_moved = true});
    BodyArrays all;
    for (int k = 0; k < 3; ++k) all.add_point(0.3 * k, 0.7 - 0.2 * k, 0.1 * k * k, 1.0);
    for (int step = 0; step < 4; ++step) {
        const BodyArrays mine = part_of(all, [](std::size_t i) { return static_cast<int>(i) % world_size(); });
        Result result(mine.size());
        EXPECT_EQ(agreed([&] { solver.solve(mine.points(), result.fields()); }).code, 0);
        EXPECT_LE(potential_errors(result, Naive({}, all, {}).points, mine.index).max, 1e-6) << "step " << step;
        for (double& x : all.x) x += 0.003 * (1.0 + step);
    }
}

// What a host says of its points is compared with where they are, if it asks for that.
TEST(Moved, PointsThatHaveNotDriftedAreNamed) {
    Options options = moving();
    options.check_changed = true;
    Swarm swarm;
    Solver solver(MPI_COMM_WORLD, options);
    Result result(swarm.points.size());
    const auto solve = [&](double time, double told) {
        swarm.move(time);
        solver.drifted({swarm.velocity[0], swarm.velocity[1], swarm.velocity[2]}, told);
        return agreed([&] { solver.solve(swarm.points.points(), result.fields()); });
    };
    EXPECT_EQ(solve(0.0, 0.0).code, 0);
    EXPECT_EQ(solve(1e-4, 1e-4).code, 0);
    const Caught error = solve(1e-4, 2e-4);
    EXPECT_EQ(error.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_NE(error.message.find("is not where its velocity takes it"), std::string::npos) << error.message;
    EXPECT_EQ(solve(1e-4, 7.0).code, 0);  // after an error nothing is relied upon
    EXPECT_EQ(solve(1e-4, 1e-4).code, 0);
    swarm.points.y[17] += 1e-3;
    const Caught one = solve(1e-4, 1e-4);
    EXPECT_NE(one.message.find("point 17"), std::string::npos) << one.message;
}

}  // namespace
}  // namespace gravlet::test
