/* SPDX-License-Identifier: Apache-2.0
 * What C makes of the schema, as lines that test_schema.py compares with those of the other languages: every option, set as a
 * member and read by name; every number of two solves' reports; results; constants. */
#include <gravlet/gravlet.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { points = 1500, cells = 64 };
static double x[points], y[points], z[points], dx[points], mass[points];
static double results[10][points];

static void check(int code) {
    if (code == GRAVLET_SUCCESS) return;
    fprintf(stderr, "%s\n", gravlet_error_message());
    exit(1);
}

static void number(const char *solve, const char *name, double value) { printf("report %s.%s %.17g\n", solve, name, value); }
static void whole(const char *solve, const char *name, int64_t value) { printf("report %s.%s %" PRId64 "\n", solve, name, value); }

static void print_values(const char *kind, const gravlet_options *options) {
    for (int32_t i = 0; i < gravlet_option_count(); ++i) {
        gravlet_option_info info;
        char value[200];
        check(gravlet_get_option_info(i, &info));
        check(gravlet_get_option(options, info.name, value, sizeof value));
        printf("%s %s %s\n", kind, info.name, value);
    }
}

static void print_options(void) {
    gravlet_options options;
    gravlet_options_init(&options);
    print_values("default", &options);
    /* [generated: options] scripts/generate, api/schema */
    options.backend = GRAVLET_BACKEND_CPU;
    options.gpu_sharing = GRAVLET_SHARING_GATHER;
    options.boundary[0] = GRAVLET_PERIODIC;
    options.boundary[1] = GRAVLET_ISOLATED;
    options.boundary[2] = GRAVLET_PERIODIC;
    options.theta = 0.35;
    options.order = 3;
    options.precision = GRAVLET_PRECISION_DOUBLE;
    options.criterion = GRAVLET_CRITERION_MULTIPOLE;
    options.alpha = 0.015625;
    options.tolerance = 0.0001;
    options.tolerance_of = GRAVLET_ERROR_OF_POTENTIAL;
    options.tolerance_at = GRAVLET_ERROR_P9999;
    options.tolerance_effort = 7;
    options.G = 6.67e-08;
    options.self_potential = 0;
    options.near_cells = GRAVLET_NEAR_CELLS_CUBOID;
    options.acting_classes = 6;
    options.softening_kernel = GRAVLET_SOFTENING_SPLINE;
    options.softening = 0.1;
    options.has_domain = 1;
    options.domain_lower[0] = -1.0;
    options.domain_lower[1] = -2.0;
    options.domain_lower[2] = -3.0;
    options.domain_upper[0] = 1.0;
    options.domain_upper[1] = 2.0;
    options.domain_upper[2] = 3.5;
    options.background = GRAVLET_BACKGROUND_KEEP;
    options.wrap = 1;
    options.shear = 0.25;
    options.periodic_method = GRAVLET_PERIODIC_TABLE;
    options.ewald_nodes = 8;
    options.ewald_order = 3;
    options.ewald_cache = "a table.h5";
    options.keep_tree = 0;
    options.keep_moved = 1;
    options.redistribute = 1;
    options.group_size = 64;
    options.leaf_size = 7;
    options.virtual_root_boxes = 3;
    options.threads = 5;
    options.error_samples = 9007199254740993;
    options.error_seed = 9;
    options.active_bits = GRAVLET_ACTIVE_BITS_SAME;
    options.check_changed = 1;
    options.uniform_mesh = GRAVLET_UNIFORM_MESH_TREE;
    /* [/generated] */
    print_values("option", &options);
}

