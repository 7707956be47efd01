// SPDX-License-Identifier: Apache-2.0
// Redistributed solves give answers that do not depend on who brought what, to the bit, and are those of a solve without; they
// write what was asked for, nowhere else, and cost what bodies along the curve cost.
#include "solver/redistribute/redistribute_engine.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

using Owner = std::function<int(std::size_t)>;

int scattered(std::size_t i) { return static_cast<int>((i * 2654435761u >> 7) % static_cast<unsigned>(world_size())); }
int run_of_40(std::size_t i) { return static_cast<int>(i / 40) % world_size(); }
int all_on_last(std::size_t) { return world_size() - 1; }
int all_but_first(std::size_t i) { return world_size() == 1 ? 0 : 1 + static_cast<int>(i) % (world_size() - 1); }

const Options base{.theta = 0.7, .order = 2, .softening = 0.01, .threads = 1, .active_bits = ActiveBits::same};

/// Also on one rank, where the option has no effect. `copies`: as if the caller's arrays might be a device's.
struct Redistributed {
    Communicator comm{MPI_COMM_WORLD};
    RedistributeEngine engine;

    explicit Redistributed(const Options& options, bool copies = false, int threads = 1)
        : engine(comm, options, threads, cpu_engine(comm, options, 1), copies ? std::make_unique<DeviceAccess>() : nullptr) {}
    Report solve(const Input& input) { return test::solve(engine, comm, input); }
};

struct Results {
    Result cells, points;
    friend bool operator==(const Results&, const Results&) = default;
};

/// Of all bodies, by index, on every rank.
Results results_of(Engine& engine, const Communicator& comm, const BodyArrays& mesh, const BodyArrays& masses,
                   const Owner& owner) {
    const BodyArrays my_cells = part_of(mesh, owner), my_points = part_of(masses, owner);
    Result cell_result(my_cells.size()), point_result(my_points.size());
    solve(engine, comm, make_input(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields()));
    return {everywhere(cell_result, my_cells.index, mesh.size()), everywhere(point_result, my_points.index, masses.size())};
}

void expect_near(const Result& got, const Result& expected, double tolerance) {
    double rms = 0.0;
    for (const auto& component : expected.acceleration)
        for (const double a : component) rms += a * a / static_cast<double>(expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got.potential[i], expected.potential[i], tolerance * std::abs(expected.potential[i]));
        for (std::size_t axis = 0; axis < 3; ++axis)
            ASSERT_NEAR(got.acceleration[axis][i], expected.acceleration[axis][i], tolerance * std::sqrt(rms));
    }
}

BodyArrays with_lengths(BodyArrays points) {
    for (std::size_t i = 0; i < points.size(); ++i) points.softening.push_back(i % 3 == 0 ? 0.0 : 0.1);
    return points;
}

// One engine, inputs of many sizes: its memory grows, and is used again.
TEST(Redistribute, SameBitsWhoeverBringsWhat) {
    const BodyArrays none, mesh = random_mesh(2, 5), points = random_points(3, 500);
    BodyArrays one;
    one.add_cell(0.5, 0.5, 0.5, 0.25, 1.0);
    Options periodic = base;
    periodic.boundary.fill(Boundary::periodic);
    periodic.domain = Box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
    for (const Options& options : {base, periodic}) {
        Redistributed redistributed(options), threaded(options, false, 3);
        const auto expect = [&](const BodyArrays& cells, const BodyArrays& masses) {
            const auto results = [&](const Owner& owner) {
                return results_of(redistributed.engine, redistributed.comm, cells, masses, owner);
            };
            const Results expected = results(scattered);
            for (const auto& owner : {run_of_40, all_on_last, all_but_first}) EXPECT_TRUE(results(owner) == expected);
            EXPECT_TRUE(results_of(threaded.engine, threaded.comm, cells, masses, run_of_40) == expected);
        };
        expect(mesh, points);
        expect(random_mesh(1, 3), none);
        expect(none, points);
        expect(none, none);
        expect(one, none);
        if (!is_periodic(options)) expect(none, with_lengths(points));
    }
}

