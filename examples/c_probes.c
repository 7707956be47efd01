/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes in plain C: the field at places of the host's choice, where no mass is. Here two stars, which rank 0 brings, are seen from a line of probes on every rank; ends with 1 if a probe sees anything but -G m/r, with 2 if gravlet
 * reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { STARS = 2, PROBES = 100 };

static const double star_x[STARS] = {-1.0, 2.0}, star_mass[STARS] = {3.0, 1.0};
static const double tolerance = 1e-6;

int main(int argc, char **argv) {
    const double zeros[STARS] = {0.0};
    double x[PROBES], y[PROBES], z[PROBES], potential[PROBES];
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int p = 0; p < PROBES; ++p) x[p] = -4.0 + 0.08 * p, y[p] = 0.5 + rank, z[p] = 0.25;

    const gravlet_points points = {.count = rank == 0 ? STARS : 0, .x = star_x, .y = zeros, .z = zeros, .mass = star_mass};
    const gravlet_probes probes = {.count = PROBES, .x = x, .y = y, .z = z, .potential = potential};
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, NULL, &solver);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, NULL, &probes);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());

    double error = 0.0;
    for (int i = 0; i < PROBES && code == GRAVLET_SUCCESS; ++i) {
        double exact = 0.0;
        for (int s = 0; s < STARS; ++s)
            exact -= star_mass[s] / sqrt((x[i] - star_x[s]) * (x[i] - star_x[s]) + y[i] * y[i] + z[i] * z[i]);
        error = fmax(error, fabs(potential[i] / exact - 1.0));
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("largest relative error at the probes %.2g\n", error);
    gravlet_destroy(&solver);
    MPI_Finalize();
    return code != GRAVLET_SUCCESS ? 2 : !(error < tolerance);
}
