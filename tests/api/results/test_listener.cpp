// SPDX-License-Identifier: Apache-2.0
// What a host hears of a solver: stages in their order, each with its end, and progress; nothing that it does then hurts a solve.
#include "solver/gather/gather_engine.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/mpi/gather.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace gravlet::test {
namespace {

class Recorder : public Listener {
public:
    struct Told {
        std::string what;
        double done;
    };
    std::vector<std::string> stages;  ///< as they came
    std::vector<std::string> warnings;
    std::vector<Told> progress_told;
    std::string open;  ///< the stage that is

    explicit Recorder(double interval = 1e9) : interval_(interval) {}
    void begin_stage(const char* stage) override {
        EXPECT_EQ(open, "") << "still there when " << stage << " began";
        open = stage;
        stages.emplace_back(stage);
    }
    void end_stage(const char* stage) override {
        EXPECT_EQ(open, stage);
        open.clear();
    }
    void warning(const char* text) override { warnings.emplace_back(text); }
    void progress(const char* what, double done) override { progress_told.push_back({what, done}); }
    [[nodiscard]] double interval() const override { return interval_; }

    /// Without those that came before.
    [[nodiscard]] std::vector<std::string> distinct() const {
        std::vector<std::string> out;
        for (const std::string& stage : stages)
            if (std::ranges::find(out, stage) == out.end()) out.push_back(stage);
        return out;
    }

private:
    double interval_;
};

std::vector<std::string> names_of(const Report& report) {
    std::vector<std::string> names;
    for (const StageTime& stage : report.stages) names.push_back(stage.name);
    return names;
}

Options periodic(PeriodicMethod method) {
    Options options{.gpu_sharing = GpuSharing::share, .domain = Box{{0, 0, 0}, {1, 1, 1}}, .periodic_method = method};
    options.boundary.fill(Boundary::periodic);
    return options;
}

TEST(Listener, HearsTheStagesOfTheReport) {
    const BodyArrays mesh = part_of(random_mesh(1, 4));
    for (Options options : {Options{}, Options{.redistribute = true}, Options{.theta = 0.0}, Options{.tolerance = 1e-3},
                            Options{.error_samples = 10}, periodic(PeriodicMethod::images), periodic(PeriodicMethod::table)}) {
        options.gpu_sharing = GpuSharing::share;  // else ranks may gather
        SCOPED_TRACE(to_string(options));
        const auto heard = std::make_shared<Recorder>();
        Solver solver(MPI_COMM_WORLD, options, heard);
        EXPECT_TRUE(heard->stages.empty());
        Result result(mesh.size());
        for (int solve = 0; solve < 2; ++solve) {
            heard->stages.clear();
            solver.solve(mesh.cells(), result.fields());
            EXPECT_EQ(heard->distinct(), names_of(solver.report()));
            EXPECT_EQ(heard->open, "");
        }
    }
}

/// Also on ranks that others solve for.
TEST(Listener, HearsOfATolerance) {
    const BodyArrays points = part_of(random_points(2, 400));
    const Options options{.backend = Backend::cpu,
                          .criterion = Criterion::multipole,
                          .tolerance = 1e-6,
                          .tolerance_of = ErrorOf::potential,
                          .tolerance_at = ErrorMeasure::p999,
                          .tolerance_effort = 1};
    for (const Grouping& grouping : groupings()) {
        SCOPED_TRACE(grouping.name);
        Recorder heard;
        const Communicator comm(MPI_COMM_WORLD);
        Gathered gathered(grouping, options);
        Result result(points.size());
        Report report;
        {
            Narrator narrator(&heard);
            Stages stages(comm, narrator);
            gathered.engine->solve(stages, make_input({}, {}, points.points(), result.fields()), report);
        }
        EXPECT_FALSE(report.tolerance.value().kept);
        EXPECT_EQ(report.warnings.size(), 1);
        EXPECT_EQ(heard.warnings, report.warnings);
    }
}

/// Leaders hear all of it, the others what they do themselves.
TEST(Listener, HearsOfGatheredRanks) {
    const BodyArrays mesh = part_of(random_mesh(1, 4));
    for (const Grouping& grouping : groupings()) {
        SCOPED_TRACE(grouping.name);
        Recorder heard;
        const Communicator comm(MPI_COMM_WORLD);
        Gathered gathered(grouping, {.backend = Backend::cpu});
        Result result(mesh.size());
        Report report;
        {
            Narrator narrator(&heard);
            Stages stages(comm, narrator);
            gathered.engine->solve(stages, make_input(mesh.cells(), result.fields(), {}, {}), report);
        }
        EXPECT_EQ(heard.distinct(),
                  grouping.leads(world_rank()) ? names_of(report) : (std::vector<std::string>{"gather", "scatter"}));
        EXPECT_EQ(heard.open, "");
    }
}

TEST(Listener, HearsTheEndOfASolveThatFails) {
    BodyArrays mesh = part_of(random_mesh(1, 3));
    const auto heard = std::make_shared<Recorder>();
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share}, heard);
    Result result(mesh.size());
    if (world_rank() == world_size() - 1) mesh.mass[1] = -1.0;
    EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields()); }).code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_EQ(heard->distinct(), std::vector<std::string>{"stage_in"});
    EXPECT_EQ(heard->open, "");
    if (world_rank() == world_size() - 1) mesh.mass[1] = 1.0;
    heard->stages.clear();
    solver.solve(mesh.cells(), result.fields());
    EXPECT_EQ(heard->distinct(), names_of(solver.report()));
}

