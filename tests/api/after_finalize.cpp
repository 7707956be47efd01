// SPDX-License-Identifier: Apache-2.0
// Calls after MPI_Finalize, from C++ and from C, are errors; solvers may end then. Ends with 1 if a call says something else.
#include <gravlet/gravlet.h>
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

bool wrong = false;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::cerr << what << '\n';
    wrong = true;
}

void expect_refused(const char* name, const std::function<void()>& call) {
    try {
        call();
        expect(false, std::string(name) + ": no error");
    } catch (const gravlet::Error& error) {
        const std::string message = error.what();
        expect(error.code() == gravlet::ErrorCode::communication && message.find("MPI_Finalize") != std::string::npos,
               std::string(name) + ": " + message);
    }
}

void expect_refused_in_c(const char* name, int code) {
    expect(code == GRAVLET_COMMUNICATION, std::string(name) + ": " + gravlet_error_message());
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::vector<double> x = {1.0 * rank}, one = {1.0};
    std::vector<double> potential = {0.0};
    const gravlet::Cells cells{x, x, x, one, {}, {}, one};
    const gravlet::Fields fields{potential, {}};
    const auto solver = std::make_unique<gravlet::Solver>(MPI_COMM_WORLD);
    solver->solve(cells, fields);
    gravlet_solver *in_c = nullptr, *late = nullptr;
    expect(gravlet_create(MPI_COMM_WORLD, nullptr, &in_c) == GRAVLET_SUCCESS, "gravlet_create");
    const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Finalize();

    potential = {99.0};
    expect_refused("solve", [&] { solver->solve(cells, fields); });
    expect_refused("blocks", [&] { solver->solve(std::span<const gravlet::Block>{}); });
    expect_refused("abandon", [&] { solver->abandon("no bodies"); });
    expect_refused("Solver", [] { const gravlet::Solver another(MPI_COMM_WORLD); });
    expect(potential[0] == 99.0, "the results were written");
    expect(solver->report().targets > 0, "the last report is gone");

    const gravlet_points points{};
    expect_refused_in_c("gravlet_solve_points", gravlet_solve_points(in_c, &points, nullptr, nullptr));
    expect_refused_in_c("gravlet_solve_cells", gravlet_solve_cells(in_c, nullptr, nullptr, nullptr, nullptr, nullptr));
    expect_refused_in_c("gravlet_abandon", gravlet_abandon(in_c, "no bodies"));
    expect_refused_in_c("gravlet_create", gravlet_create(MPI_COMM_WORLD, nullptr, &late));
    expect_refused_in_c("gravlet_create_f", gravlet_create_f(world, nullptr, &late));
    expect(late == nullptr, "a solver was made");
    expect(gravlet_destroy(&in_c) == GRAVLET_SUCCESS && in_c == nullptr, "gravlet_destroy");
    return wrong ? 1 : 0;
}
