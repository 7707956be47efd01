/* SPDX-License-Identifier: Apache-2.0
 *
 * gravlet for C (C11), and for every language that can call C; amr_adapter/fortran/gravlet.f90 is made of it. What the calls do is
 * told in full in solver.hpp, cells.hpp, options.hpp and report.hpp; this header says what C adds.
 *
 *     gravlet_options options;
 *     gravlet_options_init(&options);
 *     gravlet_solver *solver = NULL;
 *     if (gravlet_create(MPI_COMM_WORLD, &options, &solver) != GRAVLET_SUCCESS) puts(gravlet_error_message());
 *     gravlet_solve_cells(solver, &cells, &fields, NULL, NULL, NULL);
 *     gravlet_destroy(&solver);
 *
 * Errors: every int returned is a gravlet_error, and nothing is thrown or printed. Collective calls return the same code and leave
 * the same message on every rank, and the solver stays usable.
 *
 * Threads: one thread a rank may be inside the calls of one solver at a time (MPI_THREAD_FUNNELED is enough); a second one, and a
 * call (or gravlet_destroy()) from a listener of the solver, gets GRAVLET_INVALID_INPUT on that rank alone, and the first goes on.
 * The error message is the calling thread's own.
 *
 * Memory: the caller owns every array, and the solver reads and writes it during the call only. Arrays may be in host memory or
 * in that of the device that the solver uses; `active` is in host memory. Strings that are returned belong to gravlet.
 *
 * Versions: gravlet_create() refuses a host that was compiled with headers of another minor version than the library's. Within one,
 * members are only added to the ends of gravlet_options and gravlet_report, which carry the size that the host knows.
 */
#ifndef GRAVLET_GRAVLET_H
#define GRAVLET_GRAVLET_H

#include <gravlet/export.h>
#include <gravlet/version.h>

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gravlet_solver gravlet_solver;

/* [generated: constants] scripts/generate, api/schema */
typedef enum gravlet_error {
    GRAVLET_SUCCESS = 0,
    GRAVLET_INVALID_OPTION = 1, /* an option is out of range, or differs between ranks */
    GRAVLET_INVALID_INPUT = 2,  /* cells, blocks, points or fields that no solver could accept */
    GRAVLET_OUT_OF_MEMORY = 3,  /* too little host or device memory */
    GRAVLET_NOT_AVAILABLE = 4,  /* a backend or feature that this build or machine does not have */
    GRAVLET_COMMUNICATION = 5,  /* MPI reported an error */
    GRAVLET_FILE = 6,           /* a file is missing, truncated, foreign, or lacks a variable */
    GRAVLET_INTERNAL = 7,       /* a bug in gravlet, or a device that fails */
    GRAVLET_CANCELLED = 8       /* a listener wanted the solve to end */
} gravlet_error;

enum { GRAVLET_BACKEND_AUTOMATIC = 0, GRAVLET_BACKEND_CPU = 1, GRAVLET_BACKEND_GPU = 2 };
enum { GRAVLET_SHARING_AUTOMATIC = 0, GRAVLET_SHARING_SHARE = 1, GRAVLET_SHARING_GATHER = 2 };
enum { GRAVLET_ISOLATED = 0, GRAVLET_PERIODIC = 1, GRAVLET_MIRROR_LOWER = 2, GRAVLET_MIRROR_UPPER = 3 };
enum { GRAVLET_PERIODIC_IMAGES = 0, GRAVLET_PERIODIC_TABLE = 1 };
enum { GRAVLET_BACKGROUND_AUTOMATIC = 0, GRAVLET_BACKGROUND_KEEP = 1, GRAVLET_BACKGROUND_CONTRAST = 2 };
enum { GRAVLET_SOFTENING_PLUMMER = 0, GRAVLET_SOFTENING_SPLINE = 1 };
enum { GRAVLET_CRITERION_AUTOMATIC = 0, GRAVLET_CRITERION_OPENING = 1, GRAVLET_CRITERION_ACCELERATION = 2,
       GRAVLET_CRITERION_MULTIPOLE = 3 };
