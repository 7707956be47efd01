/* SPDX-License-Identifier: Apache-2.0
 *
 * A box that repeats in all directions (docs/guide/boundaries.md), with one mass in it: a lattice, whose potential at the mass is
 * known, and which pulls nowhere. Ends with 1 if either is wrong, with 2 if gravlet reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    const double x = 0.3, y = 0.4, z = 0.6, mass = 1.0;
    double potential = 0.0, a[3] = {0.0};
    MPI_Init(&argc, &argv);

    gravlet_options options;
    gravlet_options_init(&options);
    options.has_domain = 1;
    for (int axis = 0; axis < 3; ++axis) {
        options.boundary[axis] = GRAVLET_PERIODIC;
        options.domain_lower[axis] = 0.0;
        options.domain_upper[axis] = 1.0;
    }
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_SELF, &options, &solver);
    const gravlet_points points = {.count = 1, .x = &x, .y = &y, .z = &z, .mass = &mass};
    const gravlet_fields fields = {.potential = &potential, .acceleration = {&a[0], &a[1], &a[2]}};
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_points(solver, &points, &fields, NULL);
    if (code != GRAVLET_SUCCESS) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());
    gravlet_destroy(&solver);

    const double error = fabs(potential - 2.8372975); /* Ewald's sum: of all images, and the mean density taken off */
    const double pull = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    printf("potential %.7f, pull %.1e\n", potential, pull);
    MPI_Finalize();
    if (code != GRAVLET_SUCCESS) return 2;
    return error < 1e-7 && pull < 1e-8 ? 0 : 1;
}
