/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 3 of the guide (docs/guide/first_solve.md): each rank brings its share of 3000 points. One mass is wrong at first, which
 * all ranks hear of; then the report of a solve is read. Ends with 1 if the wrong mass is not refused, or the report is not as it
 * has to be; with 2 if gravlet reports another error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { ALL = 3000 };

static double x[ALL], y[ALL], z[ALL], mass[ALL], potential[ALL], ax[ALL], ay[ALL], az[ALL];

int main(int argc, char **argv) {
    int provided = 0, rank = 0, ranks = 1, count = 0, refused = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = ALL * rank / ranks; i < ALL * (rank + 1) / ranks; ++i, ++count) { /* spread evenly over the unit cube */
        x[count] = (i + 0.5) / ALL;
        y[count] = fmod(i * 0.7548776662466927, 1.0);
        z[count] = fmod(i * 0.5698402909980532, 1.0);
        mass[count] = 1.0 / ALL;
    }
    const gravlet_points points = {.count = count, .x = x, .y = y, .z = z, .mass = mass};
    const gravlet_fields fields = {.potential = potential, .acceleration = {ax, ay, az}};

    gravlet_options options;
    gravlet_options_init(&options);
    options.softening = 0.01;
    options.error_samples = 200; /* compare so many targets with the direct sum, after each solve */
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, &options, &solver);

    if (code == GRAVLET_SUCCESS) {
        if (rank == ranks - 1) mass[0] = NAN;
        /* The same code and message on every rank; results are untouched. */
        refused = gravlet_solve_points(solver, &points, &fields, NULL) == GRAVLET_INVALID_INPUT;
        if (refused && rank == 0) printf("refused: %s\n", gravlet_error_message());
        mass[0] = 1.0 / ALL;
        code = gravlet_solve_points(solver, &points, &fields, NULL); /* the solver is as good as before */
    }
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());

    gravlet_report report = {0};
    if (code == GRAVLET_SUCCESS) gravlet_get_report(solver, &report);
    if (code == GRAVLET_SUCCESS && rank == 0) {
        printf("%lld targets on %d ranks took %g s on %s\n", (long long)report.targets, (int)report.ranks, report.seconds,
               gravlet_get_backend(solver));
        printf("99 in 100 accelerations err by less than %g\n", report.acceleration_error.p99);
        for (int32_t i = 0; i < report.warnings; ++i) printf("warning: %s\n", gravlet_get_warning(solver, i));
    }
    gravlet_destroy(&solver);
    MPI_Finalize();
    if (code != GRAVLET_SUCCESS) return 2;
    return refused && report.targets == ALL && report.acceleration_error.p99 < 6e-5 ? 0 : 1;
}