TEST(Redistribute, AnswersOfASolveWithout) {
    const BodyArrays none, mesh = random_mesh(2, 4), points = random_points(3, 500);
    for (const double theta : {0.0, 0.2}) {
        Options options = base;
        options.theta = theta;
        options.order = 4;
        Redistributed redistributed(options);
        const auto plain = cpu_engine(redistributed.comm, options, 1);
        const auto expect = [&](const BodyArrays& cells, const BodyArrays& masses, const Owner& owner) {
            const Results got = results_of(redistributed.engine, redistributed.comm, cells, masses, owner);
            const Results expected = results_of(*plain, redistributed.comm, cells, masses, owner);
            // In single precision either errs by up to 3e-6: which pairs are done in double goes with who is in a batch.
            expect_near(got.cells, expected.cells, theta == 0.0 ? 1e-14 : 1.5e-6);
            expect_near(got.points, expected.points, theta == 0.0 ? 1e-14 : 1.5e-6);
        };
        for (const auto& owner : {scattered, all_on_last}) {
            expect(mesh, none, owner);
            expect(none, with_lengths(points), owner);
            expect(mesh, points, owner);
        }
    }
}

TEST(Redistribute, BlocksAsCells) {
    const BlockMesh mesh({4, 3, 2});
    const BodyArrays cells = mesh.as_cells(), points = part_of(random_points(4, 100), scattered);
    for (const bool copies : {false, true}) {
        Redistributed redistributed(base, copies);
        Result expected(cells.size()), expected_points(points.size()), point_result(points.size());
        redistributed.solve(make_input(cells.cells(), expected.fields(), points.points(), expected_points.fields()));

        FlashArray array(mesh, 2);
        FlashArray solved = array;
        std::vector<Block> blocks = solved.blocks(mesh);
        if (!blocks.empty()) blocks.back().active = false;
        Input input = make_input({}, {}, points.points(), point_result.fields());
        input.blocks = blocks.data();
        input.block_count = blocks.size();
        std::vector<std::size_t> begin;
        lay_out_blocks(input, begin);
        redistributed.solve(input);
        EXPECT_TRUE(point_result == expected_points);
        std::size_t i = 0;
        mesh.for_each_cell([&](std::size_t b, int x, int y, int z, std::size_t) {
            const bool active = b + 1 < blocks.size();
            for (int variable = 1; active && variable < 5; ++variable) {
                const double value =
                    variable == 1 ? expected.potential[i] : expected.acceleration[static_cast<std::size_t>(variable - 2)][i];
                ASSERT_NEAR(solved.at(variable, x, y, z, b), value, 1e-15 * std::abs(value));  // of masses that are rounded
                array.at(variable, x, y, z, b) = solved.at(variable, x, y, z, b);
            }
            ++i;
        });
        EXPECT_TRUE(solved.data == array.data);  // nothing else was written
    }
}

// Active ones have the bits that they have in a solve for all. Ranks 0, 3, ... want nothing, 1, 4, ... potentials.
TEST(Redistribute, WhatIsWantedAndActive) {
    const BodyArrays mesh = part_of(random_mesh(2, 4), scattered), points = part_of(random_points(3, 300), scattered);
    const int wish = world_size() == 1 ? 2 : world_rank() % 3;
    for (const bool copies : {false, true}) {
        Redistributed redistributed(base, copies);
        Result all_cells(mesh.size()), all_points(points.size()), cell_result(mesh.size()), point_result(points.size());
        redistributed.solve(make_input(mesh.cells(), all_cells.fields(), points.points(), all_points.fields()));

        std::vector<std::uint8_t> active_cells(mesh.size()), active_points(points.size());
        for (std::size_t i = 0; i < mesh.size(); ++i) active_cells[i] = i % 3 == 0;
        for (std::size_t i = 0; i < points.size(); ++i) active_points[i] = i % 2 == 0;
        Cells cells = mesh.cells();
        Points masses = points.points();
        if (world_rank() != 1) cells.active = active_cells, masses.active = active_points;
        const auto wanted = [&](Result& r) {
            Fields fields = r.fields();
            if (wish == 0) fields.potential = {};
            if (wish != 2) fields.acceleration = {};
            return fields;
        };
        const Report report = redistributed.solve(make_input(cells, wanted(cell_result), masses, wanted(point_result)));
        EXPECT_LT(report.targets, report.sources + report.targets / 2);
        const auto check = [&](const Result& got, const Result& all, const std::vector<std::uint8_t>& active) {
            for (std::size_t i = 0; i < got.size(); ++i) {
                const bool here = active[i] != 0 || world_rank() == 1;
                if (world_size() != 2) {  // there nobody wants accelerations, and potentials are other bits
                    ASSERT_EQ(got.potential[i], here && wish != 0 ? all.potential[i] : Result::untouched);
                }
                for (std::size_t axis = 0; axis < 3; ++axis)
                    ASSERT_EQ(got.acceleration[axis][i], here && wish == 2 ? all.acceleration[axis][i] : Result::untouched);
            }
        };
        check(cell_result, all_cells, active_cells);
        check(point_result, all_points, active_points);
    }
}

