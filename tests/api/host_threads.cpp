// SPDX-License-Identifier: Apache-2.0
// A host with MPI_THREAD_MULTIPLE: solvers that are made and used by another thread than main(), and by two at once, each with
// its own, one of them with traps and another rounding. Ends with 1 if a result has other bits than main()'s; says "skipped: "
// where MPI has no such level.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <mpi.h>

#include <array>
#include <cfenv>
#include <iostream>
#include <thread>
#include <vector>

namespace gravlet::test {
namespace {

struct Problem {
    BodyArrays mesh;
    Options options;
};

Result solved(MPI_Comm comm, const Problem& problem) {
    Result result(problem.mesh.size());
    Solver solver(comm, problem.options);
    for (int step = 0; step < 5; ++step) solver.solve(problem.mesh.cells(), result.fields());
    return result;
}

bool run() {
    Options periodic{.theta = 0.6, .domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 2};
    periodic.boundary.fill(Boundary::periodic);
    const std::array<Problem, 2> problems = {
        {{part_of(random_mesh(1, 4)), {.order = 4, .threads = 2}}, {part_of(random_mesh(2, 3)), periodic}}};
    std::array<MPI_Comm, 2> comms{};
    std::vector<Result> expected, got(2, Result(0));
    for (std::size_t p = 0; p < 2; ++p) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[p]);
        expected.push_back(solved(MPI_COMM_WORLD, problems[p]));
    }
    bool good = true;
    for (int round = 0; round < 3; ++round) {
        const auto call = [&](std::size_t p) {
            if (p == 1) std::fesetround(FE_UPWARD), feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
            got[p] = solved(comms[p], problems[p]);
        };
        std::thread first(call, 0);
        if (round == 0) first.join();  // alone, and then at once
        std::thread second(call, 1);
        if (first.joinable()) first.join();
        second.join();
        good = good && got == expected;
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    return good;
}

}  // namespace
}  // namespace gravlet::test

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int wrong = 0;
    if (provided < MPI_THREAD_MULTIPLE) {
        std::cout << "skipped: no MPI_THREAD_MULTIPLE\n";
    } else {
        wrong = gravlet::test::run() ? 0 : 1;
        if (wrong != 0) std::cerr << "results differ\n";
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return wrong;
}
