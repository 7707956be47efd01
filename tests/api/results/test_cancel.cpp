// SPDX-License-Identifier: Apache-2.0
// A listener ends a solve: wherever it is asked, on any rank, all ranks get one error, results are left alone, and the next solve
// is as ever.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/mpi/gather.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <vector>

namespace gravlet::test {
namespace {

/// Cancels when it is asked for the n-th time.
struct Canceller : Listener {
    long asked = 0, at = std::numeric_limits<long>::max();
    bool cancelled() override { return ++asked >= at; }
};

Options periodic(Options options) {
    options.domain = Box{{0, 0, 0}, {1, 1, 1}};
    options.boundary.fill(Boundary::periodic);
    return options;
}

void expect_cancelled(const Caught& caught, int rank) {
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::cancelled)) << caught.message;
    EXPECT_NE(caught.message.find("cancelled by a listener"), std::string::npos) << caught.message;
    EXPECT_TRUE(caught.names(world_size() > 1 ? "rank " + std::to_string(rank) : "")) << caught.message;
}

bool on_any_rank(bool here) {
    int any = here ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
}

/// Cancels solves of one solver at each of up to `most` places where it asks, on one rank and then another. How often it asks
/// within a stage is a matter of time: a solve that did not come to the place is as ever.
void cancel_everywhere(const BodyArrays& mesh, const Options& options, long most) {
    SCOPED_TRACE(to_string(options));
    Result expected(mesh.size());
    const auto listener = std::make_shared<Canceller>();
    Solver solver(MPI_COMM_WORLD, options, listener);
    solver.solve(mesh.cells(), expected.fields());
    long places = listener->asked;
    MPI_Allreduce(MPI_IN_PLACE, &places, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
    ASSERT_GE(places, 1);
    const long step = (places + most - 1) / most;
    for (long place = 1; place <= places; place += step) {
        const int rank = static_cast<int>(place) % world_size();
        SCOPED_TRACE(testing::Message() << "asked for the " << place << "th time of " << places << ", rank " << rank);
        listener->asked = 0;
        if (world_rank() == rank) listener->at = place;
        Result result(mesh.size());
        const Caught caught = agreed([&] { solver.solve(mesh.cells(), result.fields()); });
        if (on_any_rank(listener->asked >= listener->at)) {
            expect_cancelled(caught, rank);
            EXPECT_EQ(result, Result(mesh.size()));
        } else {
            EXPECT_GT(place, 1);
            EXPECT_EQ(result, expected);
        }
        listener->at = std::numeric_limits<long>::max();
        solver.solve(mesh.cells(), result.fields());
        EXPECT_EQ(result, expected);
    }
}

TEST(Cancel, AnywhereInASolve) {
    const BodyArrays mesh = part_of(random_mesh(1, 4));
    const Options here{.gpu_sharing = GpuSharing::share};
    for (Options options :
         {here, Options{.theta = 0.0}, Options{.error_samples = 10}, Options{.keep_tree = true}, Options{.redistribute = true},
          Options{.precision = Precision::double_}, periodic(here), periodic({.periodic_method = PeriodicMethod::table})}) {
        options.gpu_sharing = here.gpu_sharing;  // else ranks may gather
        cancel_everywhere(mesh, options, 60);
    }
}

TEST(Cancel, OfRanksThatGather) {
    const BodyArrays mesh = part_of(random_mesh(1, 4));
    const Communicator comm(MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        SCOPED_TRACE(grouping.name);
        Gathered gathered(grouping, {.backend = Backend::cpu});
        Canceller listener;
        const auto solve = [&](Result& result) {
            Narrator narrator(&listener);
            Stages stages(comm, narrator);
            Report report;
            gathered.engine->solve(stages, make_input(mesh.cells(), result.fields(), {}, {}), report);
        };
        Result expected(mesh.size()), result(mesh.size());
        solve(expected);
        if (grouping.leads(world_rank())) listener.at = listener.asked / 2, listener.asked = 0;
        const Caught caught = agreed([&] { solve(result); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::cancelled)) << caught.message;
        EXPECT_EQ(result, Result(mesh.size()));
        listener.at = std::numeric_limits<long>::max();
        solve(result);
        EXPECT_EQ(result, expected);
    }
}

/// Cancels so long after it was first asked.
struct Impatient : Listener {
    using Clock = std::chrono::steady_clock;
    Clock::time_point first{};
    bool cancelled() override {
        if (first == Clock::time_point{}) first = Clock::now();
        return Clock::now() - first > std::chrono::milliseconds(250);
    }
};

/// Stages that take several times as long are asked in, too: a tree's walk in both precisions, and the direct sum.
TEST(Cancel, WithinALongStage) {
    const std::size_t n = small_paths ? 20000 : 60000;
    const BodyArrays points = part_of(random_points(1, n * static_cast<std::size_t>(world_size())));
    for (const Options& options :
         {Options{.backend = Backend::cpu, .theta = 0.0, .threads = 2},
          Options{.backend = Backend::cpu, .theta = 0.2, .order = 4, .precision = Precision::double_, .threads = 2},
          Options{.backend = Backend::cpu, .theta = 0.1, .order = 4, .threads = 2}}) {
        SCOPED_TRACE(to_string(options));
        Solver solver(MPI_COMM_WORLD, options, std::make_shared<Impatient>());
        Result result(points.size());
        const Caught caught = agreed([&] { solver.solve(points.points(), result.fields()); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::cancelled)) << caught.message;
        EXPECT_EQ(result, Result(points.size()));
    }
}

}  // namespace
}  // namespace gravlet::test
