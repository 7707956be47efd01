! SPDX-License-Identifier: Apache-2.0
! gravlet.h as Fortran sees it: its structs and functions under names of their own, and text in both directions. Hosts use the
! module gravlet, which is made of this one.
module gravlet_c
    use, intrinsic :: iso_fortran_env, only: error_unit
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_int, c_int32_t, c_int64_t, &
        c_funptr, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t, c_sizeof
    implicit none
    private

    public :: c_options, c_listener, c_cells, c_points, c_fields, c_probes, c_report, c_stage_time
    public :: gravlet_error_statistics, gravlet_tolerance_report
    public :: c_options_init, c_create, c_destroy, c_solve_cells, c_solve_blocks, c_solve_points, c_set_G, c_set_softening, &
        c_set_domain, c_set_shear, c_only_changed, &
        c_drifted, c_get_steering, c_set_steering, c_abandon, c_error_message, c_prints_error
    public :: c_get_report, c_get_stage, c_get_warning, c_get_backend, c_report_text, c_version, c_backend_name
    public :: c_set_option, c_get_option, c_option_count, c_get_option_info, c_option_info
    public :: to_text, to_c, finish, message_of, gravlet_last_error

    ! Values of what a tolerance has learned (get_steering)
    integer, parameter, public :: GRAVLET_STEERING_SIZE = 80

    ! Status
    ! [generated: codes] scripts/generate, api/schema
    integer, parameter, public :: GRAVLET_SUCCESS = 0
    integer, parameter, public :: GRAVLET_INVALID_OPTION = 1 ! an option is out of range, or differs between ranks
    integer, parameter, public :: GRAVLET_INVALID_INPUT = 2  ! cells, blocks, points or fields that no solver could accept
    integer, parameter, public :: GRAVLET_OUT_OF_MEMORY = 3  ! too little host or device memory
    integer, parameter, public :: GRAVLET_NOT_AVAILABLE = 4  ! a backend or feature that this build or machine does not have
    integer, parameter, public :: GRAVLET_COMMUNICATION = 5  ! MPI reported an error
    integer, parameter, public :: GRAVLET_FILE = 6           ! a file is missing, truncated, foreign, or lacks a variable
    integer, parameter, public :: GRAVLET_INTERNAL = 7       ! a bug in gravlet, or a device that fails
    integer, parameter, public :: GRAVLET_CANCELLED = 8      ! a listener wanted the solve to end
    ! [/generated]

    ! [generated: structs] scripts/generate, api/schema
    ! Seconds of one stage over the ranks.
    type, bind(C) :: c_stage_time
        type(c_ptr) :: name = c_null_ptr
        real(c_double) :: max = 0.0_c_double
        real(c_double) :: mean = 0.0_c_double
    end type

    ! Relative error against the direct sum at the options' error_samples targets.
    type, bind(C) :: gravlet_error_statistics
        integer(c_int64_t) :: samples = 0_c_int64_t ! 0: not asked for
        real(c_double) :: max = 0.0_c_double
        real(c_double) :: p9999 = 0.0_c_double ! 99.99%; max, if there are fewer than 10,000 samples
        real(c_double) :: p999 = 0.0_c_double ! 99.9%; max, if there are fewer than 1,000
        real(c_double) :: p99 = 0.0_c_double
        real(c_double) :: median = 0.0_c_double
        real(c_double) :: rms = 0.0_c_double
        real(c_double) :: worst(3) = 0.0_c_double ! where the target with the largest error is, in the caller's lengths
    end type

    ! How the tolerance was kept.
    type, bind(C) :: gravlet_tolerance_report
        real(c_double) :: asked = 0.0_c_double ! the option tolerance; 0: none was asked for
        real(c_double) :: reached = 0.0_c_double ! that error of the last solve that was measured
        integer(c_int64_t) :: solves_ago = 0_c_int64_t ! 0: this one; what that took is the stage "tolerance"
        real(c_double) :: theta = 0.0_c_double
        real(c_double) :: alpha = 0.0_c_double
        integer(c_int32_t) :: order = 0_c_int32_t
        integer(c_int32_t) :: criterion = 0_c_int32_t ! what this solve took, with theta, alpha and order: GRAVLET_CRITERION_...
        ! whether `reached` is within 1.2 times what was asked; if not, there is a warning
        integer(c_int32_t) :: kept = 0_c_int32_t
        ! walks of this solve (tolerance_effort); numbers of pairs and bytes are the last one's
        integer(c_int32_t) :: walks = 0_c_int32_t
        real(c_double) :: floor = 0.0_c_double ! an error below which no shorter angle was found to bring it; 0: none was found
    end type

    ! What the last solve that finished did (report.hpp): the same on every rank but for `threads`.
    type, bind(C) :: c_report
        integer(c_size_t) :: size = 0_c_size_t ! of this struct, set by gravlet_get_report()
        ! active cells and points of all ranks, other places in result_guards, faces, and probes
        integer(c_int64_t) :: targets = 0_c_int64_t
        integer(c_int64_t) :: sources = 0_c_int64_t ! cells and points that have mass
        integer(c_int32_t) :: ranks = 0_c_int32_t
        integer(c_int32_t) :: threads = 0_c_int32_t ! OpenMP threads of the calling rank
        ! ranks whose bodies were where they had been: nothing was sorted, no tree built for them
        integer(c_int32_t) :: unchanged_ranks = 0_c_int32_t
        ! ranks whose points had moved and which kept order and tree (keep_moved), of those that solve
        integer(c_int32_t) :: moved_ranks = 0_c_int32_t
        integer(c_int32_t) :: stages = 0_c_int32_t ! how many there are
        integer(c_int32_t) :: warnings = 0_c_int32_t ! how many there are
        real(c_double) :: seconds = 0.0_c_double ! the solve, slowest rank
        integer(c_int64_t) :: node_interactions = 0_c_int64_t ! target-node pairs evaluated, all ranks
        integer(c_int64_t) :: cell_interactions = 0_c_int64_t ! target-cell (or target-point) pairs evaluated, all ranks
        ! node-group pairs, through local expansions about the groups' centres
        integer(c_int64_t) :: far_interactions = 0_c_int64_t
        integer(c_int64_t) :: coincident_pairs = 0_c_int64_t ! unsoftened target-source pairs at distance zero, left out
        ! essential nodes and cells, and what redistribute hands over and back; all ranks
        integer(c_int64_t) :: bytes_sent = 0_c_int64_t
        integer(c_int64_t) :: nodes_imported = 0_c_int64_t ! essential nodes received, all ranks
        integer(c_int64_t) :: cells_imported = 0_c_int64_t
        ! the most memory (GPU: device memory) that the solver held in the solve, largest rank
        integer(c_int64_t) :: peak_bytes = 0_c_int64_t
        type(gravlet_error_statistics) :: potential_error ! sampled error, if error_samples > 0 or measured for the tolerance
        type(gravlet_error_statistics) :: acceleration_error ! sampled error, where accelerations were asked for
        type(gravlet_error_statistics) :: tidal_error ! sampled error, where the tidal tensor was asked for
        ! |sum m a| over sum m |a|: what the tree's errors leave of Newton's third law. If accelerations were asked for, all
        ! bodies were active, and no direction is periodic. -1: not given.
        real(c_double) :: net_force = 0.0_c_double
        ! |sum m x cross a| over sum m |a| |x|, x from the centre of mass; given where net_force is. -1: not given.
        real(c_double) :: net_torque = 0.0_c_double
        type(gravlet_tolerance_report) :: tolerance ! how the tolerance was kept, if tolerance > 0
        real(c_double) :: background = 0.0_c_double ! density that was taken off all cells (background); 0: none
        ! The shortest sqrt(h/|a|) of all active targets, h the shortest side of a cell, or the softening length of a point: what
        ! a host takes its part of. If accelerations were asked for, and something with a length is pulled. (Not of guard cells
        ! and probes.) -1: not given.
        real(c_double) :: time_step = 0.0_c_double
        ! nodes that went with their points and kept their moments (Solver::drifted)
        integer(c_int64_t) :: predicted_nodes = 0_c_int64_t
        ! how far points may be from where such a node has them, in its sides, at most on all ranks
        real(c_double) :: predicted_shift = 0.0_c_double
    end type

    type, bind(C) :: c_cells
        integer(c_int64_t) :: count = 0_c_int64_t
        type(c_ptr) :: x = c_null_ptr ! centres
        type(c_ptr) :: y = c_null_ptr
        type(c_ptr) :: z = c_null_ptr
        type(c_ptr) :: dx = c_null_ptr ! sides
        type(c_ptr) :: dy = c_null_ptr ! NULL, as dz: cubes of side dx
        type(c_ptr) :: dz = c_null_ptr
        type(c_ptr) :: mass = c_null_ptr
        type(c_ptr) :: active = c_null_ptr ! 0: a source only; NULL: none is
        integer(c_int32_t) :: floats = 0_c_int32_t ! GRAVLET_FLOAT_..., added up
        type(c_ptr) :: source_class = c_null_ptr ! their classes, 0 to 7; NULL: all 0
    end type

    type, bind(C) :: c_points
        integer(c_int64_t) :: count = 0_c_int64_t
        type(c_ptr) :: x = c_null_ptr
        type(c_ptr) :: y = c_null_ptr
        type(c_ptr) :: z = c_null_ptr
        type(c_ptr) :: mass = c_null_ptr
        type(c_ptr) :: active = c_null_ptr ! as of cells
        type(c_ptr) :: softening = c_null_ptr ! their lengths; NULL: the option's, for all
        integer(c_int32_t) :: floats = 0_c_int32_t ! GRAVLET_FLOAT_..., added up
        type(c_ptr) :: source_class = c_null_ptr ! their classes, 0 to 7; NULL: all 1
    end type

    type, bind(C) :: c_fields
        type(c_ptr) :: potential = c_null_ptr ! -G sum m/r
        type(c_ptr) :: acceleration(3) = c_null_ptr ! -grad potential; all three or none
        type(c_ptr) :: tidal(6) = c_null_ptr ! derivative j of acceleration i, but for a cell's own mass; all six or none
        integer(c_int32_t) :: floats = 0_c_int32_t ! GRAVLET_FLOAT_RESULTS, or 0
    end type

    type, bind(C) :: c_probes
        integer(c_int64_t) :: count = 0_c_int64_t
        type(c_ptr) :: x = c_null_ptr
        type(c_ptr) :: y = c_null_ptr
        type(c_ptr) :: z = c_null_ptr
        type(c_ptr) :: potential = c_null_ptr ! -G sum m/r
        type(c_ptr) :: acceleration(3) = c_null_ptr ! -grad potential; all three or none
        type(c_ptr) :: tidal(6) = c_null_ptr ! derivative j of acceleration i, but for a cell's own mass; all six or none
        integer(c_int32_t) :: floats = 0_c_int32_t ! GRAVLET_FLOAT_POSITIONS and GRAVLET_FLOAT_RESULTS, added up
    end type

    type, bind(C) :: c_listener
        type(c_ptr) :: context = c_null_ptr ! handed to all of them
        type(c_funptr) :: warning = c_null_funptr ! what the report's warnings will say too, at once
        type(c_funptr) :: begin_stage = c_null_funptr ! of a solve; one at a time, and each ends
        type(c_funptr) :: end_stage = c_null_funptr
        type(c_funptr) :: progress = c_null_funptr ! 0 to 1, of what takes long and is done once
        real(c_double) :: interval = 0.0_c_double ! seconds until, and between, its calls; 0: 1 s
        type(c_funptr) :: cancelled = c_null_funptr ! not 0: the solve is to end
    end type

    type, bind(C) :: c_option_info
        type(c_ptr) :: name = c_null_ptr
        type(c_ptr) :: type = c_null_ptr ! number, integer, boolean, word, words, box or path
        type(c_ptr) :: range = c_null_ptr ! as "0.1 to 1, 0 (direct sum), auto"; of words, all of them; "" if there is none
        type(c_ptr) :: default_value = c_null_ptr
        type(c_ptr) :: help = c_null_ptr ! one sentence
    end type

    type, bind(C) :: c_options
        integer(c_size_t) :: size ! of this struct, set by gravlet_options_init()
        ! What solves; auto: the GPU where every rank has one that can be used, else the CPU. GRAVLET_BACKEND_...
        integer(c_int32_t) :: backend
        ! How several ranks use one GPU: each by itself, or one of them for all; auto: gather where ranks outnumber GPUs.
        ! GRAVLET_SHARING_...
        integer(c_int32_t) :: gpu_sharing
        ! What is beyond the domain, in all directions or in x, y and z: nothing, its repetitions, or its mirror image; but for
        ! nothing it needs a domain. GRAVLET_ISOLATED or GRAVLET_PERIODIC or GRAVLET_MIRROR_LOWER or GRAVLET_MIRROR_UPPER
        integer(c_int32_t) :: boundary(3)
        ! Opening angle; smaller is more accurate and slower. auto: 0.8, with order 4 1.0; few bodies on a GPU: none, all act on
        ! all. GRAVLET_AUTOMATIC: auto.
        real(c_double) :: theta
        ! Multipole order of nodes; above 4 with precision double. auto: 2 for potentials alone, 4 with accelerations.
        ! GRAVLET_AUTOMATIC: auto.
        integer(c_int32_t) :: order
        real(c_double) :: G ! The gravitational constant, in the caller's units.
        integer(c_int32_t) :: self_potential ! Whether a cell adds its own potential, that of a homogeneous cuboid.
        integer(c_int32_t) :: softening_kernel ! What softening makes of 1/r. GRAVLET_SOFTENING_...
        real(c_double) :: softening ! Softening length of points that bring none of their own.
        ! 0: none. The box in which all cells must lie, its lower and upper corner; none: what the cells cover.
        integer(c_int32_t) :: has_domain
        real(c_double) :: domain_lower(3)
        real(c_double) :: domain_upper(3)
        ! How a box's images are added: nearest ones by the tree and the rest as one smooth function, or, to check by, pair by
        ! pair from a table. GRAVLET_PERIODIC_...
        integer(c_int32_t) :: periodic_method
        ! Nodes of the Ewald table (periodic_method: table) along half of the box's shortest periodic side.
        integer(c_int32_t) :: ewald_nodes
        integer(c_int32_t) :: ewald_order ! Degree of the Ewald table's polynomials.
        ! Path of an HDF5 file in which the Ewald table is kept between runs, or NULL: none. Read by gravlet_create() only.
        type(c_ptr) :: ewald_cache
        integer(c_int32_t) :: keep_tree ! A rank whose bodies are where they were keeps its order and tree.
        integer(c_int32_t) :: keep_moved ! A rank whose points have moved keeps its order and tree as long as that is cheaper.
        ! For bodies in no order of space: each rank solves for a stretch of the space-filling curve.
        integer(c_int32_t) :: redistribute
        integer(c_int32_t) :: group_size ! Targets that walk the tree together (GPU: 32 or 64). 0: auto.
        integer(c_int32_t) :: leaf_size ! A node of so many sources or fewer is not divided.
        integer(c_int32_t) :: virtual_root_boxes ! Boxes by which a rank tells the others where its targets are.
        ! OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; auto: the cores that it may run on. 0: auto.
        integer(c_int32_t) :: threads
        integer(c_int64_t) :: error_samples ! So many random targets are compared with the direct sum after each solve.
        integer(c_int64_t) :: error_seed ! Which random targets error_samples takes.
        ! When a node acts as one; auto: opening, or with a tolerance what is cheaper. GRAVLET_CRITERION_...
        integer(c_int32_t) :: criterion
        ! What theta is to opening, to the other criteria: a node's bound over what acts on its targets. GRAVLET_AUTOMATIC: auto.
        real(c_double) :: alpha
        real(c_double) :: tolerance ! Relative error that solves are to have, in place of theta, order and alpha.
        ! The field whose error the tolerance is; auto: the acceleration where it is wanted. GRAVLET_ERROR_OF_...
        integer(c_int32_t) :: tolerance_of
        integer(c_int32_t) :: tolerance_at ! Which error of all targets the tolerance is for. GRAVLET_ERROR_...
        ! What cells that fill a box, periodic in all directions, do without; auto: nearly their least density, which the report
        ! has; keep: nothing; contrast: the same as auto, and densities may be negative. GRAVLET_BACKGROUND_...
        integer(c_int32_t) :: background
        integer(c_int32_t) :: tolerance_effort ! The most walks that one solve may take to keep the tolerance.
        ! What cells are to targets within about a side and a half: points, or homogeneous cuboids. GRAVLET_NEAR_CELLS_...
        integer(c_int32_t) :: near_cells
        ! The precision of a solve's sums. double: 1e-10 and better, at a small theta and a high order, for several times the
        ! time. GRAVLET_PRECISION_...
        integer(c_int32_t) :: precision
        ! Classes of sources that act: 1 for class 0, 2 for class 1, 4 for class 2, ..., added up.
        integer(c_int32_t) :: acting_classes
        ! What bits active targets get: any, for the least time, or the same as in a solve for all. GRAVLET_ACTIVE_BITS_...
        integer(c_int32_t) :: active_bits
        ! What a host says to have changed since the last solve is compared with what has, as debug builds do.
        integer(c_int32_t) :: check_changed
        ! How a mesh of cells of one size is summed: by a convolution, exactly, or by a tree; auto: the former, unless theta and
        ! the like are given. GRAVLET_UNIFORM_MESH_...
        integer(c_int32_t) :: uniform_mesh
        ! Whether points beyond a periodic box act from, and feel, where they are in it; false: they are an error.
        integer(c_int32_t) :: wrap
        real(c_double) :: shear ! Displacement in y of the box's image one period up in x: a sheared box, periodic in x and y.
    end type
    ! [/generated]

    interface
        subroutine c_options_set_defaults(options) bind(C, name='gravlet_options_set_defaults')
            import :: c_options
            type(c_options), intent(inout) :: options
        end subroutine

        integer(c_int) function c_create_for(header_version, comm, options, listener, solver) &
            bind(C, name='gravlet_create_with_listener_f_for')
            import :: c_int, c_ptr
            integer(c_int), value :: header_version, comm
            type(c_ptr), value :: options, listener
            type(c_ptr), intent(out) :: solver
        end function

        integer(c_int) function c_destroy(solver) bind(C, name='gravlet_destroy')
            import :: c_int, c_ptr
            type(c_ptr), intent(inout) :: solver
        end function

        integer(c_int) function c_solve_cells(solver, cells, fields, points, point_fields, probes) &
                bind(C, name='gravlet_solve_cells')
            import :: c_int, c_ptr, c_cells, c_fields, c_probes
            type(c_ptr), value :: solver, points, point_fields
            type(c_probes), intent(in) :: probes
            type(c_cells), intent(in) :: cells
            type(c_fields), intent(in) :: fields
        end function

        integer(c_int) function c_solve_blocks(solver, count, blocks, points, point_fields, probes) &
                bind(C, name='gravlet_solve_blocks')
            import :: c_int, c_int64_t, c_ptr, c_probes
            type(c_ptr), value :: solver, blocks, points, point_fields
            integer(c_int64_t), value :: count
            type(c_probes), intent(in) :: probes
        end function

        integer(c_int) function c_solve_points(solver, points, fields, probes) bind(C, name='gravlet_solve_points')
            import :: c_int, c_ptr, c_fields, c_points, c_probes
            type(c_ptr), value :: solver
            type(c_points), intent(in) :: points
            type(c_fields), intent(in) :: fields
            type(c_probes), intent(in) :: probes
        end function

        integer(c_int) function c_set_G(solver, G) bind(C, name='gravlet_set_G')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), value :: G
        end function

        integer(c_int) function c_set_softening(solver, length) bind(C, name='gravlet_set_softening')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), value :: length
        end function

        integer(c_int) function c_set_domain(solver, lower, upper) bind(C, name='gravlet_set_domain')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), intent(in) :: lower(3), upper(3)
        end function

        integer(c_int) function c_set_shear(solver, length) bind(C, name='gravlet_set_shear')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), value :: length
        end function

        integer(c_int) function c_only_changed(solver, count, flags) bind(C, name='gravlet_only_changed')
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: solver, flags
            integer(c_int64_t), value :: count
        end function

        integer(c_int) function c_drifted(solver, count, vx, vy, vz, time) bind(C, name='gravlet_drifted')
            import :: c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: solver, vx, vy, vz
            integer(c_int64_t), value :: count
            real(c_double), value :: time
        end function

        integer(c_int) function c_get_steering(solver, state) bind(C, name='gravlet_get_steering')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), intent(out) :: state(*)
        end function

        integer(c_int) function c_set_steering(solver, state) bind(C, name='gravlet_set_steering')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: solver
            real(c_double), intent(in) :: state(*)
        end function

        integer(c_int) function c_abandon(solver, message) bind(C, name='gravlet_abandon')
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: solver
            character(kind=c_char), intent(in) :: message(*)
        end function

        type(c_ptr) function c_error_message() bind(C, name='gravlet_error_message')
            import :: c_ptr
        end function

        integer(c_int) function c_prints_error() bind(C, name='gravlet_prints_error')
            import :: c_int
        end function

        integer(c_int) function c_fill_report(solver, report) bind(C, name='gravlet_fill_report')
            import :: c_int, c_ptr, c_report
            type(c_ptr), value :: solver
            type(c_report), intent(inout) :: report
        end function

        integer(c_int) function c_get_stage(solver, index, stage) bind(C, name='gravlet_get_stage')
            import :: c_int, c_int32_t, c_ptr, c_stage_time
            type(c_ptr), value :: solver
            integer(c_int32_t), value :: index
            type(c_stage_time), intent(out) :: stage
        end function

        type(c_ptr) function c_get_warning(solver, index) bind(C, name='gravlet_get_warning')
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: solver
            integer(c_int32_t), value :: index
        end function

        type(c_ptr) function c_get_backend(solver) bind(C, name='gravlet_get_backend')
            import :: c_ptr
            type(c_ptr), value :: solver
        end function

        type(c_ptr) function c_report_text(solver) bind(C, name='gravlet_report_text')
            import :: c_ptr
            type(c_ptr), value :: solver
        end function

        type(c_ptr) function c_version() bind(C, name='gravlet_version')
            import :: c_ptr
        end function

        type(c_ptr) function c_backend_name(index) bind(C, name='gravlet_backend_name')
            import :: c_int32_t, c_ptr
            integer(c_int32_t), value :: index
        end function

        integer(c_size_t) function c_strlen(text) bind(C, name='strlen')
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
        end function
        integer(c_int) function c_set_option(options, name, value) bind(C, name='gravlet_set_option')
            import :: c_char, c_int, c_options, c_ptr
            type(c_options), intent(inout) :: options
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: value
        end function

        integer(c_int) function c_get_option(options, name, value, size) bind(C, name='gravlet_get_option')
            import :: c_char, c_int, c_options, c_size_t
            type(c_options), intent(in) :: options
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(inout) :: value(*)
            integer(c_size_t), value :: size
        end function

        integer(c_int32_t) function c_option_count() bind(C, name='gravlet_option_count')
            import :: c_int32_t
        end function

        integer(c_int) function c_get_option_info(index, info) bind(C, name='gravlet_get_option_info')
            import :: c_int, c_int32_t, c_option_info
            integer(c_int32_t), value :: index
            type(c_option_info), intent(out) :: info
        end function
    end interface

