// SPDX-License-Identifier: Apache-2.0
// Any number of ranks and any distribution of the cells over them is as accurate as one rank.
#include "tests/api/bodies.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

const Bodies& mesh() {
    static const Bodies all = random_mesh(42, 4);
    return all;
}

const Naive& reference() {
    static const Naive naive(mesh(), {}, {});
    return naive;
}

void expect_as_accurate_as_one_rank(const std::function<int(std::size_t)>& owner) {
    const Bodies mine = part_of(mesh(), owner);
    for (const Options& options :
         {Options{}, Options{.theta = 0.5, .order = 2, .threads = 1}, Options{.theta = 1.0, .order = 0}}) {
        Result alone(mesh().size());
        Solver(MPI_COMM_SELF, options).solve(mesh().cells(), alone.fields());
        const Errors potential = potential_errors(alone, reference().cells, {}, MPI_COMM_SELF);
        const Errors acceleration = acceleration_errors(alone, reference().cells, {}, MPI_COMM_SELF);

        Solver solver(MPI_COMM_WORLD, options);
        Result result(mine.size()), again(mine.size());
        solver.solve(mine.cells(), result.fields());
        const Errors got = potential_errors(result, reference().cells, mine.index);
        const Errors got_acceleration = acceleration_errors(result, reference().cells, mine.index);
        EXPECT_LE(got.max, 1.1 * potential.max) << "theta " << options.theta << " order " << options.order;
        EXPECT_LE(got.rms, 1.1 * potential.rms) << "theta " << options.theta << " order " << options.order;
        EXPECT_LE(got_acceleration.rms, 1.1 * acceleration.rms) << "theta " << options.theta << " order " << options.order;

        solver.solve(mine.cells(), again.fields());
        EXPECT_EQ(again, result);
    }
}

TEST(Ranks, OneRanksErrorsAreSmall) {
    Result result(mesh().size());
    const auto errors = [&](double theta, int order) {
        Solver(MPI_COMM_SELF, {.theta = theta, .order = order}).solve(mesh().cells(), result.fields());
        return potential_errors(result, reference().cells, {}, MPI_COMM_SELF);
    };
    EXPECT_LE(errors(0.5, 0).max, 1e-2);
    EXPECT_LE(errors(0.5, 2).max, 5e-4);
    EXPECT_LE(errors(0.8, 4).max, 3e-4);
    // They fall as theta falls, and as the order rises.
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
    Solver(MPI_COMM_WORLD, {}).solve(mine.cells(), result.fields());
    EXPECT_LE(potential_errors(result, Naive(row, {}, {}).cells, mine.index).max, 1e-6);
}

}  // namespace
}  // namespace gravlet::test