enum { GRAVLET_NEAR_CELLS_POINT = 0, GRAVLET_NEAR_CELLS_CUBOID = 1 };
enum { GRAVLET_UNIFORM_MESH_AUTOMATIC = 0, GRAVLET_UNIFORM_MESH_TREE = 1, GRAVLET_UNIFORM_MESH_CONVOLUTION = 2 };
enum { GRAVLET_ACTIVE_BITS_ANY = 0, GRAVLET_ACTIVE_BITS_SAME = 1 };
enum { GRAVLET_PRECISION_SINGLE = 0, GRAVLET_PRECISION_DOUBLE = 1 };
enum { GRAVLET_ERROR_OF_AUTOMATIC = 0, GRAVLET_ERROR_OF_POTENTIAL = 1, GRAVLET_ERROR_OF_ACCELERATION = 2 };
enum { GRAVLET_ERROR_P99 = 0, GRAVLET_ERROR_P999 = 1, GRAVLET_ERROR_P9999 = 2, GRAVLET_ERROR_RMS = 3 };
enum { GRAVLET_AUTOMATIC = -1 };
/* [/generated] */

/* [generated: options] scripts/generate, api/schema */
/* Options (options.hpp), equal on every rank. Always begin with gravlet_options_init(). */
typedef struct gravlet_options {
    size_t size; /* of this struct, set by gravlet_options_init() */
    int32_t backend; /* What solves; auto: the GPU where every rank has one that can be used, else the CPU. GRAVLET_BACKEND_... */
    /* How several ranks use one GPU: each by itself, or one of them for all; auto: gather where ranks outnumber GPUs.
       GRAVLET_SHARING_... */
    int32_t gpu_sharing;
    /* What is beyond the domain, in all directions or in x, y and z: nothing, its repetitions, or its mirror image; but for
       nothing it needs a domain. GRAVLET_ISOLATED or GRAVLET_PERIODIC or GRAVLET_MIRROR_LOWER or GRAVLET_MIRROR_UPPER */
    int32_t boundary[3];
    /* Opening angle; smaller is more accurate and slower. auto: 0.8, with order 4 1.0; few bodies on a GPU: none, all act on all.
       GRAVLET_AUTOMATIC: auto. */
    double theta;
    /* Multipole order of nodes; above 4 with precision double. auto: 2 for potentials alone, 4 with accelerations.
       GRAVLET_AUTOMATIC: auto. */
    int32_t order;
    double G; /* The gravitational constant, in the caller's units. */
    int32_t self_potential; /* Whether a cell adds its own potential, that of a homogeneous cuboid. */
    int32_t softening_kernel; /* What softening makes of 1/r. GRAVLET_SOFTENING_... */
    double softening; /* Softening length of points that bring none of their own. */
    /* 0: none. The box in which all cells must lie, its lower and upper corner; none: what the cells cover. */
    int32_t has_domain;
    double domain_lower[3];
    double domain_upper[3];
    /* How a box's images are added: nearest ones by the tree and the rest as one smooth function, or, to check by, pair by pair
       from a table. GRAVLET_PERIODIC_... */
    int32_t periodic_method;
    int32_t ewald_nodes; /* Nodes of the Ewald table (periodic_method: table) along half of the box's shortest periodic side. */
    int32_t ewald_order; /* Degree of the Ewald table's polynomials. */
    /* Path of an HDF5 file in which the Ewald table is kept between runs, or NULL: none. Read by gravlet_create() only. */
    const char *ewald_cache;
    int32_t keep_tree; /* A rank whose bodies are where they were keeps its order and tree. */
    int32_t keep_moved; /* A rank whose points have moved keeps its order and tree as long as that is cheaper. */
    int32_t redistribute; /* For bodies in no order of space: each rank solves for a stretch of the space-filling curve. */
    int32_t group_size; /* Targets that walk the tree together (GPU: 32 or 64). 0: auto. */
    int32_t leaf_size; /* A node of so many sources or fewer is not divided. */
    int32_t virtual_root_boxes; /* Boxes by which a rank tells the others where its targets are. */
    /* OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; auto: the cores that it may run on. 0: auto. */
    int32_t threads;
    int64_t error_samples; /* So many random targets are compared with the direct sum after each solve. */
    uint64_t error_seed; /* Which random targets error_samples takes. */
    int32_t criterion; /* When a node acts as one; auto: opening, or with a tolerance what is cheaper. GRAVLET_CRITERION_... */
    /* What theta is to opening, to the other criteria: a node's bound over what acts on its targets. GRAVLET_AUTOMATIC: auto. */
    double alpha;
    double tolerance; /* Relative error that solves are to have, in place of theta, order and alpha. */
    /* The field whose error the tolerance is; auto: the acceleration where it is wanted. GRAVLET_ERROR_OF_... */
    int32_t tolerance_of;
    int32_t tolerance_at; /* Which error of all targets the tolerance is for. GRAVLET_ERROR_... */
    /* What cells that fill a box, periodic in all directions, do without; auto: nearly their least density, which the report has;
       keep: nothing; contrast: the same as auto, and densities may be negative. GRAVLET_BACKGROUND_... */
    int32_t background;
    int32_t tolerance_effort; /* The most walks that one solve may take to keep the tolerance. */
    /* What cells are to targets within about a side and a half: points, or homogeneous cuboids. GRAVLET_NEAR_CELLS_... */
    int32_t near_cells;
    /* The precision of a solve's sums. double: 1e-10 and better, at a small theta and a high order, for several times the time.
       GRAVLET_PRECISION_... */
    int32_t precision;
    int32_t acting_classes; /* Classes of sources that act: 1 for class 0, 2 for class 1, 4 for class 2, ..., added up. */
    /* What bits active targets get: any, for the least time, or the same as in a solve for all. GRAVLET_ACTIVE_BITS_... */
    int32_t active_bits;
    /* What a host says to have changed since the last solve is compared with what has, as debug builds do. */
    int32_t check_changed;
    /* How a mesh of cells of one size is summed: by a convolution, exactly, or by a tree; auto: the former, unless theta and the
       like are given. GRAVLET_UNIFORM_MESH_... */
    int32_t uniform_mesh;
    int32_t wrap; /* Whether points beyond a periodic box act from, and feel, where they are in it; false: they are an error. */
    double shear; /* Displacement in y of the box's image one period up in x: a sheared box, periodic in x and y. */
} gravlet_options;
/* [/generated] */

