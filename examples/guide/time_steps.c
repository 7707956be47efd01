/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps of a host (docs/guide/time.md): a solve for all points, one for those alone whose steps end now, and a restart from
 * a checkpoint. Ends with 1 if a point that is not active is written, or if the restarted solver has other bits, with 2 if gravlet
 * reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ALL = 2000 };

static double x[ALL], y[ALL], z[ALL], mass[ALL], potential[ALL], restarted[ALL];
static uint8_t active[ALL];

/* All steps; an error of gravlet is returned, the same on every rank, and what was found wrong goes to *wrong. */
static int run(gravlet_solver *solver, gravlet_solver *other, int count, int ranks, int *wrong) {
    gravlet_points points = {.count = count, .x = x, .y = y, .z = z, .mass = mass};
    const gravlet_fields fields = {.potential = potential}, other_fields = {.potential = restarted};
    int code = gravlet_solve_points(solver, &points, &fields, NULL);
    if (code != GRAVLET_SUCCESS) return code;

    /* Every tenth point's step ends now; nothing has moved since the last solve. */
    for (int i = 0; i < count; ++i) active[i] = i % 10 == 0;
    potential[1] = -1.0;
    points.active = active;
    code = gravlet_only_changed(solver, 0, NULL);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, &fields, NULL);
    points.active = NULL;
    gravlet_report report = {0};
    if (code == GRAVLET_SUCCESS) code = gravlet_get_report(solver, &report);
    *wrong = fabs(potential[1] + 1.0) > 0.0 || report.targets > ALL / 10 + ranks;

    /* What the tolerance has learned goes into a checkpoint, and into the solver of the run that goes on from it. */
    double learned[GRAVLET_STEERING_SIZE];
    if (code == GRAVLET_SUCCESS) code = gravlet_get_steering(solver, learned);
    if (code == GRAVLET_SUCCESS) code = gravlet_set_steering(other, learned);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(other, &points, &other_fields, NULL);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, &fields, NULL);
    *wrong = *wrong || memcmp(restarted, potential, sizeof potential) != 0;
    return code;
}

int main(int argc, char **argv) {
    int provided = 0, rank = 0, ranks = 1, count = 0, wrong = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = ALL * rank / ranks; i < ALL * (rank + 1) / ranks; ++i, ++count) {
        x[count] = (i + 0.5) / ALL;
        y[count] = fmod(i * 0.7548776662466927, 1.0);
        z[count] = fmod(i * 0.5698402909980532, 1.0);
        mass[count] = 1.0 / ALL;
    }
    gravlet_options options;
    gravlet_options_init(&options);
    options.tolerance = 1e-4;
    gravlet_solver *solver = NULL, *other = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, &options, &solver);
    if (code == GRAVLET_SUCCESS) code = gravlet_create(MPI_COMM_WORLD, &options, &other);
    if (code == GRAVLET_SUCCESS) code = run(solver, other, count, ranks, &wrong);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());
    gravlet_destroy(&other);
    gravlet_destroy(&solver);

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) puts(wrong ? "wrong" : "few targets, and the same bits after a restart");
    MPI_Finalize();
    return code != GRAVLET_SUCCESS ? 2 : wrong;
}
