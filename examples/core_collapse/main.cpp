// SPDX-License-Identifier: Apache-2.0
// A collapse that is a test of the whole: gas on p4est blocks that follow the Jeans length, sinks where it can no longer be
// followed, and gravlet's gravity on both. Problems: freefall, a cold sphere; shu, a singular isothermal sphere; core, a rotating
// one that falls apart. Ends with 1 if an answer is wrong (judges.cpp; docs/core_collapse.md).
//
//     mpirun -np 2 core_collapse freefall|shu|core [finest=4] [name=value ...: settings.hpp]
#include "judges.hpp"
#include "output.hpp"

#include <p8est_extended.h>

#include <cstdlib>
#include <iostream>

namespace core_collapse {

namespace {

int run(MPI_Comm comm, bool speaks, const Settings& settings) {
    Simulation simulation(comm, settings, make_problem(settings));
    Output output(comm, settings);
    const std::unique_ptr<Judge> judge = make_judge(settings);
    while (simulation.goes_on()) {
        simulation.step();
        judge->look(simulation);
        output.step(simulation);
        const bool due = settings.at > 0 ? simulation.status().step == settings.at : !simulation.goes_on();
        if (due && !settings.checkpoint.empty()) simulation.save(settings.checkpoint);
    }
    output.end(simulation);
    return judge->is_right(simulation, speaks) ? 0 : 1;
}

}  // namespace

}  // namespace core_collapse

int main(int argc, char** argv) {
    int provided = 0, rank = 0, status = 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // p4est prints statistics and catches signals unless told not to.
    sc_init(MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_ERROR);
    p4est_init(nullptr, SC_LP_ERROR);
    try {
        status = core_collapse::run(MPI_COMM_WORLD, rank == 0, core_collapse::read_settings(argc, argv));
    } catch (const std::exception& error) {  // the same on every rank
        if (rank == 0) std::cerr << "core_collapse: " << error.what() << '\n';
    }
    sc_finalize();
    MPI_Finalize();
    return status;
}