/* Options by name, as text, for hosts whose users choose them in a parameter file (option_list.hpp). All local. */

/* `value` as in YAML: "0.5", "true", "gather", "[periodic, periodic, isolated]", "auto" for what can be left to gravlet. Of
 * ewald_cache the pointer `value` is kept, as in the struct: it must be valid until gravlet_create(). GRAVLET_INVALID_OPTION on an
 * unknown name or a value of another type, with the names, words or type that there are in the message, and on an option that a
 * struct as short as this host's does not have; options are then as they were. */
GRAVLET_API int gravlet_set_option(gravlet_options *options, const char *name, const char *value);
/* Writes the value, as gravlet_set_option() takes it, and its '\0' to `value`, which has room for `size` characters. */
GRAVLET_API int gravlet_get_option(const gravlet_options *options, const char *name, char *value, size_t size);

/* [generated: option_info] scripts/generate, api/schema */
/* What is to be known of an option. */
typedef struct gravlet_option_info {
    const char *name;
    const char *type; /* number, integer, boolean, word, words, box or path */
    const char *range; /* as "0.1 to 1, 0 (direct sum), auto"; of words, all of them; "" if there is none */
    const char *default_value;
    const char *help; /* one sentence */
} gravlet_option_info;
/* [/generated] */

GRAVLET_API int32_t gravlet_option_count(void);
GRAVLET_API int gravlet_get_option_info(int32_t index, gravlet_option_info *info); /* index from 0 */

/* Arrays are of doubles or of floats. `floats` of the structs below says which are of floats: GRAVLET_FLOAT_..., added up, 0 for
 * none; those are given as x_f, mass_f, potential_f and so on. */
enum {
    GRAVLET_FLOAT_POSITIONS = 1, /* x, y, z, dx, dy, dz */
    GRAVLET_FLOAT_MASSES = 2,    /* mass or density, softening */
    GRAVLET_FLOAT_RESULTS = 4,
    GRAVLET_FLOAT_ALL = 7
};
#define GRAVLET_INPUT(name) union { const double *name; const float *name##_f; }
#define GRAVLET_RESULT(name) union { double *name; float *name##_f; }
#define GRAVLET_RESULTS(name, n) union { double *name[n]; float *name##_f[n]; }