static void print_report(const gravlet_solver *solver, const char *solve) {
    gravlet_report r;
    check(gravlet_get_report(solver, &r));
    /* [generated: report] scripts/generate, api/schema */
    whole(solve, "targets", r.targets);
    whole(solve, "sources", r.sources);
    whole(solve, "ranks", r.ranks);
    whole(solve, "threads", r.threads);
    whole(solve, "unchanged_ranks", r.unchanged_ranks);
    whole(solve, "moved_ranks", r.moved_ranks);
    whole(solve, "predicted_nodes", r.predicted_nodes);
    number(solve, "predicted_shift", r.predicted_shift);
    whole(solve, "warnings", r.warnings);
    number(solve, "seconds", r.seconds);
    whole(solve, "stages", r.stages);
    whole(solve, "node_interactions", r.node_interactions);
    whole(solve, "cell_interactions", r.cell_interactions);
    whole(solve, "far_interactions", r.far_interactions);
    whole(solve, "coincident_pairs", r.coincident_pairs);
    whole(solve, "bytes_sent", r.bytes_sent);
    whole(solve, "nodes_imported", r.nodes_imported);
    whole(solve, "cells_imported", r.cells_imported);
    whole(solve, "peak_bytes", r.peak_bytes);
    whole(solve, "potential_error.samples", r.potential_error.samples);
    number(solve, "potential_error.max", r.potential_error.max);
    number(solve, "potential_error.p9999", r.potential_error.p9999);
    number(solve, "potential_error.p999", r.potential_error.p999);
    number(solve, "potential_error.p99", r.potential_error.p99);
    number(solve, "potential_error.median", r.potential_error.median);
    number(solve, "potential_error.rms", r.potential_error.rms);
    number(solve, "potential_error.worst[0]", r.potential_error.worst[0]);
    number(solve, "potential_error.worst[1]", r.potential_error.worst[1]);
    number(solve, "potential_error.worst[2]", r.potential_error.worst[2]);
    whole(solve, "acceleration_error.samples", r.acceleration_error.samples);
    number(solve, "acceleration_error.max", r.acceleration_error.max);
    number(solve, "acceleration_error.p9999", r.acceleration_error.p9999);
    number(solve, "acceleration_error.p999", r.acceleration_error.p999);
    number(solve, "acceleration_error.p99", r.acceleration_error.p99);
    number(solve, "acceleration_error.median", r.acceleration_error.median);
    number(solve, "acceleration_error.rms", r.acceleration_error.rms);
    number(solve, "acceleration_error.worst[0]", r.acceleration_error.worst[0]);
    number(solve, "acceleration_error.worst[1]", r.acceleration_error.worst[1]);
    number(solve, "acceleration_error.worst[2]", r.acceleration_error.worst[2]);
    whole(solve, "tidal_error.samples", r.tidal_error.samples);
    number(solve, "tidal_error.max", r.tidal_error.max);
    number(solve, "tidal_error.p9999", r.tidal_error.p9999);
    number(solve, "tidal_error.p999", r.tidal_error.p999);
    number(solve, "tidal_error.p99", r.tidal_error.p99);
    number(solve, "tidal_error.median", r.tidal_error.median);
    number(solve, "tidal_error.rms", r.tidal_error.rms);
    number(solve, "tidal_error.worst[0]", r.tidal_error.worst[0]);
    number(solve, "tidal_error.worst[1]", r.tidal_error.worst[1]);
    number(solve, "tidal_error.worst[2]", r.tidal_error.worst[2]);
    number(solve, "tolerance.asked", r.tolerance.asked);
    number(solve, "tolerance.reached", r.tolerance.reached);
    whole(solve, "tolerance.kept", r.tolerance.kept);
    number(solve, "tolerance.floor", r.tolerance.floor);
    whole(solve, "tolerance.walks", r.tolerance.walks);
    whole(solve, "tolerance.solves_ago", r.tolerance.solves_ago);
    whole(solve, "tolerance.criterion", r.tolerance.criterion);
    number(solve, "tolerance.theta", r.tolerance.theta);
    number(solve, "tolerance.alpha", r.tolerance.alpha);
    whole(solve, "tolerance.order", r.tolerance.order);
    number(solve, "net_force", r.net_force);
    number(solve, "net_torque", r.net_torque);
    number(solve, "background", r.background);
    number(solve, "time_step", r.time_step);
    /* [/generated] */
    printf("report %s.backend %s\n", solve, gravlet_get_backend(solver));
    for (int32_t i = 0; i < r.stages; ++i) {
        gravlet_stage_time stage;
        check(gravlet_get_stage(solver, i, &stage));
        printf("stage %s %s\n", solve, stage.name);
    }
    for (int k = 0; k < 10; ++k) printf("result %s.%d %.17g\n", solve, k, results[k][5]);
}

