! SPDX-License-Identifier: Apache-2.0
! gravlet for Fortran: gravity of the masses on all ranks of a communicator. What the calls do is told in full in the headers of
! include/gravlet (solver.hpp, cells.hpp, options.hpp, report.hpp); this module is made of gravlet.h.
!
!     use gravlet
!     type(gravlet_solver) :: solver
!     type(gravlet_options) :: options
!     character(len=:), allocatable :: message
!     options%theta = 0.8_c_double
!     call solver%create(MPI_COMM_WORLD, options, status, message)
!     call solver%solve_cells(x, y, z, dx, mass, potential, status=status, message=message)
!     call solver%destroy()
!
! Errors: every call ends with an optional `status` (GRAVLET_SUCCESS or another of the codes below) and an optional `message`
! ('' on success). Collective calls give the same on every rank, leave results alone if they fail, and the solver stays usable.
! A call that fails without a `status` writes its message to error_unit, on rank 0 if it is collective. Nothing stops the program.
! Messages count ranks, cells, points, blocks and directions from 0.
!
! Arrays: real(c_double), or real(c_float) all that belong together (a block's; cells'; points'), in any consistent units, owned by the caller, read and written during the call only. Blocks, and the
! components of gravlet_points, point to the caller's arrays: these need the attribute target (or pointer).
! A rank without cells, points or blocks passes arrays of size 0.
!
! One thread a rank may be inside the calls of one solver at a time (MPI_THREAD_FUNNELED is enough); a second one, and any call of
! the solver's own listener, gets GRAVLET_INVALID_INPUT on that rank alone, and the first goes on.
module gravlet
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_float, c_int, c_int32_t, c_int64_t, c_int8_t, &
        c_intptr_t, c_loc, c_null_ptr, c_ptr
    use gravlet_c, only: c_abandon, c_backend_name, c_cells, c_create, c_destroy, c_fields, c_get_backend, c_get_report, &
        c_get_stage, c_get_warning, c_options, c_points, c_probes, c_report, c_report_text, c_solve_blocks, c_solve_cells, &
        c_solve_points, c_stage_time, c_version, finish, gravlet_error_statistics, gravlet_last_error, &
        gravlet_tolerance_report, message_of, to_c, to_text, c_get_steering, &
        c_set_G, c_set_softening, c_set_domain, c_set_shear, c_only_changed, c_drifted, c_set_steering, GRAVLET_STEERING_SIZE
    ! [generated: codes] scripts/generate, api/schema
    use gravlet_c, only: GRAVLET_SUCCESS, GRAVLET_INVALID_OPTION, GRAVLET_INVALID_INPUT, GRAVLET_OUT_OF_MEMORY, &
        GRAVLET_NOT_AVAILABLE, GRAVLET_COMMUNICATION, GRAVLET_FILE, GRAVLET_INTERNAL, GRAVLET_CANCELLED
    ! [/generated]
    use gravlet_settings
    use gravlet_listening, only: gravlet_listener, lend_listener, lent_listener
    implicit none
    private

    public :: gravlet_options, gravlet_block, gravlet_points, gravlet_points_float, gravlet_solver
    public :: gravlet_report, gravlet_stage_time, gravlet_error_statistics, gravlet_tolerance_report
    public :: gravlet_listener
    public :: gravlet_default_options, gravlet_option_info, gravlet_option_list
    public :: gravlet_make_block, gravlet_block_with_guards
    ! [generated: public] scripts/generate, api/schema
    public :: GRAVLET_SUCCESS, GRAVLET_INVALID_OPTION, GRAVLET_INVALID_INPUT, GRAVLET_OUT_OF_MEMORY, GRAVLET_NOT_AVAILABLE, &
        GRAVLET_COMMUNICATION, GRAVLET_FILE, GRAVLET_INTERNAL, GRAVLET_CANCELLED, GRAVLET_BACKEND_AUTOMATIC, &
        GRAVLET_BACKEND_CPU, GRAVLET_BACKEND_GPU, GRAVLET_SHARING_AUTOMATIC, GRAVLET_SHARING_SHARE, GRAVLET_SHARING_GATHER, &
        GRAVLET_ISOLATED, GRAVLET_PERIODIC, GRAVLET_MIRROR_LOWER, GRAVLET_MIRROR_UPPER, GRAVLET_PERIODIC_IMAGES, &
        GRAVLET_PERIODIC_TABLE, GRAVLET_BACKGROUND_AUTOMATIC, GRAVLET_BACKGROUND_KEEP, GRAVLET_BACKGROUND_CONTRAST, &
        GRAVLET_SOFTENING_PLUMMER, GRAVLET_SOFTENING_SPLINE, GRAVLET_CRITERION_AUTOMATIC, GRAVLET_CRITERION_OPENING, &
        GRAVLET_CRITERION_ACCELERATION, GRAVLET_CRITERION_MULTIPOLE, GRAVLET_NEAR_CELLS_POINT, GRAVLET_NEAR_CELLS_CUBOID, &
        GRAVLET_UNIFORM_MESH_AUTOMATIC, GRAVLET_UNIFORM_MESH_TREE, GRAVLET_UNIFORM_MESH_CONVOLUTION, GRAVLET_ACTIVE_BITS_ANY, &
        GRAVLET_ACTIVE_BITS_SAME, GRAVLET_PRECISION_SINGLE, GRAVLET_PRECISION_DOUBLE, GRAVLET_ERROR_OF_AUTOMATIC, &
        GRAVLET_ERROR_OF_POTENTIAL, GRAVLET_ERROR_OF_ACCELERATION, GRAVLET_ERROR_P99, GRAVLET_ERROR_P999, GRAVLET_ERROR_P9999, &
        GRAVLET_ERROR_RMS, GRAVLET_AUTOMATIC
    ! [/generated]
    public :: gravlet_version, gravlet_backend_name, gravlet_last_error, GRAVLET_STEERING_SIZE

    ! A box of n(1) * n(2) * n(3) equal cells in the host's own arrays, made by gravlet_make_block(); the struct of gravlet.h.
    ! [generated: block] scripts/generate, api/schema
    type, bind(C) :: gravlet_block
        real(c_double) :: lower(3) = 0.0_c_double ! lower corner of the interior
        real(c_double) :: cell_size(3) = 0.0_c_double
        integer(c_int32_t) :: n(3) = 0_c_int32_t ! interior cells
        integer(c_int32_t) :: inactive = 0_c_int32_t ! not 0: its cells are sources only
        integer(c_intptr_t) :: stride(3) = 0_c_intptr_t
        type(c_ptr) :: density = c_null_ptr
        type(c_ptr) :: potential = c_null_ptr ! -G sum m/r
        type(c_ptr) :: acceleration(3) = c_null_ptr ! -grad potential; all three or none
        integer(c_intptr_t) :: result_stride(3) = 0_c_intptr_t ! of the results, if it is another one; all 0: as stride
        type(c_ptr) :: tidal(6) = c_null_ptr ! derivative j of acceleration i, but for a cell's own mass; all six or none
        integer(c_int32_t) :: result_guards(3) = 0_c_int32_t ! layers of guard cells that get results too, a direction (cells.hpp)
        integer(c_int32_t) :: floats = 0_c_int32_t ! GRAVLET_FLOAT_MASSES and GRAVLET_FLOAT_RESULTS, added up
        type(c_ptr) :: face_acceleration(3) = c_null_ptr ! along the axis, at x-, y-, z-faces (cells.hpp); each may be NULL
        integer(c_intptr_t) :: face_stride(3, 3) = 0_c_intptr_t ! of each; all 0: of an array of the faces alone, x fastest
    end type
    ! [/generated]

    ! Masses without size (sink particles), n of them on this rank, anywhere in space: gravlet_points, or gravlet_points_float of
    ! arrays of real(c_float). Point the components to the host's arrays, n elements each. They may be strided, such as
    ! particles(POSX, 1:n); those are copied for the solve, and results back. As the argument `probes` of a solve: places without
    ! mass at which the field is wanted (cells.hpp); mass, active and softening are left null.
    type, abstract :: gravlet_any_points
    end type

#define REAL_KIND c_double
#define POINTS_TYPE gravlet_points
#define COPY_TYPE copy_double
#include "real_types.inc"
#undef REAL_KIND
#undef POINTS_TYPE
#undef COPY_TYPE
#define REAL_KIND c_float
#define POINTS_TYPE gravlet_points_float
#define COPY_TYPE copy_float
#include "real_types.inc"
#undef REAL_KIND
#undef POINTS_TYPE
#undef COPY_TYPE

    ! Points as C takes them: the host's arrays, or copies of those that are not contiguous.
    type :: lent_points
        type(c_points) :: points
        type(c_fields) :: fields
        type(c_probes) :: probes ! the same places and results, if they are probes
        type(copy_double) :: doubles(15) ! x, y, z, mass, softening, then the results
        type(copy_float) :: floats(15)
        integer(c_int8_t), allocatable :: active(:), source_class(:)
    end type

    ! Seconds of one stage over the ranks.
    type :: gravlet_stage_time
        character(len=:), allocatable :: name
        real(c_double) :: max = 0.0_c_double, mean = 0.0_c_double
    end type

    ! Of the last solve that finished (report.hpp), the same on every rank but for `threads`.
    type :: gravlet_report
        ! [generated: report] scripts/generate, api/schema
        ! active cells and points of all ranks, other places in result_guards, faces, and probes
        integer(c_int64_t) :: targets = 0_c_int64_t
        integer(c_int64_t) :: sources = 0_c_int64_t ! cells and points that have mass
        integer :: ranks = 0
        integer :: threads = 0 ! OpenMP threads of the calling rank
        integer :: unchanged_ranks = 0 ! ranks whose bodies were where they had been: nothing was sorted, no tree built for them
        integer :: moved_ranks = 0 ! ranks whose points had moved and which kept order and tree (keep_moved), of those that solve
        ! nodes that went with their points and kept their moments (Solver::drifted)
        integer(c_int64_t) :: predicted_nodes = 0_c_int64_t
        ! how far points may be from where such a node has them, in its sides, at most on all ranks
        real(c_double) :: predicted_shift = 0.0_c_double
        character(len=:), allocatable :: backend
        ! what the caller should know, such as why the CPU was taken (gfortran 12 cannot copy deferred lengths)
        character(len=512), allocatable :: warnings(:)
        real(c_double) :: seconds = 0.0_c_double ! the solve, slowest rank
        type(gravlet_stage_time), allocatable :: stages(:)
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
        type(gravlet_tolerance_report) :: tolerance ! how the tolerance was kept, if tolerance > 0
        ! |sum m a| over sum m |a|: what the tree's errors leave of Newton's third law. If accelerations were asked for, all
        ! bodies were active, and no direction is periodic. -1: not given.
        real(c_double) :: net_force = -1.0_c_double
        ! |sum m x cross a| over sum m |a| |x|, x from the centre of mass; given where net_force is. -1: not given.
        real(c_double) :: net_torque = -1.0_c_double
        real(c_double) :: background = 0.0_c_double ! density that was taken off all cells (background); 0: none
        ! The shortest sqrt(h/|a|) of all active targets, h the shortest side of a cell, or the softening length of a point: what
        ! a host takes its part of. If accelerations were asked for, and something with a length is pulled. (Not of guard cells
        ! and probes.) -1: not given.
        real(c_double) :: time_step = -1.0_c_double
        ! [/generated]
    end type

    ! Create once, solve thousands of times on a mesh that changes. Not to be copied by assignment: both would own one solver.
    type :: gravlet_solver
        private
        type(c_ptr) :: handle = c_null_ptr
        type(lent_listener), pointer :: heard => null()
    contains
        procedure :: create
        procedure :: destroy
        procedure, private :: solve_cells_double, solve_cells_float
        generic :: solve_cells => solve_cells_double, solve_cells_float ! cells in arrays of either kind
        procedure :: solve_blocks
        procedure :: solve_points
        procedure :: set_G
        procedure :: set_softening
        procedure :: set_domain
        procedure :: set_shear
        procedure :: only_changed
        procedure :: drifted
        procedure :: get_steering
        procedure :: set_steering
        procedure :: abandon
        procedure :: get_report
        procedure :: report_text
        procedure :: is_created
        final :: finalize
    end type

    ! What gravlet_make_block() finds wrong, plus the number of the array (names_of_results), is kept as a negative n(1) until the
    ! solve, which tells all ranks: a function of one rank alone could not.
    integer, parameter :: other_shape = 100, other_strides = 200, too_few_guards = 300, other_faces = 400
    ! [generated: results] scripts/generate, api/schema
    character(len=*), parameter :: names_of_results(13) = &
        [character(len=19) :: 'potential', 'acceleration_x', 'acceleration_y', 'acceleration_z', 'tidal_xx', 'tidal_xy', &
        'tidal_xz', 'tidal_yy', 'tidal_yz', 'tidal_zz', 'face_acceleration_x', 'face_acceleration_y', 'face_acceleration_z']
    ! [/generated]

    ! What is called with arrays of real(c_double) or real(c_float), all of a call alike (real_arrays.inc).
    interface gravlet_make_block
        module procedure make_block_double, make_block_float
    end interface
    interface gravlet_block_with_guards
        module procedure block_with_guards_double, block_with_guards_float
    end interface
    interface lend_points
        module procedure lend_points_double, lend_points_float
    end interface
    interface lend_array
        module procedure lend_array_double, lend_array_float
    end interface
    interface take_back
        module procedure take_back_double, take_back_float
    end interface
    interface take_back_points
        module procedure take_back_points_double, take_back_points_float
    end interface
    interface size_of
        module procedure size_of_double, size_of_float
    end interface
    interface count_of
        module procedure count_of_double, count_of_float
    end interface
    interface strides_of
        module procedure strides_of_double, strides_of_float
    end interface
    interface address_of
        module procedure address_of_double, address_of_float
    end interface

contains

    ! Collective over `comm`, a communicator of mpif.h or of the module mpi (of mpi_f08: comm%MPI_VAL), which is duplicated.
    ! options: the defaults if absent. GRAVLET_INVALID_OPTION if one is out of range or differs between ranks,
    ! GRAVLET_NOT_AVAILABLE if the backend is not there. What the solver was before is destroyed first. listener: what hears of
    ! this and of the solves; a variable with the attribute target that lives as long as the solver.
    subroutine create(self, comm, options, status, message, listener)
        class(gravlet_solver), intent(inout) :: self
        integer, intent(in) :: comm
        type(gravlet_options), intent(in), optional :: options
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        class(gravlet_listener), intent(inout), target, optional :: listener
        type(c_options), target :: c
        type(c_text), target :: paths(path_count)
        type(c_ptr) :: c_at, listener_at
        integer(c_int) :: code

        code = release(self)
        if (code /= GRAVLET_SUCCESS) then
            if (present(message)) message = message_of(code)
            call finish(code, status)
            return
        end if
        c_at = c_null_ptr
        if (present(options)) then
            call options%to_c(c, paths)
            c_at = c_loc(c)
        end if
        listener_at = c_null_ptr
        if (present(listener)) then
            allocate (self%heard)
            listener_at = lend_listener(listener, self%heard)
        end if
        code = c_create(int(comm, c_int), c_at, listener_at, self%handle)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective while MPI runs; allowed after MPI_Finalize. Nothing happens if the solver is destroyed already. A solver that
    ! goes out of scope is destroyed as well.
    subroutine destroy(self, status, message)
        class(gravlet_solver), intent(inout) :: self
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = release(self)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    impure elemental subroutine finalize(self)
        type(gravlet_solver), intent(inout) :: self
        integer(c_int) :: code

        code = release(self)
    end subroutine

    integer(c_int) function release(self)
        class(gravlet_solver), intent(inout) :: self

        release = c_destroy(self%handle)
        if (release == GRAVLET_SUCCESS .and. associated(self%heard)) deallocate (self%heard)
    end function

    ! Collective. The blocks of this rank (0 or more), and points and probes if given. Errors as of solve_cells(); a cell is named by its
    ! block and (i, j, k).
    subroutine solve_blocks(self, blocks, points, status, message, probes)
        class(gravlet_solver), intent(in) :: self
        type(gravlet_block), intent(in), target, contiguous :: blocks(:)
        class(gravlet_any_points), intent(in), optional :: points
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        class(gravlet_any_points), intent(in), optional :: probes
        type(lent_points), target :: lent, lent_places
        character(len=:), allocatable :: wrong
        type(c_ptr) :: blocks_at
        integer(c_int) :: code
        integer(c_int64_t) :: b

        wrong = ''
        do b = 1, size(blocks, kind=c_int64_t)
            if (wrong == '') wrong = fault_of(blocks(b), b - 1_c_int64_t)
        end do
        call lend_any_points(points, 'points', lent, wrong)
        call lend_any_points(probes, 'probes', lent_places, wrong)

        blocks_at = c_null_ptr
        if (size(blocks) > 0) blocks_at = c_loc(blocks)
        if (wrong == '') then
            code = c_solve_blocks(self%handle, size(blocks, kind=c_int64_t), blocks_at, c_loc(lent%points), c_loc(lent%fields), &
                lent_places%probes)
            call take_back_any_points(points, lent)
            call take_back_any_points(probes, lent_places)
        else
            code = c_abandon(self%handle, to_c(wrong))
        end if
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. Points, and probes if given.
    subroutine solve_points(self, points, status, message, probes)
        class(gravlet_solver), intent(in) :: self
        class(gravlet_any_points), intent(in) :: points
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        class(gravlet_any_points), intent(in), optional :: probes
        type(lent_points), target :: lent, lent_places
        character(len=:), allocatable :: wrong
        integer(c_int) :: code

        wrong = ''
        call lend_any_points(points, 'points', lent, wrong)
        call lend_any_points(probes, 'probes', lent_places, wrong)
        if (wrong == '') then
            code = c_solve_points(self%handle, lent%points, lent%fields, lent_places%probes)
            call take_back_any_points(points, lent)
            call take_back_any_points(probes, lent_places)
        else
            code = c_abandon(self%handle, to_c(wrong))
        end if
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. options%G of the solves that follow, as a comoving factor changes with time; trees are kept. Where it is refused it
    ! is what it was.
    subroutine set_G(self, G, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in) :: G
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_set_G(self%handle, G)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. options%softening of the solves that follow; trees are built anew. Where it is refused it is what it was.
    subroutine set_softening(self, length, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in) :: length
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_set_softening(self%handle, length)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. options%domain_lower and domain_upper of the solves that follow; trees are built anew. Where they are refused they are
    ! what they were.
    subroutine set_domain(self, lower, upper, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in) :: lower(3), upper(3)
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_set_domain(self%handle, lower, upper)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. options%shear of the solves that follow; trees are built anew. Where it is refused it is what it was.
    subroutine set_shear(self, length, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in) :: length
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_set_shear(self%handle, length)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Local. What the next solve will find changed of this rank's bodies since the last one: those whose flag is not 0, one flag a
    ! block or a cell and then one a point; or none of them, without flags. Of all others nothing has changed, and they need not be
    ! looked at (only_changed() of solver.hpp). Holds for one solve.
    subroutine only_changed(self, flags, status, message)
        class(gravlet_solver), intent(in) :: self
        integer(c_int8_t), intent(in), optional :: flags(:)
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int8_t), allocatable, target :: copy(:)
        integer(c_int) :: code

        allocate(copy(0))
        if (present(flags)) copy = flags
        code = c_only_changed(self%handle, size(copy, kind=c_int64_t), c_loc(copy))
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Local. The next solve's points have come from where they were in the last one evenly, each by its velocity, for this time;
    ! the arrays are read in that solve, and must be there until it ends. Of points that were not active in the last solve
    ! velocities are those that were given with it (drifted() of solver.hpp). Holds for one solve; acts with keep_moved.
    subroutine drifted(self, vx, vy, vz, time, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in), target, contiguous :: vx(:), vy(:), vz(:)
        real(c_double), intent(in) :: time
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code
        integer(c_int64_t) :: n

        n = size(vx, kind=c_int64_t)
        if (size(vy, kind=c_int64_t) /= n .or. size(vz, kind=c_int64_t) /= n) n = -1  ! refused
        code = c_drifted(self%handle, n, c_loc(vx), c_loc(vy), c_loc(vz), time)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. What options%tolerance has learned so far, for a checkpoint, and back into a solver of the same options, which goes
    ! on from there to the bit. The same on every rank; of this version of gravlet alone.
    subroutine get_steering(self, state, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(out) :: state(GRAVLET_STEERING_SIZE)
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        state = 0
        code = c_get_steering(self%handle, state)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    subroutine set_steering(self, state, status, message)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in) :: state(GRAVLET_STEERING_SIZE)
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_set_steering(self%handle, state)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective: takes the place of a solve on a rank that cannot bring its bodies, while the others solve. All ranks get
    ! GRAVLET_INVALID_INPUT and this reason.
    subroutine abandon(self, reason, status, message)
        class(gravlet_solver), intent(in) :: self
        character(len=*), intent(in) :: reason
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        integer(c_int) :: code

        code = c_abandon(self%handle, to_c(reason))
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Local. Of the last solve that finished.
    subroutine get_report(self, report, status, message)
        class(gravlet_solver), intent(in) :: self
        type(gravlet_report), intent(out) :: report
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        type(c_report) :: c
        type(c_stage_time) :: stage
        integer(c_int) :: code
        integer(c_int32_t) :: i

        code = c_get_report(self%handle, c)
        if (code /= GRAVLET_SUCCESS) then
            report%backend = ''
            allocate (report%stages(0))
            allocate (report%warnings(0))
            if (present(message)) message = message_of(code)
            call finish(code, status)
            return
        end if
        report%backend = to_text(c_get_backend(self%handle))
        ! [generated: copy] scripts/generate, api/schema
        report%targets = c%targets
        report%sources = c%sources
        report%ranks = int(c%ranks)
        report%threads = int(c%threads)
        report%unchanged_ranks = int(c%unchanged_ranks)
        report%moved_ranks = int(c%moved_ranks)
        report%predicted_nodes = c%predicted_nodes
        report%predicted_shift = c%predicted_shift
        report%seconds = c%seconds
        report%node_interactions = c%node_interactions
        report%cell_interactions = c%cell_interactions
        report%far_interactions = c%far_interactions
        report%coincident_pairs = c%coincident_pairs
        report%bytes_sent = c%bytes_sent
        report%nodes_imported = c%nodes_imported
        report%cells_imported = c%cells_imported
        report%peak_bytes = c%peak_bytes
        report%potential_error = c%potential_error
        report%acceleration_error = c%acceleration_error
        report%tidal_error = c%tidal_error
        report%tolerance = c%tolerance
        report%net_force = c%net_force
        report%net_torque = c%net_torque
        report%background = c%background
        report%time_step = c%time_step
        ! [/generated]

        allocate (report%warnings(c%warnings))
        do i = 1, c%warnings
            report%warnings(i) = to_text(c_get_warning(self%handle, i - 1_c_int32_t))
        end do
        allocate (report%stages(c%stages))
        do i = 1, c%stages
            code = c_get_stage(self%handle, i - 1_c_int32_t, stage)
            if (code /= GRAVLET_SUCCESS) exit
            report%stages(i)%name = to_text(stage%name)
            report%stages(i)%max = stage%max
            report%stages(i)%mean = stage%mean
        end do
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Local. The report as a table for people, with its line ends.
    function report_text(self) result(text)
        class(gravlet_solver), intent(in) :: self
        character(len=:), allocatable :: text

        text = to_text(c_report_text(self%handle))
    end function

    ! Local.
    logical function is_created(self)
        class(gravlet_solver), intent(in) :: self

        is_created = c_associated(self%handle)
    end function

    ! Local. "major.minor.patch"
    function gravlet_version() result(text)
        character(len=:), allocatable :: text

        text = to_text(c_version())
    end function

    ! Local. Backend number `index`, from 1, of those that this build has and this machine can run: GPUs first, the last is the
    ! CPU. '' if there is none.
    function gravlet_backend_name(index) result(text)
        integer, intent(in) :: index
        character(len=:), allocatable :: text

        text = to_text(c_backend_name(int(index - 1, c_int32_t)))
    end function

    ! Says in `wrong`, if nothing is there yet, that an array has not the size of x.
    subroutine expect(name, length, n, wrong)
        character(len=*), intent(in) :: name
        integer(c_int64_t), intent(in) :: length, n
        character(len=:), allocatable, intent(inout) :: wrong

        if (length == n .or. wrong /= '') return
        wrong = name // ' has ' // decimal(length) // ' elements, but x has ' // decimal(n)
    end subroutine

    ! What gravlet_make_block() left in a block's n(1), or ''.
    function fault_of(block, index) result(wrong)
        type(gravlet_block), intent(in) :: block
        integer(c_int64_t), intent(in) :: index
        character(len=:), allocatable :: wrong
        integer :: number

        wrong = ''
        number = mod(-int(block%n(1)), 100)
        if (number < 1 .or. number > size(names_of_results)) return
        select case (-int(block%n(1)) - number)
        case (other_shape)
            wrong = 'block ' // decimal(index) // ': ' // trim(names_of_results(number)) // ' has another shape than density'
        case (other_strides)
            wrong = 'block ' // decimal(index) // ': ' // trim(names_of_results(number)) // &
                ' has other strides than the results before it'
        case (too_few_guards)
            wrong = 'block ' // decimal(index) // ': more result_guards than its arrays have guard cells'
        case (other_faces)
            wrong = 'block ' // decimal(index) // ': ' // trim(names_of_results(number)) // &
                ' has not the shape of density and one more along its axis'
        end select
    end function

    function lend_flags(array, copy) result(at)
        integer(c_int8_t), intent(in), target, optional :: array(:)
        integer(c_int8_t), allocatable, target, intent(inout) :: copy(:)
        type(c_ptr) :: at

        at = c_null_ptr
        if (.not. present(array)) return
        if (size(array, kind=c_int64_t) == 0) return
        if (is_contiguous(array)) then
            at = c_loc(array(1))
        else
            allocate (copy(size(array, kind=c_int64_t)), source=array)
            at = c_loc(copy(1))
        end if
    end function

    ! None if absent.
    subroutine lend_any_points(points, whose, lent, wrong)
        class(gravlet_any_points), intent(in), optional :: points
        character(len=*), intent(in) :: whose
        type(lent_points), intent(inout), target :: lent
        character(len=:), allocatable, intent(inout) :: wrong

        if (.not. present(points)) return
        select type (points)
        type is (gravlet_points)
            call lend_points(points, whose, lent, wrong)
        type is (gravlet_points_float)
            call lend_points(points, whose, lent, wrong)
        end select
        lent%probes = c_probes(lent%points%count, lent%points%x, lent%points%y, lent%points%z, lent%fields%potential, &
            lent%fields%acceleration, lent%fields%tidal, lent%points%floats)
    end subroutine

    subroutine take_back_any_points(points, lent)
        class(gravlet_any_points), intent(in), optional :: points
        type(lent_points), intent(in) :: lent

        if (.not. present(points)) return
        select type (points)
        type is (gravlet_points)
            call take_back_points(points, lent)
        type is (gravlet_points_float)
            call take_back_points(points, lent)
        end select
    end subroutine

    pure function decimal(number) result(text)
        integer(c_int64_t), intent(in) :: number
        character(len=:), allocatable :: text
        character(len=24) :: buffer

        write (buffer, '(i0)') number
        text = trim(buffer)
    end function