/* [generated: lent] scripts/generate, api/schema */
/* Leaf cells of this rank, `count` of them. */
typedef struct gravlet_cells {
    int64_t count;
    GRAVLET_INPUT(x); /* centres */
    GRAVLET_INPUT(y);
    GRAVLET_INPUT(z);
    GRAVLET_INPUT(dx); /* sides */
    GRAVLET_INPUT(dy); /* NULL, as dz: cubes of side dx */
    GRAVLET_INPUT(dz);
    GRAVLET_INPUT(mass);
    const uint8_t *active; /* 0: a source only; NULL: none is */
    int32_t floats; /* GRAVLET_FLOAT_..., added up */
    const uint8_t *source_class; /* their classes, 0 to 7; NULL: all 0 */
} gravlet_cells;

/* Masses without size. */
typedef struct gravlet_points {
    int64_t count;
    GRAVLET_INPUT(x);
    GRAVLET_INPUT(y);
    GRAVLET_INPUT(z);
    GRAVLET_INPUT(mass);
    const uint8_t *active; /* as of cells */
    GRAVLET_INPUT(softening); /* their lengths; NULL: the option's, for all */
    int32_t floats; /* GRAVLET_FLOAT_..., added up */
    const uint8_t *source_class; /* their classes, 0 to 7; NULL: all 1 */
} gravlet_points;

/* Results, as many as targets; NULL: not wanted. */
typedef struct gravlet_fields {
    GRAVLET_RESULT(potential); /* -G sum m/r */
    GRAVLET_RESULTS(acceleration, 3); /* -grad potential; all three or none */
    GRAVLET_RESULTS(tidal, 6); /* derivative j of acceleration i, but for a cell's own mass; all six or none */
    int32_t floats; /* GRAVLET_FLOAT_RESULTS, or 0 */
} gravlet_fields;

/* Places without mass at which the field is wanted, `count` of them, with their results (cells.hpp). */
typedef struct gravlet_probes {
    int64_t count;
    GRAVLET_INPUT(x);
    GRAVLET_INPUT(y);
    GRAVLET_INPUT(z);
    GRAVLET_RESULT(potential); /* -G sum m/r */
    GRAVLET_RESULTS(acceleration, 3); /* -grad potential; all three or none */
    GRAVLET_RESULTS(tidal, 6); /* derivative j of acceleration i, but for a cell's own mass; all six or none */
    int32_t floats; /* GRAVLET_FLOAT_POSITIONS and GRAVLET_FLOAT_RESULTS, added up */
} gravlet_probes;

/* A box of n[0] * n[1] * n[2] equal cells in the host's own arrays. The pointers are to the first interior cell, the one at
 * `lower`; cell (i, j, k) is i * stride[0] + j * stride[1] + k * stride[2] elements on, of results by result_stride. */
typedef struct gravlet_block {
    double lower[3]; /* lower corner of the interior */
    double cell_size[3];
    int32_t n[3]; /* interior cells */
    int32_t inactive; /* not 0: its cells are sources only */
    ptrdiff_t stride[3];
    GRAVLET_INPUT(density);
    GRAVLET_RESULT(potential); /* -G sum m/r */
    GRAVLET_RESULTS(acceleration, 3); /* -grad potential; all three or none */
    ptrdiff_t result_stride[3]; /* of the results, if it is another one; all 0: as stride */
    GRAVLET_RESULTS(tidal, 6); /* derivative j of acceleration i, but for a cell's own mass; all six or none */
    int32_t result_guards[3]; /* layers of guard cells that get results too, a direction (cells.hpp) */
    int32_t floats; /* GRAVLET_FLOAT_MASSES and GRAVLET_FLOAT_RESULTS, added up */
    GRAVLET_RESULTS(face_acceleration, 3); /* along the axis, at x-, y-, z-faces (cells.hpp); each may be NULL */
    ptrdiff_t face_stride[3][3]; /* of each; all 0: of an array of the faces alone, x fastest */
} gravlet_block;
/* [/generated] */

#undef GRAVLET_INPUT
#undef GRAVLET_RESULT
#undef GRAVLET_RESULTS

