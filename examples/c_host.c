/* SPDX-License-Identifier: Apache-2.0
 *
 * A host in plain C with a mesh of its own: 4^3 blocks of N^3 cells over [-0.5, 0.5]^3, each with guard cells on every side, dealt
 * out to the ranks. A homogeneous cube is solved for three steps, between which the mesh is refined in the middle and the density
 * changes, in the host's own arrays. Ends with 1 if the potential at the centre is wrong or a guard cell was written; with 2 if
 * gravlet reports an error. cpp_blocks.cpp and fortran_host.f90 do the same, and get the same bits.
 */
#include <gravlet/gravlet.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 4, N = 8, GUARDS = 2, WIDTH = N + 2 * GUARDS, BLOCK_SIZE = WIDTH * WIDTH * WIDTH, STEPS = 3 };

static const double pi = 3.14159265358979323846;
static const double guard_value = 1e30; /* as density and as potential: neither to be read nor to be written */
static const double tolerance = 1e-4;

typedef struct host_block {
    double lower[3];
    double h; /* side of a cell */
    double density[BLOCK_SIZE], potential[BLOCK_SIZE];
} host_block;

/* Where cell (i, j, k) is in a block's arrays; interior cells have indices from 0 to N - 1. */
static int offset(int i, int j, int k) { return ((k + GUARDS) * WIDTH + j + GUARDS) * WIDTH + i + GUARDS; }

static int is_interior(int i, int j, int k) { return i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N; }

/* A cell's distance from the middle of the box. */
static double radius_of(const host_block *block, int i, int j, int k) {
    const double x = block->lower[0] + (i + 0.5) * block->h;
    const double y = block->lower[1] + (j + 0.5) * block->h;
    const double z = block->lower[2] + (k + 0.5) * block->h;
    return sqrt(x * x + y * y + z * z);
}

/* The block at place (x, y, z) of a grid of so many across. */
static void init_block(host_block *block, int across, int x, int y, int z) {
    block->h = 1.0 / (across * N);
    block->lower[0] = (double)x / across - 0.5;
    block->lower[1] = (double)y / across - 0.5;
    block->lower[2] = (double)z / across - 0.5;
    for (int cell = 0; cell < BLOCK_SIZE; ++cell) block->density[cell] = block->potential[cell] = guard_value;
}

/* Every ranks-th block; `refined`: those that touch the centre are divided into eight. Returns how many; with blocks NULL it only
 * counts. */
static int make_blocks(host_block *blocks, int refined, int rank, int ranks) {
    int leaves = 0, mine = 0;
    for (int z = 0; z < ACROSS; ++z)
        for (int y = 0; y < ACROSS; ++y)
            for (int x = 0; x < ACROSS; ++x) {
                const int touches = abs(2 * x + 1 - ACROSS) == 1 && abs(2 * y + 1 - ACROSS) == 1 && abs(2 * z + 1 - ACROSS) == 1;
                const int parts = refined && touches ? 2 : 1;
                for (int child = 0; child < parts * parts * parts; ++child) {
                    if (leaves++ % ranks != rank) continue;
                    if (blocks)
                        init_block(&blocks[mine], ACROSS * parts, x * parts + child % parts, y * parts + child / parts % parts,
                                   z * parts + child / (parts * parts));
                    ++mine;
                }
            }
    return mine;
}

static void set_density(host_block *blocks, int count, double density) {
    for (int b = 0; b < count; ++b)
        for (int k = 0; k < N; ++k)
            for (int j = 0; j < N; ++j)
                for (int i = 0; i < N; ++i) blocks[b].density[offset(i, j, k)] = density;
}

typedef struct findings {
    double error;    /* largest, relative, at the cells around the centre; infinite if a guard cell has changed */
    uint64_t parity; /* of the bits of all potentials */
} findings;

