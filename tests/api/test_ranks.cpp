// SPDX-License-Identifier: Apache-2.0
// Any number of ranks and any distribution of the bodies over them is as accurate as one rank.
#include "tests/api/problems.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <string>

namespace gravlet::test {
namespace {

/// The rank that each body goes to.
struct Distribution {
    const char* name;
    int (*owner)(std::size_t i, std::size_t n);
};

int piece(std::size_t i, std::size_t n) { return static_cast<int>(i * static_cast<std::size_t>(world_size()) / n); }
int unequal_piece(std::size_t i, std::size_t n) {
    return static_cast<int>(std::sqrt(static_cast<double>(i) / static_cast<double>(n)) * world_size());
}
int scatter(std::size_t i, std::size_t) { return static_cast<int>((i * 2654435761u >> 7) % static_cast<unsigned>(world_size())); }
int all_on_one(std::size_t, std::size_t) { return world_size() / 2; }
int some_have_none(std::size_t i, std::size_t n) { return static_cast<int>(2 * (i * 3 / n)) % world_size(); }

Errors errors_of(const Bodies& mine, const Result& reference, const Options& options, MPI_Comm comm) {
    Solver solver(comm, options);
    Result result(mine.size());
    if (mine.dx.empty()) {
        solver.solve(mine.points(), result.potential_only());
    } else {
        solver.solve(mine.cells(), result.potential_only());
    }
    return potential_errors(result, reference, mine.index, comm);
}

struct Accuracy {
    Options options;
    double factor;  ///< more than one rank may err by so much more than one
};

const Options fine{.theta = 0.5, .order = 2, .threads = 1}, standard{.threads = 1};

// rms errors at 2000 bodies. Those of one solve are a rank's luck by a few per cent; 10% is what must hold.
void expect_as_accurate_as_one_rank(const Bodies& all, const std::vector<Accuracy>& accuracies,
                                    const std::vector<Distribution>& distributions) {
    Result reference(0);
    reference.potential = sampled_direct_sum(all, std::max<std::size_t>(1, all.size() / 2000));
    for (const auto& [options, factor] : accuracies) {
        double alone = 0.0;
        if (world_rank() == 0) alone = errors_of(all, reference, options, MPI_COMM_SELF).rms;
        MPI_Bcast(&alone, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (const Distribution& distribution : distributions) {
            const Bodies mine = part_of(all, [&](std::size_t i) { return distribution.owner(i, all.size()); });
            const Errors got = errors_of(mine, reference, options, MPI_COMM_WORLD);
if (!world_rank()) printf("MEASURE n %zu ranks %d theta %g order %d %s: alone %.3e got %.3e ratio %.3f max %.3e\n", all.size(), world_size(), options.theta, options.order, distribution.name, alone, got.rms, got.rms/alone, got.max);
            EXPECT_LE(got.rms, factor * alone)
                << distribution.name << ", theta " << options.theta << ", order " << options.order << ", one rank: " << alone;
        }
    }
}

// Whole blocks are all but free of errors at order 4, and half-filled nodes, which two ranks share, are not.
TEST(Ranks, MaclaurinSpheroid) {
    expect_as_accurate_as_one_rank(bodies_of(MaclaurinProblem{.max_level = 5}),
                                   {{fine, 1.1}, {standard, 1.1}, {{.theta = 0.5, .order = 4, .threads = 1}, 2.5}},
                                   {{"pieces", piece}, {"scatter", scatter}});
}

TEST(Ranks, UniformPoints) {
    expect_as_accurate_as_one_rank(bodies_of(UniformPointsProblem{.n = 100'000}), {{fine, 1.1}, {standard, 1.1}},
                                   {{"pieces", piece}, {"scatter", scatter}});
}

// Cells of random mass: nodes have no symmetry to lose or to keep.
TEST(Ranks, RandomMesh) {
    expect_as_accurate_as_one_rank(random_mesh(42, 7),
                                   {{fine, 1.5}, {standard, 1.5}, {{.theta = 1.0, .order = 0, .threads = 1}, 1.5}},
                                   {{"pieces", piece},
                                    {"unequal pieces", unequal_piece},
                                    {"scatter", scatter},
                                    {"all on one", all_on_one},
                                    {"some have none", some_have_none}});
}

// Accelerations likewise, and the same bits when the same ranks solve the same input again.
TEST(Ranks, AccelerationsAndSameBits) {
    const Bodies mesh = random_mesh(44, 6);
    const Naive naive(mesh, {}, {}, 5);
    for (const Options& options : {fine, standard}) {
        std::array<double, 2> alone{};
        if (world_rank() == 0) {
            Result result(mesh.size());
            Solver(MPI_COMM_SELF, options).solve(mesh.cells(), result.fields());
            const Errors errors = acceleration_errors(result, naive.cells, {}, MPI_COMM_SELF);
            alone = {errors.rms, errors.max};
        }
        MPI_Bcast(alone.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (const auto owner : {piece, scatter}) {
            const Bodies mine = part_of(mesh, [&](std::size_t i) { return owner(i, mesh.size()); });
            Solver solver(MPI_COMM_WORLD, options);
            Result result(mine.size()), again(mine.size());
            solver.solve(mine.cells(), result.fields());
            const Errors got = acceleration_errors(result, naive.cells, mine.index);
if (!world_rank()) printf("MEASURE acc n %zu ranks %d theta %g order %d: alone %.3e got %.3e ratio %.3f max %.3e %.3f\n", mesh.size(), world_size(), options.theta, options.order, alone[0], got.rms, got.rms/alone[0], got.max, got.max/alone[1]);
            EXPECT_LE(got.rms, 1.5 * alone[0]) << "theta " << options.theta << " order " << options.order;
            EXPECT_LE(got.max, 2.5 * alone[1]) << "theta " << options.theta << " order " << options.order;
            solver.solve(mine.cells(), again.fields());
            EXPECT_EQ(again, result);
        }
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