static void print_codes(void) {
    /* [generated: codes] scripts/generate, api/schema */
    printf("code invalid_option %d\n", (int)GRAVLET_INVALID_OPTION);
    printf("code invalid_input %d\n", (int)GRAVLET_INVALID_INPUT);
    printf("code out_of_memory %d\n", (int)GRAVLET_OUT_OF_MEMORY);
    printf("code not_available %d\n", (int)GRAVLET_NOT_AVAILABLE);
    printf("code communication %d\n", (int)GRAVLET_COMMUNICATION);
    printf("code file %d\n", (int)GRAVLET_FILE);
    printf("code internal %d\n", (int)GRAVLET_INTERNAL);
    printf("code cancelled %d\n", (int)GRAVLET_CANCELLED);
    printf("constant GRAVLET_BACKEND_AUTOMATIC %d\n", (int)GRAVLET_BACKEND_AUTOMATIC);
    printf("constant GRAVLET_BACKEND_CPU %d\n", (int)GRAVLET_BACKEND_CPU);
    printf("constant GRAVLET_BACKEND_GPU %d\n", (int)GRAVLET_BACKEND_GPU);
    printf("constant GRAVLET_SHARING_AUTOMATIC %d\n", (int)GRAVLET_SHARING_AUTOMATIC);
    printf("constant GRAVLET_SHARING_SHARE %d\n", (int)GRAVLET_SHARING_SHARE);
    printf("constant GRAVLET_SHARING_GATHER %d\n", (int)GRAVLET_SHARING_GATHER);
    printf("constant GRAVLET_ISOLATED %d\n", (int)GRAVLET_ISOLATED);
    printf("constant GRAVLET_PERIODIC %d\n", (int)GRAVLET_PERIODIC);
    printf("constant GRAVLET_MIRROR_LOWER %d\n", (int)GRAVLET_MIRROR_LOWER);
    printf("constant GRAVLET_MIRROR_UPPER %d\n", (int)GRAVLET_MIRROR_UPPER);
    printf("constant GRAVLET_PERIODIC_IMAGES %d\n", (int)GRAVLET_PERIODIC_IMAGES);
    printf("constant GRAVLET_PERIODIC_TABLE %d\n", (int)GRAVLET_PERIODIC_TABLE);
    printf("constant GRAVLET_BACKGROUND_AUTOMATIC %d\n", (int)GRAVLET_BACKGROUND_AUTOMATIC);
    printf("constant GRAVLET_BACKGROUND_KEEP %d\n", (int)GRAVLET_BACKGROUND_KEEP);
    printf("constant GRAVLET_BACKGROUND_CONTRAST %d\n", (int)GRAVLET_BACKGROUND_CONTRAST);
    printf("constant GRAVLET_SOFTENING_PLUMMER %d\n", (int)GRAVLET_SOFTENING_PLUMMER);
    printf("constant GRAVLET_SOFTENING_SPLINE %d\n", (int)GRAVLET_SOFTENING_SPLINE);
    printf("constant GRAVLET_CRITERION_AUTOMATIC %d\n", (int)GRAVLET_CRITERION_AUTOMATIC);
    printf("constant GRAVLET_CRITERION_OPENING %d\n", (int)GRAVLET_CRITERION_OPENING);
    printf("constant GRAVLET_CRITERION_ACCELERATION %d\n", (int)GRAVLET_CRITERION_ACCELERATION);
    printf("constant GRAVLET_CRITERION_MULTIPOLE %d\n", (int)GRAVLET_CRITERION_MULTIPOLE);
    printf("constant GRAVLET_NEAR_CELLS_POINT %d\n", (int)GRAVLET_NEAR_CELLS_POINT);
    printf("constant GRAVLET_NEAR_CELLS_CUBOID %d\n", (int)GRAVLET_NEAR_CELLS_CUBOID);
    printf("constant GRAVLET_UNIFORM_MESH_AUTOMATIC %d\n", (int)GRAVLET_UNIFORM_MESH_AUTOMATIC);
    printf("constant GRAVLET_UNIFORM_MESH_TREE %d\n", (int)GRAVLET_UNIFORM_MESH_TREE);
    printf("constant GRAVLET_UNIFORM_MESH_CONVOLUTION %d\n", (int)GRAVLET_UNIFORM_MESH_CONVOLUTION);
    printf("constant GRAVLET_ACTIVE_BITS_ANY %d\n", (int)GRAVLET_ACTIVE_BITS_ANY);
    printf("constant GRAVLET_ACTIVE_BITS_SAME %d\n", (int)GRAVLET_ACTIVE_BITS_SAME);
    printf("constant GRAVLET_PRECISION_SINGLE %d\n", (int)GRAVLET_PRECISION_SINGLE);
    printf("constant GRAVLET_PRECISION_DOUBLE %d\n", (int)GRAVLET_PRECISION_DOUBLE);
    printf("constant GRAVLET_ERROR_OF_AUTOMATIC %d\n", (int)GRAVLET_ERROR_OF_AUTOMATIC);
    printf("constant GRAVLET_ERROR_OF_POTENTIAL %d\n", (int)GRAVLET_ERROR_OF_POTENTIAL);
    printf("constant GRAVLET_ERROR_OF_ACCELERATION %d\n", (int)GRAVLET_ERROR_OF_ACCELERATION);
    printf("constant GRAVLET_ERROR_P99 %d\n", (int)GRAVLET_ERROR_P99);
    printf("constant GRAVLET_ERROR_P999 %d\n", (int)GRAVLET_ERROR_P999);
    printf("constant GRAVLET_ERROR_P9999 %d\n", (int)GRAVLET_ERROR_P9999);
    printf("constant GRAVLET_ERROR_RMS %d\n", (int)GRAVLET_ERROR_RMS);
    printf("constant GRAVLET_AUTOMATIC %d\n", (int)GRAVLET_AUTOMATIC);
    /* [/generated] */
}