#define REAL_KIND c_double
#define FLOATS 0_c_int32_t
#define POINTS_TYPE gravlet_points
#define COPY_TYPE copy_double
#define COPIES doubles
#define MAKE_BLOCK make_block_double
#define BLOCK_WITH_GUARDS block_with_guards_double
#define SOLVE_CELLS solve_cells_double
#define LEND_POINTS lend_points_double
#define LEND_ARRAY lend_array_double
#define TAKE_BACK take_back_double
#define TAKE_BACK_POINTS take_back_points_double
#define SIZE_OF size_of_double
#define COUNT_OF count_of_double
#define FIRST first_of_doubles
#define STRIDES_OF strides_of_double
#define ADDRESS_OF address_of_double
#include "real_arrays.inc"
#undef REAL_KIND
#undef FLOATS
#undef POINTS_TYPE
#undef COPY_TYPE
#undef COPIES
#undef MAKE_BLOCK
#undef BLOCK_WITH_GUARDS
#undef SOLVE_CELLS
#undef LEND_POINTS
#undef LEND_ARRAY
#undef TAKE_BACK
#undef TAKE_BACK_POINTS
#undef SIZE_OF
#undef COUNT_OF
#undef FIRST
#undef STRIDES_OF
#undef ADDRESS_OF

#define REAL_KIND c_float
#define FLOATS 7_c_int32_t
#define POINTS_TYPE gravlet_points_float
#define COPY_TYPE copy_float
#define COPIES floats
#define MAKE_BLOCK make_block_float
#define BLOCK_WITH_GUARDS block_with_guards_float
#define SOLVE_CELLS solve_cells_float
#define LEND_POINTS lend_points_float
#define LEND_ARRAY lend_array_float
#define TAKE_BACK take_back_float
#define TAKE_BACK_POINTS take_back_points_float
#define SIZE_OF size_of_float
#define COUNT_OF count_of_float
#define FIRST first_of_floats
#define STRIDES_OF strides_of_float
#define ADDRESS_OF address_of_float
#include "real_arrays.inc"
#undef REAL_KIND
#undef FLOATS
#undef POINTS_TYPE
#undef COPY_TYPE
#undef COPIES
#undef MAKE_BLOCK
#undef BLOCK_WITH_GUARDS
#undef SOLVE_CELLS
#undef LEND_POINTS
#undef LEND_ARRAY
#undef TAKE_BACK
#undef TAKE_BACK_POINTS
#undef SIZE_OF
#undef COUNT_OF
#undef FIRST
#undef STRIDES_OF
#undef ADDRESS_OF
end module gravlet
