// SPDX-License-Identifier: Apache-2.0
// Tolerances are reached within a factor of two after three solves whatever the law of a problem's errors is, within bounds, and
// measuring is seldom from then on.
#include "solver/criterion/steering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace gravlet {
namespace {

/// Errors of a problem: over those of a typical one, by order, with a jump at some angle.
struct Law {
    double times = 1.0, power = 1.0, jump_at = 2.0, jump = 1.0;

    [[nodiscard]] double error(const Options& o) const {
        const std::map<int, double> typical = {{0, 3e-3}, {2, 1e-3}, {4, 2e-4}};
        const double degree = std::max(o.order + 1.0, 2.0);
        return times * typical.at(o.order) * std::pow(o.theta, power * degree) * (o.theta > jump_at ? jump : 1.0);
    }
};

Frame frame_of(bool points) {
    Frame frame;
    frame.derivatives = 1;
    frame.points = points;
    frame.cells = !points;
    return frame;
}

struct Solve {
    double error, theta;
};

/// So many solves, one after the other.
std::vector<Solve> solves_of(const Law& law, double tolerance, bool points, int solves, int* measured = nullptr) {
    Steering steering({.criterion = Criterion::opening, .tolerance = tolerance}, costs_on_gpus);
    const Frame frame = frame_of(points);
    std::vector<Solve> done;
    for (int solve = 0; solve < solves; ++solve) {
        const Options taken = steering.taken(frame);
        done.push_back({law.error(taken), taken.theta});
        Report report;
        report.acceleration_error.emplace().p99 = done.back().error;
        if (measured != nullptr && steering.samples(frame) > 0) ++*measured;
        steering.solved(frame, taken, {.walked = 1e9, .direct = 3e8}, report);
        EXPECT_EQ(report.tolerance.value().asked, tolerance);
        EXPECT_EQ(report.tolerance->order, taken.order);
        EXPECT_EQ(report.tolerance->theta, taken.theta);
    }
    return done;
}

TEST(Steering, Reaches) {
    for (const bool points : {false, true}) {
        for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
            for (const double times : {0.2, 0.5, 1.0, 2.0, 5.0}) {
                for (const double power : {0.8, 1.0, 1.3}) {
                    const Law law{times, power};
                    const Solve last = solves_of(law, tolerance, points, 4).back();
                    EXPECT_LT(last.error, 2.0 * tolerance) << tolerance << " " << times << " " << power;
                    if (last.theta < 1.0) {
                        EXPECT_GT(last.error, 0.5 * tolerance) << tolerance << " " << times << " " << power;
                    }
                }
            }
        }
    }
}

TEST(Steering, ErrorsThatJump) {
    for (const double at : {0.5, 0.7, 0.95}) {
        const std::vector<Solve> solves = solves_of({.times = 0.6, .jump_at = at, .jump = 3.0}, 1e-4, true, 8);
        for (const Solve& solve : solves) EXPECT_LT(solve.error, 4e-4) << at;
        EXPECT_LT(solves.back().error, 2e-4) << at;
    }
}

/// What stays is what was measured, also where errors are so steep that no angle has the error that is asked for.
TEST(Steering, ACliff) {
    for (const double at : {0.3, 0.5, 0.7, 0.9}) {
        const Law law{.times = 0.05, .jump_at = at, .jump = 300.0};
        const std::vector<Solve> solves = solves_of(law, 1e-4, false, 40);
        for (std::size_t k = 12; k < solves.size(); ++k) EXPECT_LT(solves[k].error, 1.2e-4) << at << " " << k;
    }
}

TEST(Steering, MeasuresSeldom) {
    int measured = 0;
    solves_of({.times = 2.0}, 1e-4, true, 200, &measured);
    EXPECT_GT(measured, 5);
    EXPECT_LT(measured, 20);
}

TEST(Steering, AnotherFieldStartsAnew) {
    Steering steering({.criterion = Criterion::opening, .tolerance = 1e-4}, costs_on_gpus);
    Frame frame = frame_of(true);
    Report report;
    report.acceleration_error.emplace().p99 = 1e-3;
    steering.solved(frame, steering.taken(frame), {1e9, 1e6}, report);
    const Options fields = steering.taken(frame);
    frame.derivatives = 0;
    EXPECT_GT(steering.samples(frame), 0);
    EXPECT_EQ(steering.taken(frame).theta, Steering({.tolerance = 1e-4}, costs_on_gpus).taken(frame).theta);
    frame.derivatives = 1;
    EXPECT_EQ(steering.taken(frame).theta, fields.theta);
}

TEST(Steering, CriterionThatIsCheaper) {
    const auto taken = [](bool points, int derivatives, Criterion criterion) {
        Frame frame = frame_of(points);
        frame.derivatives = derivatives;
        return Steering({.criterion = criterion, .tolerance = 1e-4}, costs_on_gpus).taken(frame).criterion;
    };
    EXPECT_EQ(taken(true, 1, Criterion::automatic), Criterion::acceleration);
    EXPECT_EQ(taken(true, 0, Criterion::automatic), Criterion::opening);
    EXPECT_EQ(taken(false, 1, Criterion::automatic), Criterion::opening);
    EXPECT_EQ(taken(true, 1, Criterion::multipole), Criterion::multipole);
}

TEST(Steering, None) {
    Steering steering({.theta = 0.6}, costs_on_gpus);
    Report report;
    const Frame frame = frame_of(true);
    EXPECT_EQ(steering.samples(frame), 0);
    EXPECT_EQ(steering.taken(frame).theta, 0.6);
    EXPECT_EQ(steering.taken(frame).order, 4);
    steering.solved(frame, steering.taken(frame), {}, report);
    EXPECT_FALSE(report.tolerance);
}

}  // namespace
}  // namespace gravlet