void expect_progress(const Recorder& heard, const std::string& what) {
    ASSERT_FALSE(heard.progress_told.empty());
    double before = 0.0;
    for (const auto& [named, done] : heard.progress_told) {
        EXPECT_EQ(named, what);
        EXPECT_GT(done, before);
        before = done;
    }
    EXPECT_EQ(before, 1.0);
}

TEST(Listener, HearsHowFarAPeriodicKernelIs) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    for (const double interval : {1e-9, 1e9}) {
        const auto heard = std::make_shared<Recorder>(interval);
        Solver solver(MPI_COMM_WORLD, periodic(PeriodicMethod::images), heard);
        EXPECT_TRUE(heard->progress_told.empty());
        Result result(mesh.size());
        solver.solve(mesh.cells(), result.fields());
        if (interval > 1.0)
            EXPECT_TRUE(heard->progress_told.empty());
        else
            expect_progress(*heard, "periodic kernel");
        heard->progress_told.clear();
        solver.solve(mesh.cells(), result.fields());
        EXPECT_TRUE(heard->progress_told.empty());
    }
}

TEST(Listener, HearsHowFarTheEwaldTableIs) {
    const auto heard = std::make_shared<Recorder>(1e-9);
    const Solver solver(MPI_COMM_WORLD, periodic(PeriodicMethod::table), heard);
    expect_progress(*heard, "Ewald table");
}

TEST(Listener, HearsHowFarADirectSumIs) {
    const BodyArrays points = part_of(random_points(1, 70000));
    const auto heard = std::make_shared<Recorder>(1e-9);
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .theta = 0.0}, heard);
    Result result(points.size());
    Points all = points.points();
    std::vector<std::uint8_t> active(points.size(), 0);
    if (!active.empty()) active.front() = 1;
    all.active = active;
    solver.solve(all, result.fields());
    expect_progress(*heard, "direct sum");
}

TEST(Listener, MayThrow) {
    struct Thrower final : Listener {
        int calls = 0;
        [[noreturn]] void fail() { ++calls, throw std::runtime_error("the host's own"); }
        void begin_stage(const char*) override { fail(); }
        void end_stage(const char*) override { fail(); }
        void progress(const char*, double) override { fail(); }
        [[nodiscard]] double interval() const override { throw 1; }
    };
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    const auto heard = std::make_shared<Thrower>();
    Result with(mesh.size()), without(mesh.size());
    Solver(MPI_COMM_WORLD, periodic(PeriodicMethod::images), heard).solve(mesh.cells(), with.fields());
    Solver(MPI_COMM_WORLD, periodic(PeriodicMethod::images)).solve(mesh.cells(), without.fields());
    EXPECT_GT(heard->calls, 10);
    EXPECT_EQ(with.potential, without.potential);
}

