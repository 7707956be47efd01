/* SPDX-License-Identifier: Apache-2.0
 *
 * One point mass a rank, at x = rank: each feels the others' potential, -sum 1/distance. */
#include <gravlet/gravlet.h>

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const double x = rank, zero = 0.0, mass = 1.0;
    double potential = 0.0;
    const gravlet_points points = {.count = 1, .x = &x, .y = &zero, .z = &zero, .mass = &mass};
    const gravlet_fields fields = {.potential = &potential};
    gravlet_solver *solver = NULL;
    int wrong = gravlet_create(MPI_COMM_WORLD, NULL, &solver) != GRAVLET_SUCCESS ||
                gravlet_solve_points(solver, &points, &fields, NULL) != GRAVLET_SUCCESS;
    if (wrong) fprintf(stderr, "gravlet: %s\n", gravlet_error_message());
    gravlet_destroy(&solver);

    double difference = potential;
    for (int other = 0; other < ranks; ++other)
        if (other != rank) difference += 1.0 / (other > rank ? other - rank : rank - other);
    wrong = wrong || !(-1e-6 < difference && difference < 1e-6);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("gravlet %s in C: %s on %d ranks\n", gravlet_version(), wrong ? "wrong" : "right", ranks);
    MPI_Finalize();
    return wrong;
}
