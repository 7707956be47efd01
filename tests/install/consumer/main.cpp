// SPDX-License-Identifier: Apache-2.0
// One point mass a rank, at x = rank: each feels the others' potential, -sum 1/distance. The host listens, and catches what the
// library throws.
#include <gravlet/error.hpp>
#include <gravlet/listener.hpp>
#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include <mpi.h>

#include <array>
#include <cmath>
#include <iostream>
#include <memory>

struct Ears : gravlet::Listener {
    int stages = 0;
    void end_stage(const char*) override { ++stages; }
};

bool is_refused() {
    gravlet::Options options;
    options.theta = 99.0;
    try {
        gravlet::validate(options);
    } catch (const gravlet::Error& error) {
        return error.code() == gravlet::ErrorCode::invalid_option;
    }
    return false;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const std::array<double, 1> x{double(rank)}, zero{0.0}, mass{1.0};
    std::array<double, 1> potential{};
    const auto ears = std::make_shared<Ears>();
    gravlet::Solver solver(MPI_COMM_WORLD, {}, ears);
    solver.solve(gravlet::Points{x, zero, zero, mass}, gravlet::Fields{potential, {}});

    double exact = 0.0;
    for (int other = 0; other < ranks; ++other)
        if (other != rank) exact -= 1.0 / std::abs(other - rank);
    int wrong = std::abs(potential[0] - exact) > 1e-6 || ears->stages == 0 || !is_refused();
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << "gravlet " << gravlet::version() << ": " << (wrong ? "wrong" : "right") << " on " << ranks << " ranks\n";
    MPI_Finalize();
    return wrong;
}
