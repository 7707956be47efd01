/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 1 of the guide (docs/guide/first_solve.md): eight points at the corners of a cube, solved by one process. Ends with 1 if
 * the potential or the acceleration is not what eight masses at such distances make, with 2 if gravlet reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    const double x[8] = {0, 1, 0, 1, 0, 1, 0, 1}, y[8] = {0, 0, 1, 1, 0, 0, 1, 1}, z[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    const double mass[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    double potential[8] = {0}, ax[8] = {0}, ay[8] = {0}, az[8] = {0};
    MPI_Init(&argc, &argv);

    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_SELF, NULL, &solver);
    const gravlet_points points = {.count = 8, .x = x, .y = y, .z = z, .mass = mass};
    const gravlet_fields fields = {.potential = potential, .acceleration = {ax, ay, az}};
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, &fields, NULL);
    if (code != GRAVLET_SUCCESS) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());
    gravlet_destroy(&solver);

    /* Of each corner three others are at distance 1, three at sqrt(2), one at sqrt(3). */
    const double exact = -3.0 - 3.0 / sqrt(2.0) - 1.0 / sqrt(3.0);
    const double pull = 1.0 + 2.0 / pow(2.0, 1.5) + 1.0 / pow(3.0, 1.5);
    const double error = fmax(fabs(potential[0] / exact - 1.0), fabs(ax[0] / pull - 1.0));
    printf("potential %g, acceleration %g %g %g, relative error %.1e\n", potential[0], ax[0], ay[0], az[0], error);
    MPI_Finalize();
    if (code != GRAVLET_SUCCESS) return 2;
    return error < 1e-5 ? 0 : 1;
}