contains

    subroutine c_options_init(options)
        type(c_options), intent(out) :: options

        options%size = c_sizeof(options)
        call c_options_set_defaults(options)
    end subroutine

    integer(c_int) function c_create(comm, options, listener, solver)
        integer(c_int), value :: comm
        type(c_ptr), value :: options, listener
        type(c_ptr), intent(out) :: solver

        c_create = c_create_for(GRAVLET_VERSION_NUMBER, comm, options, listener, solver) ! a macro, as of version.h
    end function

    integer(c_int) function c_get_report(solver, report)
        type(c_ptr), value :: solver
        type(c_report), intent(out) :: report

        report%size = c_sizeof(report)
        c_get_report = c_fill_report(solver, report)
    end function

    ! Text from C; '' of a null pointer.
    function to_text(at) result(text)
        type(c_ptr), intent(in) :: at
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: i

        if (.not. c_associated(at)) then
            text = ''
            return
        end if
        call c_f_pointer(at, characters, [c_strlen(at)])
        allocate (character(len=size(characters)) :: text)
        do i = 1, size(characters)
            text(i:i) = characters(i)
        end do
    end function

    ! Text for C, without the blanks at its end.
    pure function to_c(text) result(characters)
        character(len=*), intent(in) :: text
        character(kind=c_char) :: characters(len_trim(text) + 1)
        integer :: i

        do i = 1, len_trim(text)
            characters(i) = text(i:i)
        end do
        characters(size(characters)) = c_null_char
    end function
    ! Local. What went wrong in this thread's last call that failed; '' if none has.
    function gravlet_last_error() result(text)
        character(len=:), allocatable :: text

        text = to_text(c_error_message())
    end function

    ! Ends a call: its code to the caller, or its message to error_unit if the caller asks for no status.
    subroutine finish(code, status)
        integer(c_int), intent(in) :: code
        integer, intent(out), optional :: status
        integer(c_int) :: prints

        if (present(status)) then
            status = int(code)
            return
        end if
        prints = c_prints_error()
        if (code /= GRAVLET_SUCCESS .and. prints /= 0) then
            write (error_unit, '(2a)') 'gravlet: ', gravlet_last_error()
            flush (error_unit)
        end if
    end subroutine

    ! Assigned in each procedure: gfortran 12 loses the length of an optional message that is handed on.
    function message_of(code) result(text)
        integer(c_int), intent(in) :: code
        character(len=:), allocatable :: text

        text = ''
        if (code /= GRAVLET_SUCCESS) text = gravlet_last_error()
    end function
end module gravlet_c
