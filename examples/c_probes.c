/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes in plain C: the field at places of the host's choice, where no mass is. They are points of mass 0. Here two stars, which
 * rank 0 brings, are seen from a line of probes on every rank; ends with 1 if a probe sees anything but -G m/r, with 2 if gravlet
 * reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { STARS = 2, PROBES = 100, MOST = STARS + PROBES };

static const double star_x[STARS] = {-1.0, 2.0}, star_mass[STARS] = {3.0, 1.0};
static const double tolerance = 1e-6;

int main(int argc, char **argv) {
    double x[MOST], y[MOST], z[MOST], mass[MOST], potential[MOST];
    int rank = 0, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int s = 0; s < STARS && rank == 0; ++s, ++count)
        x[count] = star_x[s], y[count] = 0.0, z[count] = 0.0, mass[count] = star_mass[s];
    const int first = count;
    for (int p = 0; p < PROBES; ++p, ++count)
        x[count] = -4.0 + 0.08 * p, y[count] = 0.5 + rank, z[count] = 0.25, mass[count] = 0.0;

    const gravlet_points points = {.count = count, .x = x, .y = y, .z = z, .mass = mass};
    const gravlet_fields fields = {.potential = potential};
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, NULL, &solver);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, &fields, NULL);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());

    double error = 0.0;
    for (int i = first; i < count && code == GRAVLET_SUCCESS; ++i) {
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
