// SPDX-License-Identifier: Apache-2.0
// C's listener hears what a C++ one does.
#include "tests/hosts/c/c_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

using Lines = std::vector<std::string>;

struct Recorder final : Listener {
    Lines lines;
    void begin_stage(const char* stage) override { lines.push_back(std::string("begin ") + stage); }
    void end_stage(const char* stage) override { lines.push_back(std::string("end ") + stage); }
    void progress(const char* what, double) override { lines.back() = what; }  // however often
    [[nodiscard]] double interval() const override { return 1e-9; }
};

Lines& lines_of(void* context) { return *static_cast<Lines*>(context); }

gravlet_listener c_recorder(Lines& lines) {
    gravlet_listener listener{};
    listener.context = &lines;
    listener.begin_stage = [](void* context, const char* stage) { lines_of(context).push_back(std::string("begin ") + stage); };
    listener.end_stage = [](void* context, const char* stage) { lines_of(context).push_back(std::string("end ") + stage); };
    listener.progress = [](void* context, const char* what, double) { lines_of(context).back() = what; };
    listener.interval = 1e-9;
    return listener;
}

TEST(CListener, HearsWhatOneOfCppDoes) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    // One thread: the first is the one that tells of progress, if it had a share.
    Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 1};
    options.boundary.fill(Boundary::periodic);
    const auto heard = std::make_shared<Recorder>();
    Result result(mesh.size());
    Solver(MPI_COMM_WORLD, options, heard).solve(mesh.cells(), {.potential = result.potential});

    gravlet_options c;
    gravlet_options_init(&c);
    c.threads = 1;
    for (const char* const one : {"boundary", "domain"})
        ASSERT_EQ(gravlet_set_option(&c, one, *one == 'b' ? "periodic" : "0 0 0 1 1 1"), GRAVLET_SUCCESS);
    Lines lines;
    for (const gravlet_listener& listener : {c_recorder(lines), gravlet_listener{}}) {
        gravlet_solver* solver = nullptr;
        ASSERT_EQ(gravlet_create_with_listener(MPI_COMM_WORLD, &c, &listener, &solver), GRAVLET_SUCCESS)
            << gravlet_error_message();
        gravlet_cells cells{};
        cells.count = static_cast<std::int64_t>(mesh.size());
        cells.x = mesh.x.data(), cells.y = mesh.y.data(), cells.z = mesh.z.data();
        cells.dx = mesh.dx.data(), cells.mass = mesh.mass.data();
        gravlet_fields fields{};
        fields.potential = result.potential.data();
        EXPECT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), GRAVLET_SUCCESS)
            << gravlet_error_message();
        gravlet_destroy(&solver);
    }
    EXPECT_GT(lines.size(), 20U);
    EXPECT_EQ(lines, heard->lines);
}

/// Calls its own solver, as it must not.
struct Meddler {
    gravlet_solver* solver = nullptr;
    std::vector<int> codes;
    Lines messages;
};

TEST(CListener, ItsOwnSolverIsInACall) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    const gravlet_cells cells = c_cells(mesh);
    Result result(mesh.size()), again(mesh.size());
    gravlet_fields fields{};
    fields.potential = result.potential.data();
    Meddler caller;
    gravlet_listener listener{};
    listener.context = &caller;
    listener.begin_stage = [](void* context, const char*) {
        Meddler& meddler = *static_cast<Meddler*>(context);
        const gravlet_points none{};
        const auto note = [&](int code) {
            meddler.codes.push_back(code);
            meddler.messages.emplace_back(gravlet_error_message());
        };
        note(gravlet_solve_points(meddler.solver, &none, nullptr, nullptr));
        note(gravlet_solve_points(meddler.solver, nullptr, nullptr, nullptr));
        note(gravlet_abandon(meddler.solver, "no more"));
        note(gravlet_destroy(&meddler.solver));
    };
    ASSERT_EQ(gravlet_create_with_listener(MPI_COMM_WORLD, nullptr, &listener, &caller.solver), GRAVLET_SUCCESS);
    gravlet_solver* const solver = caller.solver;
    EXPECT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), GRAVLET_SUCCESS)
        << gravlet_error_message();
    EXPECT_EQ(caller.solver, solver);
    EXPECT_GT(caller.codes.size(), 20U);
    for (const int code : caller.codes) EXPECT_EQ(code, GRAVLET_INVALID_INPUT);
    for (const std::string& message : caller.messages) EXPECT_NE(message.find("in a call already"), std::string::npos) << message;
    fields.potential = again.potential.data();
    EXPECT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), GRAVLET_SUCCESS);
    EXPECT_EQ(again, result);
    EXPECT_EQ(gravlet_destroy(&caller.solver), GRAVLET_SUCCESS);
    EXPECT_EQ(caller.solver, nullptr);
}

TEST(CListener, Cancels) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    const gravlet_cells cells = c_cells(mesh);
    Result result(mesh.size());
    gravlet_fields fields{};
    fields.potential = result.potential.data();
    int cancelled = 1;
    gravlet_listener listener{};
    listener.context = &cancelled;
    listener.cancelled = [](void* context) { return *static_cast<int*>(context); };
    gravlet_solver* solver = nullptr;
    ASSERT_EQ(gravlet_create_with_listener(MPI_COMM_WORLD, nullptr, &listener, &solver), GRAVLET_SUCCESS);
    EXPECT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), GRAVLET_CANCELLED);
    EXPECT_NE(std::string(gravlet_error_message()).find("cancelled by a listener"), std::string::npos);
    EXPECT_EQ(result, Result(mesh.size()));
    cancelled = 0;
    EXPECT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), GRAVLET_SUCCESS)
        << gravlet_error_message();
    EXPECT_EQ(gravlet_destroy(&solver), GRAVLET_SUCCESS);
}

}  // namespace
}  // namespace gravlet::test