TEST(Redistribute, InactivePointsAreNoTargets) {
    const BodyArrays mesh = part_of(random_mesh(2, 3), scattered), points = part_of(random_points(3, 300), scattered);
    std::vector<std::uint8_t> active(points.size());
    long wanted = static_cast<long>(mesh.size());
    for (std::size_t i = 0; i < active.size(); ++i) wanted += active[i] = points.index[i] % 3 == 0;
    MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    Points some = points.points();
    some.active = active;
    Result cells(mesh.size()), at_points(points.size());
    Redistributed redistributed(base);
    EXPECT_EQ(redistributed.solve(make_input(mesh.cells(), cells.fields(), some, at_points.fields())).targets, wanted);
}

// The same places in the same order, but of each rank a third are points now that were cells.
TEST(Redistribute, CellsThatBecomePoints) {
    BodyArrays all;
    for (int i = 0; i < 512; ++i) all.add_cell((i % 8 + 0.5) / 8, (i / 8 % 8 + 0.5) / 8, (i / 64 + 0.5) / 8, 0.125, 1.0 + i % 5);
    for (auto* const values : {&all.x, &all.y, &all.z, &all.mass}) std::swap((*values)[1], (*values)[511]);  // the mesh's corners
    const BodyArrays mine = part_of(all, [](std::size_t i) { return i < 2 ? 0 : scattered(i); });
    const auto solve_as = [&](Redistributed& redistributed, std::size_t cells) {
        const std::size_t points = mine.size() - cells;
        const auto part = [&](const std::vector<double>& of, bool first) {
            return first ? std::span(of).first(cells) : std::span(of).last(points);
        };
        Result of_cells(cells), of_points(points);
        Input input = make_input(
            {part(mine.x, true), part(mine.y, true), part(mine.z, true), part(mine.dx, true), {}, {}, part(mine.mass, true)},
            of_cells.fields(), {part(mine.x, false), part(mine.y, false), part(mine.z, false), part(mine.mass, false), {}, {}},
            of_points.fields());
        redistributed.solve(input);
        return Results{of_cells, of_points};
    };
    Redistributed kept(base), fresh(base);
    solve_as(kept, mine.size() * 2 / 3);
    EXPECT_EQ(solve_as(kept, mine.size() / 3), solve_as(fresh, mine.size() / 3));
}

TEST(Redistribute, KeepsTheTree) {
    BodyArrays points = part_of(random_points(5, 1000), scattered);
    Redistributed redistributed(base);
    Result result(points.size()), again(points.size()), fresh(points.size());
    EXPECT_EQ(redistributed.solve(make_input({}, {}, points.points(), result.fields())).unchanged_ranks, 0);
    for (std::size_t i = 0; i < points.size(); ++i) points.mass[i] *= 1.0 + 1e-3 * static_cast<double>(points.index[i]);
    const Input input = make_input({}, {}, points.points(), again.fields());
    EXPECT_EQ(redistributed.solve(input).unchanged_ranks, world_size());
    EXPECT_TRUE(redistributed.engine.kept_tree());
    Redistributed(base).solve(make_input({}, {}, points.points(), fresh.fields()));
    EXPECT_TRUE(again == fresh);
    EXPECT_FALSE(again == result);
    if (world_rank() == 0) points.x[0] = 0.9;
    EXPECT_LT(redistributed.solve(make_input({}, {}, points.points(), again.fields())).unchanged_ranks, world_size());
}

