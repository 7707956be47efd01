// SPDX-License-Identifier: Apache-2.0
#include <pair.hpp>

#include <mpi.h>

#include <cmath>
#include <iostream>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const double potential = potential_of_pair(2.0);
    const bool right = std::abs(potential + 0.5) < 1e-6;
    std::cout << "potential of a pair: " << potential << (right ? ", right\n" : ", wrong\n");
    MPI_Finalize();
    return right ? 0 : 1;
}