/* Near the centre Phi = density * (-c + 2/3 pi r^2), c a unit cube's self potential. */
static findings check(const host_block *blocks, int count, double density) {
    const double c = 3.0 * log((sqrt(3.0) + 1.0) / (sqrt(3.0) - 1.0)) - 0.5 * pi;
    findings found = {0.0, 0};
    for (int b = 0; b < count; ++b)
        for (int k = -GUARDS; k < N + GUARDS; ++k)
            for (int j = -GUARDS; j < N + GUARDS; ++j)
                for (int i = -GUARDS; i < N + GUARDS; ++i) {
                    const double potential = blocks[b].potential[offset(i, j, k)], r = radius_of(&blocks[b], i, j, k);
                    if (!is_interior(i, j, k)) {
                        if (blocks[b].density[offset(i, j, k)] != guard_value || potential != guard_value) found.error = INFINITY;
                        continue;
                    }
                    uint64_t bits;
                    memcpy(&bits, &potential, sizeof bits);
                    found.parity ^= bits;
                    if (r > blocks[b].h) continue;
                    const double exact = density * (2.0 / 3.0 * pi * r * r - c), error = fabs(potential / exact - 1.0);
                    found.error = fmax(found.error, isnan(error) ? INFINITY : error);
                }
    MPI_Allreduce(MPI_IN_PLACE, &found.error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &found.parity, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
    return found;
}

/* One step on the mesh as it is. An error of gravlet is returned, the same on every rank; what was found wrong goes to *wrong. */
static int step_on(gravlet_solver *solver, host_block *blocks, int count, double density, int rank, int *wrong) {
    gravlet_block *for_gravlet = malloc(sizeof *for_gravlet * (size_t)(count + 1)); /* + 1: a rank may have no block */
    /* A rank that cannot go on tells the others, which are on their way into the solve. */
    if (!for_gravlet) return gravlet_abandon(solver, "the host has no memory left");
    for (int b = 0; b < count; ++b) {
        const double cell_size[3] = {blocks[b].h, blocks[b].h, blocks[b].h};
        const int32_t n[3] = {N, N, N};
        for_gravlet[b] =
            gravlet_block_with_guards(blocks[b].lower, cell_size, n, GUARDS, blocks[b].density, blocks[b].potential, NULL);
    }
    set_density(blocks, count, density);
    const int code = gravlet_solve_blocks(solver, count, for_gravlet, NULL, NULL, NULL);
    free(for_gravlet);
    if (code != GRAVLET_SUCCESS) return code;

    const findings found = check(blocks, count, density);
    *wrong = *wrong || !(found.error < tolerance);
    gravlet_report report;
    gravlet_get_report(solver, &report);
    if (rank == 0) {
        printf("density %g: parity %016llX\n", density, (unsigned long long)found.parity);
        printf("  %lld cells, solved in %.3f s on %s, error at the centre %.2g, mesh unchanged on %d of %d ranks\n",
               (long long)report.targets, report.seconds, gravlet_get_backend(solver), found.error, (int)report.unchanged_ranks,
               (int)report.ranks);
    }
    return GRAVLET_SUCCESS;
}

/* All steps: the mesh is refined after the first. */
static int evolve(gravlet_solver *solver, int rank, int ranks, int *wrong) {
    int code = GRAVLET_SUCCESS, count = 0;
    host_block *blocks = NULL;
    for (int step = 1; step <= STEPS && code == GRAVLET_SUCCESS; ++step) {
        if (step <= 2) {
            const int refined = step > 1;
            free(blocks);
            count = make_blocks(NULL, refined, rank, ranks);
            blocks = malloc(sizeof *blocks * (size_t)(count + 1));
            if (!blocks) return gravlet_abandon(solver, "the host has no memory for its blocks");
            make_blocks(blocks, refined, rank, ranks);
        }
        code = step_on(solver, blocks, count, step, rank, wrong);
    }
    free(blocks);
    return code;
}

int main(int argc, char **argv) {
    int provided = 0, rank = 0, ranks = 1, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    gravlet_options options;
    gravlet_options_init(&options);
    options.theta = 0.7; /* opening angle */
    gravlet_solver *solver = NULL;
    int code = gravlet_create(MPI_COMM_WORLD, &options, &solver);
    if (code == GRAVLET_SUCCESS) code = evolve(solver, rank, ranks, &wrong);
    if (code != GRAVLET_SUCCESS && rank == 0) fprintf(stderr, "gravlet: error %d: %s\n", code, gravlet_error_message());

    gravlet_destroy(&solver);
    MPI_Finalize();
    return code != GRAVLET_SUCCESS ? 2 : wrong;
}