/* A block of contiguous arrays, x fastest, with `guards` guard cells on every side; the pointers are the arrays' starts.
 * Without arrays, which a solve refuses, if lower, cell_size or n is NULL, guards is negative, or no memory holds so many cells. It has no tidal
 * arrays: those of the same shape go into the block as array + (block.density - density). */
GRAVLET_API gravlet_block gravlet_block_with_guards(const double lower[3], const double cell_size[3], const int32_t n[3], int32_t guards,
                                        const double *density, double *potential, double *const acceleration[3]);
/* A block of contiguous arrays of floats: see gravlet_block_with_guards(). */
GRAVLET_API gravlet_block gravlet_block_with_guards_f(const double lower[3], const double cell_size[3], const int32_t n[3], int32_t guards,
                                          const float *density, float *potential, float *const acceleration[3]);

/* [generated: listener] scripts/generate, api/schema */
/* What a host hears of a solver while it works (listener.hpp): on each rank of that rank, on the thread that is in the call,
 * which these functions must not call (that is refused), nor communicate from. Any may be NULL. Strings last as long as the call. */
typedef struct gravlet_listener {
    void *context; /* handed to all of them */
    void (*warning)(void *context, const char *text); /* what the report's warnings will say too, at once */
    void (*begin_stage)(void *context, const char *stage); /* of a solve; one at a time, and each ends */
    void (*end_stage)(void *context, const char *stage);
    void (*progress)(void *context, const char *what, double done); /* 0 to 1, of what takes long and is done once */
    double interval; /* seconds until, and between, its calls; 0: 1 s */
    int (*cancelled)(void *context); /* not 0: the solve is to end */
} gravlet_listener;
/* [/generated] */

/* What the calls below are made of: these calls with the size or the version that the host was compiled with. */
GRAVLET_API void gravlet_options_set_defaults(gravlet_options *options);
GRAVLET_API int gravlet_create_for(int header_version, MPI_Comm comm, const gravlet_options *options, gravlet_solver **solver);
GRAVLET_API int gravlet_create_f_for(int header_version, MPI_Fint comm, const gravlet_options *options, gravlet_solver **solver);
GRAVLET_API int gravlet_create_with_listener_for(int header_version, MPI_Comm comm, const gravlet_options *options,
                                                 const gravlet_listener *listener, gravlet_solver **solver);
GRAVLET_API int gravlet_create_with_listener_f_for(int header_version, MPI_Fint comm, const gravlet_options *options,
                                                   const gravlet_listener *listener, gravlet_solver **solver);

/* Defaults. Local. Nothing happens if options is NULL. */
static inline void gravlet_options_init(gravlet_options *options) {
    if (options == NULL) return;
    options->size = sizeof *options;
    gravlet_options_set_defaults(options);
}

/* Collective. options NULL: the defaults. On failure *solver is NULL. GRAVLET_NOT_AVAILABLE if the library is of another minor
 * version than this header. */
static inline int gravlet_create(MPI_Comm comm, const gravlet_options *options, gravlet_solver **solver) {
    return gravlet_create_for(GRAVLET_VERSION_NUMBER, comm, options, solver);
}
/* Collective. gravlet_create() for a Fortran communicator. */
static inline int gravlet_create_f(MPI_Fint comm, const gravlet_options *options, gravlet_solver **solver) {
    return gravlet_create_f_for(GRAVLET_VERSION_NUMBER, comm, options, solver);
}
/* Collective. gravlet_create() with a listener, which is copied; what its context points to lives as long as the solver. */
static inline int gravlet_create_with_listener(MPI_Comm comm, const gravlet_options *options, const gravlet_listener *listener,
                                               gravlet_solver **solver) {
    return gravlet_create_with_listener_for(GRAVLET_VERSION_NUMBER, comm, options, listener, solver);
}

/* Collective while MPI runs (the solver's communicator is freed); allowed after MPI_Finalize. Sets *solver to NULL. Nothing
 * happens if it is NULL already. */
GRAVLET_API int gravlet_destroy(gravlet_solver **solver);

/* Collective. Cells, blocks, points; each with points or without (NULL), and with probes or without. All ranks make the same call. */
GRAVLET_API int gravlet_solve_cells(gravlet_solver *solver, const gravlet_cells *cells, const gravlet_fields *fields,
                        const gravlet_points *points, const gravlet_fields *point_fields, const gravlet_probes *probes);
