/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in arrays with guard cells. Seven blocks are
 * octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Ends with 1 if the potential beside
 * the cube's centre is wrong, in a cell or in a guard cell; with 2 if gravlet reports an error.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 8, GUARDS = 2, WIDTH = N + 2 * GUARDS, BLOCKS = 15 };

static double density[BLOCKS][WIDTH][WIDTH][WIDTH], potential[BLOCKS][WIDTH][WIDTH][WIDTH]; /* [block][k][j][i] */

/* Block b: 0 to 6 are octants, 7 to 14 octants of the last octant. Returns the side of its cells. */
static double place(int b, double lower[3]) {
    const int p = b < 7 ? b : b - 7;
    const double side = b < 7 ? 0.5 : 0.25, from = b < 7 ? 0.0 : 0.5;
    lower[0] = from + side * (p % 2);
    lower[1] = from + side * (p / 2 % 2);
    lower[2] = from + side * (p / 4);
    return side / N;
}

int main(int argc, char **argv) {
    int rank = 0, ranks = 1, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (double *cell = &density[0][0][0][0]; cell < &density[0][0][0][0] + sizeof density / sizeof *cell; ++cell) *cell = 1.0;

    gravlet_block blocks[BLOCKS];
    for (int b = rank; b < BLOCKS; b += ranks) {
        double lower[3];
        const double h = place(b, lower), cell_size[3] = {h, h, h};
        const int32_t n[3] = {N, N, N};
        gravlet_block *block = &blocks[count++];
        *block = gravlet_block_with_guards(lower, cell_size, n, GUARDS, &density[b][0][0][0], &potential[b][0][0][0], NULL);
        for (int axis = 0; axis < 3; ++axis) block->result_guards[axis] = GUARDS;
    }
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, NULL, &solver);
    if (code == GRAVLET_SUCCESS) code = gravlet_solve_blocks(solver, count, blocks, NULL, NULL, NULL);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());
    gravlet_destroy(&solver);

    /* Near the centre the potential is -c + 2/3 pi r^2. Block 7 begins there, on rank 7 % ranks. */
    double error = 0.0;
    if (rank == 7 % ranks) {
        const double pi = acos(-1.0), h = 0.25 / N, c = 3.0 * log((sqrt(3.0) + 1.0) / (sqrt(3.0) - 1.0)) - pi / 2.0;
        const double exact = -c + pi / 2.0 * h * h;
        const double inside = potential[7][GUARDS][GUARDS][GUARDS], guard = potential[7][GUARDS - 1][GUARDS - 1][GUARDS - 1];
        error = fmax(fabs(inside / exact - 1.0), fabs(guard / exact - 1.0));
        printf("potential beside the centre %g, in a guard cell %g, exact %g\n", inside, guard, exact);
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    if (code != GRAVLET_SUCCESS) return 2;
    return error < 1e-3 ? 0 : 1;
}
