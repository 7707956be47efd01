/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 4 of the guide (docs/guide/first_solve.md): the points of step 3, solved by the tree and, with theta = 0, by the direct
 * sum. Prints the largest relative errors; ends with 1 if they are larger than such a tree's, with 2 if gravlet reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { ALL = 3000 };

static double x[ALL], y[ALL], z[ALL], mass[ALL];
static struct results { double potential[ALL], ax[ALL], ay[ALL], az[ALL]; } tree, direct;

static int solve(const gravlet_options *options, const gravlet_points *points, struct results *to) {
    const gravlet_fields fields = {.potential = to->potential, .acceleration = {to->ax, to->ay, to->az}};
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, options, &solver);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, points, &fields, NULL);
    gravlet_destroy(&solver);
    return code;
}

static double length(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }

int main(int argc, char **argv) {
    int provided = 0, rank = 0, ranks = 1, count = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = ALL * rank / ranks; i < ALL * (rank + 1) / ranks; ++i, ++count) {
        x[count] = (i + 0.5) / ALL;
        y[count] = fmod(i * 0.7548776662466927, 1.0);
        z[count] = fmod(i * 0.5698402909980532, 1.0);
        mass[count] = 1.0 / ALL;
    }
    const gravlet_points points = {.count = count, .x = x, .y = y, .z = z, .mass = mass};

    gravlet_options options;
    gravlet_options_init(&options);
    options.softening = 0.01;
    int code = solve(&options, &points, &tree);
    options.theta = 0.0; /* every body acts on every other one */
    if (code == GRAVLET_SUCCESS) code = solve(&options, &points, &direct);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());

    double largest[2] = {0.0, 0.0};
    for (int i = 0; i < count && code == GRAVLET_SUCCESS; ++i) {
        const double off = length(tree.ax[i] - direct.ax[i], tree.ay[i] - direct.ay[i], tree.az[i] - direct.az[i]);
        largest[0] = fmax(largest[0], fabs(tree.potential[i] / direct.potential[i] - 1.0));
        largest[1] = fmax(largest[1], off / length(direct.ax[i], direct.ay[i], direct.az[i]));
    }
    MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("largest relative error: potential %.2g, acceleration %.2g\n", largest[0], largest[1]);
    MPI_Finalize();
    if (code != GRAVLET_SUCCESS) return 2;
    return largest[0] < 2e-6 && largest[1] < 3e-4 ? 0 : 1;
}