/// Does something in each stage that begins; what it throws is kept, and thrown on.
struct Meddler : Listener {
    std::function<void()> meddle;
    std::vector<std::string> refusals;

    void begin_stage(const char*) override {
        try {
            meddle();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input);
            refusals.emplace_back(error.what());
            throw;
        }
    }
    void expect_refused() {
        EXPECT_GT(refusals.size(), 0U);
        for (const std::string& refusal : refusals) EXPECT_NE(refusal.find("in a call already"), std::string::npos) << refusal;
        refusals.clear();
    }
};

class Meddled : public testing::Test {
protected:
    /// On all ranks, or on the last one alone: the call goes on, and the next is as ever.
    void expect_refused(const std::function<void()>& call) {
        for (const bool everywhere : {true, false}) {
            const bool here = everywhere || world_rank() == world_size() - 1;
            if (here) listener->meddle = call;
            Result result(mesh.size());
            EXPECT_EQ(agreed([&] { solver->solve(mesh.cells(), result.fields()); }).message, "");
            listener->meddle = [] {};
            EXPECT_EQ(result, expected);
            if (here) listener->expect_refused();
            Result next(mesh.size());
            solver->solve(mesh.cells(), next.fields());
            EXPECT_EQ(next, expected);
        }
        EXPECT_EQ(inner, Result(mesh.size()));
    }

    const BodyArrays mesh = part_of(random_mesh(1, 3));
    const Options options{.gpu_sharing = GpuSharing::share};
    const Result expected = [this] {
        Result out(mesh.size());
        Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), out.fields());
        return out;
    }();
    Result inner = Result(mesh.size());
    std::shared_ptr<Meddler> listener = std::make_shared<Meddler>();
    std::unique_ptr<Solver> solver = std::make_unique<Solver>(MPI_COMM_WORLD, options, listener);
};

TEST_F(Meddled, ItsOwnSolverIsInACall) {
    expect_refused([&] { solver->solve(mesh.cells(), inner.fields()); });
    expect_refused([&] { solver->solve(std::span<const Block>{}); });
    expect_refused([&] { solver->abandon("no more"); });
}

TEST_F(Meddled, AnotherThreadComesLater) {
    expect_refused([&] {
        std::exception_ptr refusal;
        std::thread([&] {
            try {
                solver->solve(mesh.cells(), inner.fields());
            } catch (...) {
                refusal = std::current_exception();
            }
        }).join();
        if (refusal) std::rethrow_exception(refusal);
    });
}

TEST_F(Meddled, ItsSolverGoesWhenTheCallEnds) {
    std::weak_ptr<Meddler> seen = listener;
    for (const bool replaced : {false, true}) {
        listener->meddle = [&, replaced] {
            if (replaced && solver != nullptr) *solver = Solver(MPI_COMM_SELF);
            solver.reset();
        };
        Solver* const during = solver.get();
        Result result(mesh.size());
        during->solve(mesh.cells(), result.fields());
        EXPECT_EQ(result, expected);
        EXPECT_EQ(solver, nullptr);
        listener->meddle = [] {};
        if (!replaced) solver = std::make_unique<Solver>(MPI_COMM_WORLD, options, listener);
    }
    listener.reset();
    EXPECT_TRUE(seen.expired());
}

TEST(Listener, LivesAsLongAsItsSolver) {
    auto heard = std::make_shared<Recorder>();
    std::weak_ptr<Recorder> seen = heard;
    {
        Solver solver(MPI_COMM_WORLD, {}, std::move(heard));
        Solver moved = std::move(solver);
        EXPECT_FALSE(seen.expired());
    }
    EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace gravlet::test
