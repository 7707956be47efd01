// SPDX-License-Identifier: Apache-2.0
// Any number of ranks and any distribution of the cells over them is as accurate as one rank.
#include "tests/api/bodies.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

// Large enough (31,060 cells) that the nodes which two ranks share, and which each sees half filled, are few.
const Bodies& mesh() {
    static const Bodies all = random_mesh(42, 7);
    return all;
}

const Naive& reference() {
    static const Naive naive(mesh(), {}, {}, 31);
    return naive;
}

struct Case {
    Options options;
    Errors potential, acceleration;  // of one rank
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> out;
        for (const Options& options :
             {Options{}, Options{.theta = 0.5, .order = 2, .threads = 1}, Options{.theta = 1.0, .order = 0}}) {
            std::array<double, 4> errors{};
            if (world_rank() == 0) {
                Result alone(mesh().size());
                Solver(MPI_COMM_SELF, options).solve(mesh().cells(), alone.fields());
                const Errors potential = potential_errors(alone, reference().cells, {}, MPI_COMM_SELF);
                const Errors acceleration = acceleration_errors(alone, reference().cells, {}, MPI_COMM_SELF);
                errors = {potential.max, potential.rms, acceleration.max, acceleration.rms};
            }
            MPI_Bcast(errors.data(), 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            out.push_back({options, {errors[0], errors[1]}, {errors[2], errors[3]}});
        }
        return out;
    }();
    return all;
}

// The largest of a thousand errors is one cell's luck: twice as large is still the same accuracy.
void expect_as_accurate_as_one_rank(const std::function<int(std::size_t)>& owner) {
    const Bodies mine = part_of(mesh(), owner);
    for (const auto& [options, potential, acceleration] : cases()) {
        Solver solver(MPI_COMM_WORLD, options);
        Result result(mine.size()), again(mine.size());
        solver.solve(mine.cells(), result.fields());
        const Errors got = potential_errors(result, reference().cells, mine.index);
        const Errors got_acceleration = acceleration_errors(result, reference().cells, mine.index);
        EXPECT_LE(got.rms, 1.1 * potential.rms) << "theta " << options.theta << " order " << options.order;
        EXPECT_LE(got_acceleration.rms, 1.1 * acceleration.rms) << "theta " << options.theta << " order " << options.order;
        EXPECT_LE(got.max, 2.0 * potential.max) << "theta " << options.theta << " order " << options.order;
        EXPECT_LE(got_acceleration.max, 2.0 * acceleration.max) << "theta " << options.theta << " order " << options.order;
        solver.solve(mine.cells(), again.fields());
        EXPECT_EQ(again, result);
    }
}

TEST(Ranks, ErrorsFallWithThetaAndOrder) {
    const Bodies all = random_mesh(43, 6), mine = piece_of(all);
    const Naive naive(all, {}, {}, 7);
    Result result(mine.size());
    const auto errors = [&](double theta, int order) {
        Solver(MPI_COMM_WORLD, {.theta = theta, .order = order}).solve(mine.cells(), result.fields());
        return potential_errors(result, naive.cells, mine.index);
    };
    EXPECT_LE(errors(0.5, 0).max, 1e-2);
    EXPECT_LE(errors(0.5, 2).max, 5e-4);
    EXPECT_LE(errors(0.8, 4).max, 5e-4);
    for (const int order : {0, 1, 2, 3, 4}) EXPECT_LT(errors(0.4, order).rms, 0.7 * errors(0.8, order).rms) << order;
    for (const int order : {1, 2, 3, 4}) EXPECT_LT(errors(0.6, order).rms, 1.05 * errors(0.6, order - 1).rms) << order;
}

TEST(Ranks, Pieces) {
    expect_as_accurate_as_one_rank(
        [](std::size_t i) { return static_cast<int>(i * static_cast<std::size_t>(world_size()) / mesh().size()); });
}

TEST(Ranks, UnequalPieces) {
    expect_as_accurate_as_one_rank([](std::size_t i) {
        return static_cast<int>(std::sqrt(static_cast<double>(i) / static_cast<double>(mesh().size())) * world_size());
    });
}

TEST(Ranks, RandomScatter) {
    expect_as_accurate_as_one_rank([](std::size_t i) { return static_cast<int>(i * 2654435761u % 10007) % world_size(); });
}

TEST(Ranks, AllOnOne) {
    expect_as_accurate_as_one_rank([](std::size_t) { return world_size() / 2; });
}

TEST(Ranks, SomeHaveNone) {
    expect_as_accurate_as_one_rank([](std::size_t i) { return static_cast<int>(2 * (i * 3 / mesh().size())) % world_size(); });
}

TEST(Ranks, OneCellEach) {
    Bodies row;
    for (int i = 0; i < world_size(); ++i) row.add_cell(i + 0.5, 0.5, 0.5, 1.0, 1.0 + i);
    const Bodies mine = piece_of(row);
    Result result(mine.size());
    Solver(MPI_COMM_WORLD, {.theta = 0.1}).solve(mine.cells(), result.fields());  // opens all nodes of so short a row
    EXPECT_LE(potential_errors(result, Naive(row, {}, {}).cells, mine.index).max, 1e-6);
}

}  // namespace
}  // namespace gravlet::test