GRAVLET_API int gravlet_solve_blocks(gravlet_solver *solver, int64_t count, const gravlet_block *blocks, const gravlet_points *points,
                         const gravlet_fields *point_fields, const gravlet_probes *probes);
GRAVLET_API int gravlet_solve_points(gravlet_solver *solver, const gravlet_points *points, const gravlet_fields *fields,
                         const gravlet_probes *probes);

/* Collective. gravlet_options.G of the solves that follow, as a comoving factor changes with time; trees are kept. Where it is
 * refused it is what it was. */
GRAVLET_API int gravlet_set_G(gravlet_solver *solver, double G);
/* Collective. gravlet_options.softening, domain_lower and domain_upper (3 each), and shear, of the solves that follow; trees are built
 * anew. Where they are refused they are what they were. */
GRAVLET_API int gravlet_set_softening(gravlet_solver *solver, double length);
GRAVLET_API int gravlet_set_domain(gravlet_solver *solver, const double *lower, const double *upper);
GRAVLET_API int gravlet_set_shear(gravlet_solver *solver, double length);

/* Local. What the next solve will find changed of this rank's bodies since the last one: those whose flag is not 0, of `count`
 * flags in host memory, one a block or a cell and then one a point; or none of them, if count is 0. Of all others nothing has
 * changed, and they need not be looked at (gravlet::Solver::only_changed()). Holds for one solve. */
GRAVLET_API int gravlet_only_changed(gravlet_solver *solver, int64_t count, const uint8_t *flags);

/* Local. The next solve's points have come from where they were in the last one evenly, each by its velocity, of `count` a
 * direction, for this time; the solve reads the arrays. Of points that were not active in the last solve velocities are those
 * that were given with it (gravlet::Solver::drifted()). Holds for one solve; acts with keep_moved. */
GRAVLET_API int gravlet_drifted(gravlet_solver *solver, int64_t count, const double *vx, const double *vy, const double *vz,
                                double time);

/* Collective. What gravlet_options.tolerance has learned so far, for a checkpoint, and back into a solver of the same options,
 * which goes on from there to the bit: GRAVLET_STEERING_SIZE values, the same on every rank, of this version of gravlet alone. */
enum { GRAVLET_STEERING_SIZE = 80 };
GRAVLET_API int gravlet_get_steering(gravlet_solver *solver, double *state);
GRAVLET_API int gravlet_set_steering(gravlet_solver *solver, const double *state);

/* Collective: takes the place of a solve on a rank that cannot bring its bodies. All ranks get GRAVLET_INVALID_INPUT and this
 * message. */
GRAVLET_API int gravlet_abandon(gravlet_solver *solver, const char *message);

/* What went wrong in this thread's last call that failed; "" if none has. Valid until its next call. */
GRAVLET_API const char *gravlet_error_message(void);
/* Whether this rank should be the one to print gravlet_error_message(), if any: of a collective call, which fails on
 * all, rank 0 alone. */
GRAVLET_API int gravlet_prints_error(void);

/* [generated: report] scripts/generate, api/schema */
/* Seconds of one stage over the ranks. */
typedef struct gravlet_stage_time {
    const char *name;
    double max;
    double mean;
} gravlet_stage_time;

/* Relative error against the direct sum at the options' error_samples targets. */
typedef struct gravlet_error_statistics {
    int64_t samples; /* 0: not asked for */
    double max;
    double p9999; /* 99.99%; max, if there are fewer than 10,000 samples */
    double p999; /* 99.9%; max, if there are fewer than 1,000 */
    double p99;
    double median;
    double rms;
    double worst[3]; /* where the target with the largest error is, in the caller's lengths */
} gravlet_error_statistics;

/* How the tolerance was kept. */
typedef struct gravlet_tolerance_report {
    double asked; /* the option tolerance; 0: none was asked for */
    double reached; /* that error of the last solve that was measured */
    int64_t solves_ago; /* 0: this one; what that took is the stage "tolerance" */
    double theta;
    double alpha;
    int32_t order;
    int32_t criterion; /* what this solve took, with theta, alpha and order: GRAVLET_CRITERION_... */
    int32_t kept; /* whether `reached` is within 1.2 times what was asked; if not, there is a warning */
    int32_t walks; /* walks of this solve (tolerance_effort); numbers of pairs and bytes are the last one's */
    double floor; /* an error below which no shorter angle was found to bring it; 0: none was found */
} gravlet_tolerance_report;