TEST(Redistribute, Report) {
    const BodyArrays all = random_mesh(7, 4), mine = part_of(all, scattered);
    Options options = base;
    options.error_samples = 100;
    Redistributed redistributed(options);
    Result result(mine.size());
    const Report report = redistributed.solve(make_input(mine.cells(), result.fields(), {}, {}));
    EXPECT_EQ(report.ranks, world_size());
    EXPECT_EQ(report.targets, static_cast<std::int64_t>(all.size()));
    EXPECT_EQ(report.stages.front().name, "hand_over");
    EXPECT_EQ(report.stages.back().name, "hand_back");
    double sum = 0.0;
    for (const StageTime& stage : report.stages) sum += stage.mean;
    EXPECT_GE(report.seconds, sum * (1.0 - 1e-9));
    // Of most bodies position, sides and mass there, and four results back.
    EXPECT_GE(report.bytes_sent, static_cast<std::int64_t>(all.size()) * (world_size() - 1) / world_size() * 70);
    ASSERT_TRUE(report.potential_error && report.acceleration_error);
    EXPECT_LT(report.potential_error->rms, 3.7e-6);
    EXPECT_NE(std::ranges::find(all.x, report.potential_error->worst[0]), all.x.end());  // in the caller's coordinates
    agreed([&] { throw Error(ErrorCode::internal, to_string(report)); });                // the same on every rank
}

// Scattered over any ranks, points cost what they cost one rank; and all ranks have as many to solve for.
TEST(Redistribute, PairsOfOneRank) {
    const BodyArrays all = random_points(8, 60000), mine = part_of(all, scattered);
    const auto pairs = [](const Report& r) { return static_cast<double>(r.node_interactions + r.cell_interactions); };
    const Communicator self(MPI_COMM_SELF), world(MPI_COMM_WORLD);
    Options options = base;
    options.redistribute = true;
    double alone = 0.0;
    if (world_rank() == 0) {
        Result result(all.size());
        alone = pairs(solve(*cpu_engine(self, options, 1), self, make_input({}, {}, all.points(), result.fields())));
    }
    MPI_Bcast(&alone, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Result result(mine.size());
    const auto engine = cpu_engine(world, options, 1);
    const Report report = solve(*engine, world, make_input({}, {}, mine.points(), result.fields()));
    EXPECT_LE(pairs(report), 1.05 * alone);
    EXPECT_GE(pairs(report), 0.95 * alone);
}

// Each rank has as many to solve for as the others, whoever brings how many.
TEST(Redistribute, EqualShares) {
    const BodyArrays all = random_points(9, 10000);
    for (const auto& owner : {scattered, run_of_40, all_on_last}) {
        const BodyArrays mine = part_of(all, owner);
        const Input input = make_input({}, {}, mine.points(), {});
        CurveSplit split(world_size(), 2, false);
        Frame frame;
        frame.points = true;
        split.sort(input, frame);
        communicate(MPI_COMM_WORLD, [&](const Agreed& ranks) { split.cut(ranks); });
        split.split(input);
        std::vector<long> shares;
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(world_size()); ++rank)
            shares.push_back(static_cast<long>(split.points_for(rank)));
        MPI_Allreduce(MPI_IN_PLACE, shares.data(), world_size(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (const long share : shares) EXPECT_NEAR(static_cast<double>(share), 10000.0 / world_size(), 1.0);
    }
}

// Of the direct sum, which sends no tree: 8 numbers of a body, where it is from and whether it is active, and 4 results back.
TEST(Redistribute, BytesSent) {
    const BodyArrays all = random_points(9, 1200), mine = part_of(all, all_on_last);
    Options options = base;
    options.theta = 0.0;
    Redistributed redistributed(options);
    Result result(mine.size());
    const Report report = redistributed.solve(make_input({}, {}, mine.points(), result.fields()));
    const std::int64_t moved = 1200 - 1200 / world_size();
    EXPECT_EQ(report.bytes_sent, moved * (8 * 8 + 6 * 4 + 4 * 8));
}

// Whose results are wanted is no part of where they are solved for.
TEST(Redistribute, InsideOfGroupsThatGather) {
    const BodyArrays mesh = random_mesh(2, 4), points = random_points(3, 300);
    Options options = base;
    options.redistribute = true;
    const Communicator world(MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        Gathered gathered(grouping, options);
        const Results got = results_of(*gathered.engine, world, mesh, points, scattered);
        EXPECT_TRUE(results_of(*gathered.engine, world, mesh, points, run_of_40) == got) << grouping.name;
    }
}

}  // namespace
}  // namespace gravlet::test
