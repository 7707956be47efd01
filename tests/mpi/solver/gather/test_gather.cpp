// SPDX-License-Identifier: Apache-2.0
// Gathered solves give the bits that the leaders would get from their groups' bodies, and write what was asked for, nowhere else.
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gravlet::test {
namespace {

int scattered(std::size_t i) { return static_cast<int>((i * 2654435761u >> 7) % static_cast<unsigned>(world_size())); }
int run_of_40(std::size_t i) { return static_cast<int>(i / 40) % world_size(); }
int all_on_last(std::size_t) { return world_size() - 1; }
int all_but_first(std::size_t i) { return world_size() == 1 ? 0 : 1 + static_cast<int>(i) % (world_size() - 1); }

void expect_same_bits(Gathered& gathered, const Grouping& grouping, const Options& options, const BodyArrays& mesh,
                      const BodyArrays& masses, int (*owner)(std::size_t), bool derivatives) {
    const LeadersAlone expected(grouping, options, mesh, masses, owner, derivatives);
    const BodyArrays cells = bodies_of(world_rank(), mesh, owner), points = bodies_of(world_rank(), masses, owner);
    Result cell_result(cells.size()), point_result(points.size());
    const auto wanted = [&](Result& r) { return derivatives ? r.all_fields() : r.potential_only(); };
    const Report report = gathered.solve(make_input(cells.cells(), wanted(cell_result), points.points(), wanted(point_result)));
    EXPECT_EQ(report.targets, static_cast<std::int64_t>(mesh.size() + masses.size()));
    EXPECT_EQ(everywhere(cell_result, cells.index, mesh.size()), expected.cells) << grouping.name;
    EXPECT_EQ(everywhere(point_result, points.index, masses.size()), expected.points) << grouping.name;
}

// One engine, inputs of many sizes: its memory grows, and is used again.
TEST(Gather, CellsAndPointsOfAnySize) {
    const Options options{.theta = 0.7, .order = 2, .softening = option_softening, .threads = 1};
    for (const Grouping& grouping : groupings()) {
        Gathered gathered(grouping, options);
        const auto expect = [&](const BodyArrays& mesh, const BodyArrays& masses, int (*owner)(std::size_t), bool acceleration) {
            expect_same_bits(gathered, grouping, options, mesh, masses, owner, acceleration);
        };
        const BodyArrays none, small = random_mesh(1, 3), large = random_mesh(2, 5), points = random_points(3, 500);
        expect(small, none, scattered, true);
        expect(large, points, scattered, false);
        expect(none, points, all_on_last, true);
        expect(none, none, scattered, true);
        expect(small, points, all_but_first, true);
        expect(large, points, run_of_40, true);
        BodyArrays with_lengths = points;
        for (std::size_t i = 0; i < points.size(); ++i) with_lengths.softening.push_back(i % 3 == 0 ? 0.0 : 0.1);
        expect(small, with_lengths, scattered, true);
    }
}

// That has room for 2 MB.
TEST(Gather, MoreThanTheFirstMemory) {
    const Options options{.theta = 1.0, .order = 0, .threads = 1};
    const Grouping one = groupings().front();
    Gathered gathered(one, options);
    for (const std::size_t n : {1000UL, 40000UL, 200UL, 70000UL})
        expect_same_bits(gathered, one, options, {}, random_points(n, n), scattered, true);
}

TEST(Gather, DirectSum) {
    const Options options{.theta = 0.0, .threads = 1};
    for (const Grouping& grouping : groupings()) {
        Gathered gathered(grouping, options);
        expect_same_bits(gathered, grouping, options, random_mesh(1, 3), random_points(2, 50), scattered, true);
    }
}

// The same cells on the ranks themselves, to the tree's error.
TEST(Gather, AsAccurateAsNotGathered) {
    const BodyArrays all = random_mesh(42, 5), mine = part_of(all);
    const Options options{.theta = 0.5, .order = 2, .threads = 1};
    const Naive naive(all, {}, options, 3);
    const Communicator comm(MPI_COMM_WORLD);
    Result alone(mine.size());
    solve(*cpu_engine(comm, options, 1), comm, make_input(mine.cells(), alone.potential_only(), {}, {}));
    const double expected = potential_errors(alone, naive.cells, mine.index).rms;
    for (const Grouping& grouping : groupings()) {
        Result result(mine.size());
        Gathered(grouping, options).solve(make_input(mine.cells(), result.potential_only(), {}, {}));
        EXPECT_LE(potential_errors(result, naive.cells, mine.index).rms, 2.0 * expected) << grouping.name;
    }
}

// Ranks 0, 3, ... want nothing, 1, 4, ... potentials, 2, 5, ... accelerations and tides.
TEST(Gather, OnlyWhatIsWanted) {
    const Options options{.threads = 1};
    const BodyArrays mesh = random_mesh(5, 4), masses = random_points(6, 100);
    for (const Grouping& grouping : groupings()) {
        const LeadersAlone expected(grouping, options, mesh, masses, scattered, true);
        const BodyArrays cells = bodies_of(world_rank(), mesh, scattered), points = bodies_of(world_rank(), masses, scattered);
        Result cell_result(cells.size()), point_result(points.size());
        const int wish = world_size() == 1 ? 2 : world_rank() % 3;
        const auto wanted = [&](Result& r) {
            Fields fields = r.all_fields();
            if (wish != 1) fields.potential = {};
            if (wish != 2) fields.acceleration = {}, fields.tidal = {};
            return fields;
        };
        Gathered(grouping, options).solve(make_input(cells.cells(), wanted(cell_result), points.points(), wanted(point_result)));
        const auto check = [&](const Result& got, const Result& all, const std::vector<std::size_t>& index) {
            for (std::size_t k = 0; k < index.size(); ++k) {
                // Without a rank that wants derivatives, far fields are expanded more freely: potentials are not these bits.
                if (wish == 1 && world_size() > 2) {
                    ASSERT_EQ(got.potential[k], all.potential[index[k]]);
                } else if (wish != 1) {
                    ASSERT_EQ(got.potential[k], Result::untouched);
                }
                for (std::size_t axis = 0; axis < 3; ++axis)
                    ASSERT_EQ(got.acceleration[axis][k], wish == 2 ? all.acceleration[axis][index[k]] : Result::untouched);
                for (std::size_t c = 0; c < 6; ++c)
                    ASSERT_EQ(got.tidal[c][k], wish == 2 ? all.tidal[c][index[k]] : Result::untouched);
            }
        };
        check(cell_result, expected.cells, cells.index);
        check(point_result, expected.points, points.index);
    }
}

// All ranks but the second bring flags; active ones have the bits that they have in a solve for all, others are not written.
TEST(Gather, ActiveOnSomeRanks) {
    const Options options{.theta = 0.7, .order = 2, .softening = option_softening, .threads = 1, .active_bits = ActiveBits::same};
    const BodyArrays mesh = random_mesh(5, 4), masses = random_points(6, 200);
    const BodyArrays cells = bodies_of(world_rank(), mesh, scattered), points = bodies_of(world_rank(), masses, run_of_40);
    std::vector<std::uint8_t> of_cells(cells.size()), of_points(points.size());
    for (std::size_t i = 0; i < cells.size(); ++i) of_cells[i] = cells.index[i] % 3 == 0;
    for (std::size_t i = 0; i < points.size(); ++i) of_points[i] = points.index[i] % 2 == 0;
    const bool flags = world_rank() != 1;
    long active = 0;
    for (const std::uint8_t one : of_cells) active += !flags || one != 0 ? 1 : 0;
    for (const std::uint8_t one : of_points) active += !flags || one != 0 ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &active, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        Result all_cells(cells.size()), all_points(points.size()), some_cells(cells.size()), some_points(points.size());
        Gathered(grouping, options).solve(make_input(cells.cells(), all_cells.fields(), points.points(), all_points.fields()));
        Cells given = cells.cells();
        Points given_points = points.points();
        if (flags) given.active = of_cells, given_points.active = of_points;
        const Report report =
            Gathered(grouping, options).solve(make_input(given, some_cells.fields(), given_points, some_points.fields()));
        EXPECT_EQ(report.targets, active) << grouping.name;
        EXPECT_GE(report.sources, static_cast<std::int64_t>(masses.size())) << grouping.name;
        const auto check = [&](const Result& some, const Result& all, const std::vector<std::uint8_t>& of) {
            for (std::size_t i = 0; i < of.size(); ++i) {
                const bool here = !flags || of[i] != 0;
                ASSERT_EQ(some.potential[i], here ? all.potential[i] : Result::untouched) << grouping.name;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    ASSERT_EQ(some.acceleration[axis][i], here ? all.acceleration[axis][i] : Result::untouched) << grouping.name;
            }
        };
        check(some_cells, all_cells, of_cells);
        check(some_points, all_points, of_points);
    }
}

TEST(Gather, ReportIsThatOfAll) {
    const BodyArrays all = random_mesh(7, 4), mine = part_of(all);
    const Options options{.threads = 1, .error_samples = 100};
    for (const Grouping& grouping : groupings()) {
        Result result(mine.size());
        const Report report = Gathered(grouping, options).solve(make_input(mine.cells(), result.fields(), {}, {}));
        EXPECT_EQ(report.ranks, world_size());
        EXPECT_EQ(report.targets, static_cast<std::int64_t>(all.size()));
        EXPECT_EQ(report.threads, 1);
        EXPECT_EQ(report.backend.substr(0, 3), "cpu");
        ASSERT_GT(report.stages.size(), 2);
        EXPECT_EQ(report.stages.front().name, "gather");
        EXPECT_EQ(report.stages.back().name, "scatter");
        double sum = 0.0;
        for (const StageTime& stage : report.stages) {
            EXPECT_LE(stage.mean, stage.max * (1.0 + 1e-12)) << stage.name;
            sum += stage.mean;
        }
        EXPECT_GE(report.seconds, 0.9 * sum);
        ASSERT_TRUE(report.potential_error && report.acceleration_error);
        EXPECT_EQ(report.potential_error->samples, 100);
        EXPECT_LT(report.potential_error->rms, 3.5e-6);
        const auto at = std::ranges::find(all.x, report.potential_error->worst[0]);
        EXPECT_NE(at, all.x.end());                                            // in the caller's coordinates
        agreed([&] { throw Error(ErrorCode::internal, to_string(report)); });  // the same on every rank
    }
}

}  // namespace
}  // namespace gravlet::test