static double fraction(double value) { return value - floor(value); }

static gravlet_fields all_fields(void) {
    gravlet_fields fields = {.potential = results[0]};
    for (int k = 0; k < 3; ++k) fields.acceleration[k] = results[1 + k];
    for (int k = 0; k < 6; ++k) fields.tidal[k] = results[4 + k];
    return fields;
}

static gravlet_solver *solver_with(const gravlet_options *options) {
    gravlet_solver *solver = NULL;
    check(gravlet_create(MPI_COMM_WORLD, options, &solver));
    return solver;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    print_codes();
    print_options();

    gravlet_options options;
    gravlet_options_init(&options);
    options.backend = GRAVLET_BACKEND_CPU;
    options.threads = 1;
    options.tolerance = 1e-3;
    options.error_samples = 1200;
    options.criterion = GRAVLET_CRITERION_ACCELERATION;
    for (int i = 0; i < points; ++i) {
        x[i] = fraction((i + 1) * 0.7548776662466927);
        y[i] = fraction((i + 1) * 0.5698402909980532);
        z[i] = fraction((i + 1) * 0.8191725133961645);
        mass[i] = 1.0 + i % 7;
    }
    gravlet_solver *solver = solver_with(&options);
    const gravlet_fields fields = all_fields();
    const gravlet_points p = {.count = points, .x = x, .y = y, .z = z, .mass = mass};
    check(gravlet_solve_points(solver, &p, &fields, NULL));
    print_report(solver, "points");
    check(gravlet_destroy(&solver));

    gravlet_options_init(&options);
    options.backend = GRAVLET_BACKEND_CPU;
    options.threads = 1;
    options.near_cells = GRAVLET_NEAR_CELLS_CUBOID;
    options.has_domain = 1;
    for (int axis = 0; axis < 3; ++axis) {
        options.boundary[axis] = GRAVLET_PERIODIC;
        options.domain_upper[axis] = 1.0;
    }
    for (int i = 0; i < cells; ++i) {
        x[i] = 0.125 + 0.25 * (i % 4);
        y[i] = 0.125 + 0.25 * (i / 4 % 4);
        z[i] = 0.125 + 0.25 * (i / 16);
        dx[i] = 0.25;
        mass[i] = 1.0 + i % 5;
    }
    solver = solver_with(&options);
    const gravlet_cells c = {.count = cells, .x = x, .y = y, .z = z, .dx = dx, .mass = mass};
    check(gravlet_solve_cells(solver, &c, &fields, NULL, NULL, NULL));
    print_report(solver, "cells");
    check(gravlet_destroy(&solver));
    MPI_Finalize();
    return 0;
}