/* What the last solve that finished did (report.hpp): the same on every rank but for `threads`. */
typedef struct gravlet_report {
    size_t size; /* of this struct, set by gravlet_get_report() */
    int64_t targets; /* active cells and points of all ranks, other places in result_guards, faces, and probes */
    int64_t sources; /* cells and points that have mass */
    int32_t ranks;
    int32_t threads; /* OpenMP threads of the calling rank */
    int32_t unchanged_ranks; /* ranks whose bodies were where they had been: nothing was sorted, no tree built for them */
    int32_t moved_ranks; /* ranks whose points had moved and which kept order and tree (keep_moved), of those that solve */
    int32_t stages; /* how many there are */
    int32_t warnings; /* how many there are */
    double seconds; /* the solve, slowest rank */
    int64_t node_interactions; /* target-node pairs evaluated, all ranks */
    int64_t cell_interactions; /* target-cell (or target-point) pairs evaluated, all ranks */
    int64_t far_interactions; /* node-group pairs, through local expansions about the groups' centres */
    int64_t coincident_pairs; /* unsoftened target-source pairs at distance zero, left out */
    int64_t bytes_sent; /* essential nodes and cells, and what redistribute hands over and back; all ranks */
    int64_t nodes_imported; /* essential nodes received, all ranks */
    int64_t cells_imported;
    int64_t peak_bytes; /* the most memory (GPU: device memory) that the solver held in the solve, largest rank */
    gravlet_error_statistics potential_error; /* sampled error, if error_samples > 0 or measured for the tolerance */
    gravlet_error_statistics acceleration_error; /* sampled error, where accelerations were asked for */
    gravlet_error_statistics tidal_error; /* sampled error, where the tidal tensor was asked for */
    /* |sum m a| over sum m |a|: what the tree's errors leave of Newton's third law. If accelerations were asked for, all bodies
       were active, and no direction is periodic. -1: not given. */
    double net_force;
    /* |sum m x cross a| over sum m |a| |x|, x from the centre of mass; given where net_force is. -1: not given. */
    double net_torque;
    gravlet_tolerance_report tolerance; /* how the tolerance was kept, if tolerance > 0 */
    double background; /* density that was taken off all cells (background); 0: none */
    /* The shortest sqrt(h/|a|) of all active targets, h the shortest side of a cell, or the softening length of a point: what a
       host takes its part of. If accelerations were asked for, and something with a length is pulled. (Not of guard cells and
       probes.) -1: not given. */
    double time_step;
    int64_t predicted_nodes; /* nodes that went with their points and kept their moments (Solver::drifted) */
    double predicted_shift; /* how far points may be from where such a node has them, in its sides, at most on all ranks */
} gravlet_report;
/* [/generated] */

/* What gravlet_get_report() is made of. */
GRAVLET_API int gravlet_fill_report(const gravlet_solver *solver, gravlet_report *report);

/* Local. Fills the report of the last solve that finished. */
static inline int gravlet_get_report(const gravlet_solver *solver, gravlet_report *report) {
    if (report != NULL) report->size = sizeof *report;
    return gravlet_fill_report(solver, report);
}
/* Local. Strings are valid until the solver's next call. */
GRAVLET_API int gravlet_get_stage(const gravlet_solver *solver, int32_t index, gravlet_stage_time *stage); /* index from 0 */
GRAVLET_API const char *gravlet_get_warning(const gravlet_solver *solver, int32_t index);                  /* index from 0; "" if there is none */
GRAVLET_API const char *gravlet_get_backend(const gravlet_solver *solver);                                 /* backend of the last solve */
GRAVLET_API const char *gravlet_report_text(gravlet_solver *solver);                                       /* a table for people */

/* Local. The library's version, "major.minor.patch" and as GRAVLET_VERSION_NUMBER; the backends that this build has and this machine can run, "" past the last. */
GRAVLET_API const char *gravlet_version(void);
GRAVLET_API int gravlet_version_number(void);
GRAVLET_API const char *gravlet_backend_name(int32_t index);

#ifdef __cplusplus
}
#endif

#endif
