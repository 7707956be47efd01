! SPDX-License-Identifier: Apache-2.0
! gravlet for Fortran: gravity of the masses on all ranks of a communicator. What the calls do is told in full in the headers of
! include/gravlet (solver.hpp, cells.hpp, options.hpp, report.hpp); this module is made of gravlet.h.
!
!     use gravlet
!     type(gravlet_solver) :: solver
!     type(gravlet_options) :: options
!     options = gravlet_default_options()
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
! Arrays: real(c_double), in any consistent units, owned by the caller, read and written during the call only. Blocks, and the
! components of gravlet_points, point to the caller's arrays: these need the attribute target (or pointer).
! A rank without cells, points or blocks passes arrays of size 0.
!
! One thread a rank may be inside the calls of one solver at a time (MPI_THREAD_FUNNELED is enough).
module gravlet
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_int, c_int32_t, c_int64_t, c_int8_t, c_intptr_t, &
        c_loc, c_null_ptr, c_ptr
    use gravlet_c, only: c_abandon, c_backend_name, c_cells, c_create, c_destroy, c_fields, c_get_backend, c_get_report, &
        c_get_stage, c_get_warning, c_options, c_points, c_report, c_report_text, c_solve_blocks, c_solve_cells, c_solve_points, &
        c_stage_time, c_version, finish, gravlet_error_statistics, gravlet_last_error, gravlet_tolerance_report, message_of, &
        to_c, to_text, GRAVLET_SUCCESS, GRAVLET_INVALID_OPTION, GRAVLET_INVALID_INPUT, GRAVLET_OUT_OF_MEMORY, &
        GRAVLET_NOT_AVAILABLE, GRAVLET_COMMUNICATION, GRAVLET_FILE, GRAVLET_INTERNAL
    use gravlet_settings
    implicit none
    private

    public :: gravlet_options, gravlet_block, gravlet_points, gravlet_solver
    public :: gravlet_report, gravlet_stage_time, gravlet_error_statistics, gravlet_tolerance_report
    public :: gravlet_default_options, gravlet_option_info, gravlet_option_list
    public :: gravlet_make_block, gravlet_block_with_guards
    public :: GRAVLET_SUCCESS, GRAVLET_INVALID_OPTION, GRAVLET_INVALID_INPUT, GRAVLET_OUT_OF_MEMORY, GRAVLET_NOT_AVAILABLE
    public :: GRAVLET_COMMUNICATION, GRAVLET_FILE, GRAVLET_INTERNAL
    public :: GRAVLET_BACKEND_AUTOMATIC, GRAVLET_BACKEND_CPU, GRAVLET_BACKEND_GPU, GRAVLET_SHARING_AUTOMATIC
    public :: GRAVLET_SHARING_SHARE, GRAVLET_SHARING_GATHER, GRAVLET_ISOLATED, GRAVLET_PERIODIC, GRAVLET_PERIODIC_IMAGES
    public :: GRAVLET_PERIODIC_TABLE, GRAVLET_SOFTENING_PLUMMER, GRAVLET_SOFTENING_SPLINE, GRAVLET_CRITERION_AUTOMATIC
    public :: GRAVLET_CRITERION_OPENING, GRAVLET_CRITERION_ACCELERATION, GRAVLET_CRITERION_MULTIPOLE
    public :: GRAVLET_ERROR_OF_AUTOMATIC, GRAVLET_ERROR_OF_POTENTIAL, GRAVLET_ERROR_OF_ACCELERATION, GRAVLET_ERROR_P99
    public :: GRAVLET_ERROR_P999, GRAVLET_ERROR_P9999, GRAVLET_ERROR_RMS, GRAVLET_AUTOMATIC
    public :: gravlet_version, gravlet_backend_name, gravlet_last_error

    ! A box of n(1) * n(2) * n(3) equal cells in the host's own arrays, made by gravlet_make_block(); the struct of gravlet.h.
    type, bind(C) :: gravlet_block
        real(c_double) :: lower(3) = 0.0_c_double
        real(c_double) :: cell_size(3) = 0.0_c_double
        integer(c_int32_t) :: n(3) = 0_c_int32_t
        integer(c_int32_t) :: inactive = 0_c_int32_t  ! not 0: its cells are sources only
        integer(c_intptr_t) :: stride(3) = 0_c_intptr_t ! in elements
        type(c_ptr) :: density = c_null_ptr           ! the first interior cell, as all pointers here
        type(c_ptr) :: potential = c_null_ptr
        type(c_ptr) :: acceleration(3) = c_null_ptr
        integer(c_intptr_t) :: result_stride(3) = 0_c_intptr_t ! of the results
        type(c_ptr) :: tidal(6) = c_null_ptr
        integer(c_int32_t) :: result_guards(3) = 0_c_int32_t   ! layers of guard cells that get results too, a direction
        type(c_ptr) :: face_acceleration(3) = c_null_ptr       ! along the axis, at x-, y-, z-faces
        integer(c_intptr_t) :: face_stride(3, 3) = 0_c_intptr_t ! (:, direction)
    end type

    ! Masses without size (sink particles), n of them on this rank, anywhere in space. Point the components to the host's arrays,
    ! n elements each. They may be strided, such as particles(POSX, 1:n); those are copied for the solve, and results back.
    type :: gravlet_points
        real(c_double), pointer :: x(:) => null(), y(:) => null(), z(:) => null()
        real(c_double), pointer :: mass(:) => null()         ! >= 0
        integer(c_int8_t), pointer :: active(:) => null()    ! null: all. 0: a source only, whose results are left alone
        real(c_double), pointer :: softening(:) => null()    ! lengths; null: the option's, for all
        real(c_double), pointer :: potential(:) => null()    ! result; null: not wanted
        real(c_double), pointer :: acceleration_x(:) => null(), acceleration_y(:) => null() ! all three or none
        real(c_double), pointer :: acceleration_z(:) => null()
        real(c_double), pointer :: tidal_xx(:) => null(), tidal_xy(:) => null(), tidal_xz(:) => null() ! all six or none
        real(c_double), pointer :: tidal_yy(:) => null(), tidal_yz(:) => null(), tidal_zz(:) => null()
    end type

    ! Seconds of one stage over the ranks.
    type :: gravlet_stage_time
        character(len=:), allocatable :: name
        real(c_double) :: max = 0.0_c_double, mean = 0.0_c_double
    end type

    ! Of the last solve that finished (report.hpp), the same on every rank but for `threads`.
    type :: gravlet_report
        integer(c_int64_t) :: targets = 0, sources = 0
        integer :: ranks = 0, threads = 0, unchanged_ranks = 0, moved_ranks = 0
        character(len=:), allocatable :: backend
        character(len=512), allocatable :: warnings(:) ! (gfortran 12 cannot copy arrays of deferred length)
        real(c_double) :: seconds = 0.0_c_double
        type(gravlet_stage_time), allocatable :: stage(:)
        integer(c_int64_t) :: node_interactions = 0, cell_interactions = 0, far_interactions = 0, coincident_pairs = 0
        integer(c_int64_t) :: bytes_sent = 0, nodes_imported = 0, cells_imported = 0, peak_bytes = 0
        type(gravlet_error_statistics) :: potential_error, acceleration_error, tidal_error
        real(c_double) :: net_force = -1.0_c_double, net_torque = -1.0_c_double ! -1: not given
        type(gravlet_tolerance_report) :: tolerance
    end type

    ! Create once, solve thousands of times on a mesh that changes. Not to be copied by assignment: both would own one solver.
    type :: gravlet_solver
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure :: create
        procedure :: destroy
        procedure :: solve_cells
        procedure :: solve_blocks
        procedure :: solve_points
        procedure :: abandon
        procedure :: get_report
        procedure :: report_text
        procedure :: is_created
        final :: finalize
    end type

    ! Points as C takes them: the host's arrays, or copies of those that are not contiguous.
    type :: array_copy
        real(c_double), allocatable :: values(:)
    end type

    type :: lent_points
        type(c_points) :: points
        type(c_fields) :: fields
        type(array_copy) :: copies(15) ! x, y, z, mass, softening, then the results
        integer(c_int8_t), allocatable :: active(:)
    end type

    ! What gravlet_make_block() finds wrong, plus the number of the array (names_of_results), is kept as a negative n(1) until the
    ! solve, which tells all ranks: a function of one rank alone could not.
    integer, parameter :: other_shape = 100, other_strides = 200, too_few_guards = 300, other_faces = 400
    character(len=*), parameter :: names_of_results(13) = &
        [character(len=19) :: 'potential', 'acceleration_x', 'acceleration_y', 'acceleration_z', &
        'tidal_xx', 'tidal_xy', 'tidal_xz', 'tidal_yy', 'tidal_yz', 'tidal_zz', &
        'face_acceleration_x', 'face_acceleration_y', 'face_acceleration_z']

contains

    ! The block of an AMR host's cells with its lower corner at `lower` and cells of sides `cell_size`. The arrays are the
    ! interior without guard cells, all of one shape, the results with the same strides, which may be any: sections such as
    ! unk(DENS, 5:12, 5:12, 5:12, block). They are not copied, and must live until the last solve with this block.
    ! density: mass per volume, >= 0. potential, acceleration (all three or none), the tidal tensor (all six or none; derivative y of
    ! acceleration_x is tidal_xy, but for a cell's own mass): results. active .false.: its cells are sources only. result_guards:
    ! layers of guard cells, a direction, that get results too (cells.hpp); the host's arrays have them around the sections.
    ! face_acceleration_x: the acceleration's x at x-faces, one more in x than cells, from the lower side of the first cell on; y
    ! and z likewise; each by itself, of any strides (cells.hpp). Local; what is wrong with a block is the error of the solve that
    ! it is passed to.
    function gravlet_make_block(lower, cell_size, density, potential, acceleration_x, acceleration_y, acceleration_z, active, &
            result_guards, tidal_xx, tidal_xy, tidal_xz, tidal_yy, tidal_yz, tidal_zz, face_acceleration_x, &
            face_acceleration_y, face_acceleration_z) result(block)
        real(c_double), intent(in) :: lower(3), cell_size(3)
        real(c_double), intent(in), target :: density(:, :, :)
        real(c_double), intent(inout), target, optional :: potential(:, :, :)
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: acceleration_x, acceleration_y, acceleration_z
        logical, intent(in), optional :: active
        integer, intent(in), optional :: result_guards(3)
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: tidal_xx, tidal_xy, tidal_xz, tidal_yy, tidal_yz
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: tidal_zz
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: face_acceleration_x, face_acceleration_y
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: face_acceleration_z
        type(gravlet_block) :: block
        logical :: given

        block%lower = lower
        block%cell_size = cell_size
        block%n = int(shape(density), c_int32_t)
        block%stride = strides_of(density)
        block%density = first_cell(density)
        block%potential = first_cell(potential)
        block%acceleration = [first_cell(acceleration_x), first_cell(acceleration_y), first_cell(acceleration_z)]
        block%tidal = [first_cell(tidal_xx), first_cell(tidal_xy), first_cell(tidal_xz), first_cell(tidal_yy), &
            first_cell(tidal_yz), first_cell(tidal_zz)]
        if (present(active)) block%inactive = merge(0_c_int32_t, 1_c_int32_t, active)
        if (present(result_guards)) block%result_guards = int(result_guards, c_int32_t)
        given = .false.
        call check(potential, 1)
        call check(acceleration_x, 2)
        call check(acceleration_y, 3)
        call check(acceleration_z, 4)
        call check(tidal_xx, 5)
        call check(tidal_xy, 6)
        call check(tidal_xz, 7)
        call check(tidal_yy, 8)
        call check(tidal_yz, 9)
        call check(tidal_zz, 10)
        call add_faces(face_acceleration_x, 1)
        call add_faces(face_acceleration_y, 2)
        call add_faces(face_acceleration_z, 3)

    contains

        subroutine check(array, number)
            real(c_double), intent(in), target, optional :: array(:, :, :)
            integer, intent(in) :: number

            if (.not. present(array) .or. block%n(1) < 0) return
            if (any(shape(array) /= shape(density))) then
                block%n(1) = -int(other_shape + number, c_int32_t)
            else if (.not. given) then
                block%result_stride = strides_of(array)
                given = .true.
            else if (any(strides_of(array) /= block%result_stride)) then
                block%n(1) = -int(other_strides + number, c_int32_t)
            end if
        end subroutine

        subroutine add_faces(array, axis)
            real(c_double), intent(in), target, optional :: array(:, :, :)
            integer, intent(in) :: axis
            integer :: faces(3)

            if (.not. present(array) .or. block%n(1) < 0) return
            faces = shape(density)
            faces(axis) = faces(axis) + 1
            if (any(shape(array) /= faces)) then
                block%n(1) = -int(other_faces + 10 + axis, c_int32_t)
                return
            end if
            block%face_acceleration(axis) = first_cell(array)
            block%face_stride(:, axis) = strides_of(array)
        end subroutine
    end function

    ! The same of whole arrays with `guards` guard cells on every side, of which result_guards at most that many.
    function gravlet_block_with_guards(lower, cell_size, guards, density, potential, acceleration_x, acceleration_y, &
            acceleration_z, active, result_guards, tidal_xx, tidal_xy, tidal_xz, tidal_yy, tidal_yz, tidal_zz) result(block)
        real(c_double), intent(in) :: lower(3), cell_size(3)
        integer, intent(in) :: guards
        real(c_double), intent(in), target :: density(:, :, :)
        real(c_double), intent(inout), target, optional :: potential(:, :, :)
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: acceleration_x, acceleration_y, acceleration_z
        logical, intent(in), optional :: active
        integer, intent(in), optional :: result_guards(3)
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: tidal_xx, tidal_xy, tidal_xz, tidal_yy, tidal_yz
        real(c_double), intent(inout), target, optional, dimension(:, :, :) :: tidal_zz
        type(gravlet_block) :: block

        ! A pointer that is null is an absent argument.
        block = gravlet_make_block(lower, cell_size, interior(density), interior(potential), interior(acceleration_x), &
            interior(acceleration_y), interior(acceleration_z), active, result_guards, interior(tidal_xx), interior(tidal_xy), &
            interior(tidal_xz), interior(tidal_yy), interior(tidal_yz), interior(tidal_zz))
        if (any(block%result_guards > guards) .and. block%n(1) > 0) block%n(1) = -int(too_few_guards + 1, c_int32_t)

    contains

        function interior(array) result(inside)
            real(c_double), intent(in), target, optional :: array(:, :, :)
            real(c_double), pointer :: inside(:, :, :)

            inside => null()
            if (present(array)) inside => array(1 + guards:size(array, 1) - guards, 1 + guards:size(array, 2) - guards, &
                1 + guards:size(array, 3) - guards)
        end function
    end function

    ! Collective over `comm`, a communicator of mpif.h or of the module mpi (of mpi_f08: comm%MPI_VAL), which is duplicated.
    ! options: the defaults if absent. GRAVLET_INVALID_OPTION if one is out of range or differs between ranks,
    ! GRAVLET_NOT_AVAILABLE if the backend is not there. What the solver was before is destroyed first.
    subroutine create(self, comm, options, status, message)
        class(gravlet_solver), intent(inout) :: self
        integer, intent(in) :: comm
        type(gravlet_options), intent(in), optional :: options
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        type(c_options), target :: c
        character(kind=c_char), allocatable, target :: cache(:)
        type(c_ptr) :: c_at
        integer(c_int) :: code

        code = c_destroy(self%handle)
        c_at = c_null_ptr
        if (present(options)) then
            call options%to_c(c, cache)
            c_at = c_loc(c)
        end if
        code = c_create(int(comm, c_int), c_at, self%handle)
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

        code = c_destroy(self%handle)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    impure elemental subroutine finalize(self)
        type(gravlet_solver), intent(inout) :: self
        integer(c_int) :: code

        code = c_destroy(self%handle)
    end subroutine

    ! Collective. The leaf cells of this rank, n of them, in any order, and points if given. All arrays have n elements.
    ! x, y, z: centres. dx: sides; of cubes, unless dy and dz are given. mass: >= 0; a cell without mass is a target only.
    ! potential, acceleration (all three or none), the tidal tensor (all six or none): results, of all targets or, if `active` is
    ! given, of those where it is not 0; the others are sources only. Arrays that are not contiguous are copied for the call.
    ! GRAVLET_INVALID_INPUT names the first cell that cannot be: NaN, infinite or negative mass; position or size not finite;
    ! size <= 0; outside the domain; two at one place; and arrays of different sizes.
    subroutine solve_cells(self, x, y, z, dx, mass, potential, acceleration_x, acceleration_y, acceleration_z, dy, dz, active, &
            points, status, message, tidal_xx, tidal_xy, tidal_xz, tidal_yy, tidal_yz, tidal_zz)
        class(gravlet_solver), intent(in) :: self
        real(c_double), intent(in), target :: x(:), y(:), z(:), dx(:), mass(:)
        real(c_double), intent(inout), target, optional :: potential(:)
        real(c_double), intent(inout), target, optional :: acceleration_x(:), acceleration_y(:), acceleration_z(:)
        real(c_double), intent(in), target, optional :: dy(:), dz(:)
        integer(c_int8_t), intent(in), target, optional :: active(:)
        type(gravlet_points), intent(in), optional :: points
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        real(c_double), intent(inout), target, optional :: tidal_xx(:), tidal_xy(:), tidal_xz(:), tidal_yy(:), tidal_yz(:)
        real(c_double), intent(inout), target, optional :: tidal_zz(:)
        type(c_cells) :: cells
        type(c_fields) :: fields
        type(array_copy), target :: copies(17)
        integer(c_int8_t), allocatable, target :: active_copy(:)
        type(lent_points), target :: lent
        character(len=:), allocatable :: wrong
        integer(c_int) :: code
        integer(c_int64_t) :: n

        wrong = ''
        n = count_of(x)
        call expect('y of cells', count_of(y), n, wrong)
        call expect('z of cells', count_of(z), n, wrong)
        call expect('dx of cells', count_of(dx), n, wrong)
        if (present(dy)) call expect('dy of cells', count_of(dy), n, wrong)
        if (present(dz)) call expect('dz of cells', count_of(dz), n, wrong)
        call expect('mass of cells', count_of(mass), n, wrong)
        if (present(active)) call expect('active of cells', size(active, kind=c_int64_t), n, wrong)
        if (present(potential)) call expect('potential of cells', count_of(potential), n, wrong)
        if (present(acceleration_x)) call expect('acceleration_x of cells', count_of(acceleration_x), n, wrong)
        if (present(acceleration_y)) call expect('acceleration_y of cells', count_of(acceleration_y), n, wrong)
        if (present(acceleration_z)) call expect('acceleration_z of cells', count_of(acceleration_z), n, wrong)
        if (present(tidal_xx)) call expect('tidal_xx of cells', count_of(tidal_xx), n, wrong)
        if (present(tidal_xy)) call expect('tidal_xy of cells', count_of(tidal_xy), n, wrong)
        if (present(tidal_xz)) call expect('tidal_xz of cells', count_of(tidal_xz), n, wrong)
        if (present(tidal_yy)) call expect('tidal_yy of cells', count_of(tidal_yy), n, wrong)
        if (present(tidal_yz)) call expect('tidal_yz of cells', count_of(tidal_yz), n, wrong)
        if (present(tidal_zz)) call expect('tidal_zz of cells', count_of(tidal_zz), n, wrong)
        call lend_points(points, lent, wrong)

        cells%count = n
        cells%x = lend_array(x, copies(1)%values)
        cells%y = lend_array(y, copies(2)%values)
        cells%z = lend_array(z, copies(3)%values)
        cells%dx = lend_array(dx, copies(4)%values)
        cells%dy = lend_array(dy, copies(5)%values)
        cells%dz = lend_array(dz, copies(6)%values)
        cells%mass = lend_array(mass, copies(7)%values)
        cells%active = lend_flags(active, active_copy)
        fields%potential = lend_array(potential, copies(8)%values)
        fields%acceleration(1) = lend_array(acceleration_x, copies(9)%values)
        fields%acceleration(2) = lend_array(acceleration_y, copies(10)%values)
        fields%acceleration(3) = lend_array(acceleration_z, copies(11)%values)
        fields%tidal(1) = lend_array(tidal_xx, copies(12)%values)
        fields%tidal(2) = lend_array(tidal_xy, copies(13)%values)
        fields%tidal(3) = lend_array(tidal_xz, copies(14)%values)
        fields%tidal(4) = lend_array(tidal_yy, copies(15)%values)
        fields%tidal(5) = lend_array(tidal_yz, copies(16)%values)
        fields%tidal(6) = lend_array(tidal_zz, copies(17)%values)
        if (wrong == '') then
            code = c_solve_cells(self%handle, cells, fields, c_loc(lent%points), c_loc(lent%fields))
            call take_back(potential, copies(8)%values)
            call take_back(acceleration_x, copies(9)%values)
            call take_back(acceleration_y, copies(10)%values)
            call take_back(acceleration_z, copies(11)%values)
            call take_back(tidal_xx, copies(12)%values)
            call take_back(tidal_xy, copies(13)%values)
            call take_back(tidal_xz, copies(14)%values)
            call take_back(tidal_yy, copies(15)%values)
            call take_back(tidal_yz, copies(16)%values)
            call take_back(tidal_zz, copies(17)%values)
            call take_back_points(points, lent)
        else
            code = c_abandon(self%handle, to_c(wrong))
        end if
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. The blocks of this rank (0 or more), and points if given. Errors as of solve_cells(); a cell is named by its
    ! block and (i, j, k).
    subroutine solve_blocks(self, blocks, points, status, message)
        class(gravlet_solver), intent(in) :: self
        type(gravlet_block), intent(in), target, contiguous :: blocks(:)
        type(gravlet_points), intent(in), optional :: points
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        type(lent_points), target :: lent
        character(len=:), allocatable :: wrong
        type(c_ptr) :: blocks_at
        integer(c_int) :: code
        integer(c_int64_t) :: b

        wrong = ''
        do b = 1, size(blocks, kind=c_int64_t)
            if (wrong == '') wrong = fault_of(blocks(b), b - 1_c_int64_t)
        end do
        call lend_points(points, lent, wrong)

        blocks_at = c_null_ptr
        if (size(blocks) > 0) blocks_at = c_loc(blocks)
        if (wrong == '') then
            code = c_solve_blocks(self%handle, size(blocks, kind=c_int64_t), blocks_at, c_loc(lent%points), c_loc(lent%fields))
            call take_back_points(points, lent)
        else
            code = c_abandon(self%handle, to_c(wrong))
        end if
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Collective. Points alone.
    subroutine solve_points(self, points, status, message)
        class(gravlet_solver), intent(in) :: self
        type(gravlet_points), intent(in) :: points
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        type(lent_points), target :: lent
        character(len=:), allocatable :: wrong
        integer(c_int) :: code

        wrong = ''
        call lend_points(points, lent, wrong)
        if (wrong == '') then
            code = c_solve_points(self%handle, lent%points, lent%fields)
            call take_back_points(points, lent)
        else
            code = c_abandon(self%handle, to_c(wrong))
        end if
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
            allocate (report%stage(0))
            allocate (report%warnings(0))
            if (present(message)) message = message_of(code)
            call finish(code, status)
            return
        end if
        report%targets = c%targets
        report%sources = c%sources
        report%ranks = int(c%ranks)
        report%threads = int(c%threads)
        report%unchanged_ranks = int(c%unchanged_ranks)
        report%moved_ranks = int(c%moved_ranks)
        report%backend = to_text(c_get_backend(self%handle))
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
        report%net_force = c%net_force
        report%net_torque = c%net_torque
        report%tolerance = c%tolerance

        allocate (report%warnings(c%warnings))
        do i = 1, c%warnings
            report%warnings(i) = to_text(c_get_warning(self%handle, i - 1_c_int32_t))
        end do
        allocate (report%stage(c%stages))
        do i = 1, c%stages
            code = c_get_stage(self%handle, i - 1_c_int32_t, stage)
            if (code /= GRAVLET_SUCCESS) exit
            report%stage(i)%name = to_text(stage%name)
            report%stage(i)%max = stage%max
            report%stage(i)%mean = stage%mean
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

    ! Points as C takes them, none if absent; or what is wrong with them. `lent` must have the attribute target, and live as long
    ! as C reads it.
    subroutine lend_points(points, lent, wrong)
        type(gravlet_points), intent(in), optional :: points
        type(lent_points), intent(inout), target :: lent
        character(len=:), allocatable, intent(inout) :: wrong
        integer(c_int64_t) :: n

        if (.not. present(points)) return
        n = size_of(points%x)
        call expect('y of points', size_of(points%y), n, wrong)
        call expect('z of points', size_of(points%z), n, wrong)
        call expect('mass of points', size_of(points%mass), n, wrong)
        call expect_if_given('softening of points', points%softening)
        call expect_if_given('potential of points', points%potential)
        call expect_if_given('acceleration_x of points', points%acceleration_x)
        call expect_if_given('acceleration_y of points', points%acceleration_y)
        call expect_if_given('acceleration_z of points', points%acceleration_z)
        call expect_if_given('tidal_xx of points', points%tidal_xx)
        call expect_if_given('tidal_xy of points', points%tidal_xy)
        call expect_if_given('tidal_xz of points', points%tidal_xz)
        call expect_if_given('tidal_yy of points', points%tidal_yy)
        call expect_if_given('tidal_yz of points', points%tidal_yz)
        call expect_if_given('tidal_zz of points', points%tidal_zz)
        if (associated(points%active)) call expect('active of points', size(points%active, kind=c_int64_t), n, wrong)
        if (wrong /= '') return

        lent%points%count = n
        lent%points%x = lend_array(points%x, lent%copies(1)%values)
        lent%points%y = lend_array(points%y, lent%copies(2)%values)
        lent%points%z = lend_array(points%z, lent%copies(3)%values)
        lent%points%mass = lend_array(points%mass, lent%copies(4)%values)
        lent%points%softening = lend_array(points%softening, lent%copies(5)%values)
        lent%fields%potential = lend_array(points%potential, lent%copies(6)%values)
        lent%fields%acceleration(1) = lend_array(points%acceleration_x, lent%copies(7)%values)
        lent%fields%acceleration(2) = lend_array(points%acceleration_y, lent%copies(8)%values)
        lent%fields%acceleration(3) = lend_array(points%acceleration_z, lent%copies(9)%values)
        lent%fields%tidal(1) = lend_array(points%tidal_xx, lent%copies(10)%values)
        lent%fields%tidal(2) = lend_array(points%tidal_xy, lent%copies(11)%values)
        lent%fields%tidal(3) = lend_array(points%tidal_xz, lent%copies(12)%values)
        lent%fields%tidal(4) = lend_array(points%tidal_yy, lent%copies(13)%values)
        lent%fields%tidal(5) = lend_array(points%tidal_yz, lent%copies(14)%values)
        lent%fields%tidal(6) = lend_array(points%tidal_zz, lent%copies(15)%values)
        lent%points%active = lend_flags(points%active, lent%active)

    contains

        subroutine expect_if_given(name, array)
            character(len=*), intent(in) :: name
            real(c_double), pointer, intent(in) :: array(:)

            if (associated(array)) call expect(name, count_of(array), n, wrong)
        end subroutine
    end subroutine

    ! Where C finds an array: in `copy` if it is not contiguous; null if it is absent or empty. (With the attribute contiguous,
    ! gfortran 12 would take a null pointer of the caller's for an array that is there.)
    function lend_array(array, copy) result(at)
        real(c_double), intent(in), target, optional :: array(:)
        real(c_double), allocatable, target, intent(inout) :: copy(:)
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

    ! A result that C wrote to a copy goes to the host's array.
    subroutine take_back(array, copy)
        real(c_double), intent(inout), optional :: array(:)
        real(c_double), allocatable, intent(in) :: copy(:)

        if (present(array) .and. allocated(copy)) array = copy
    end subroutine

    subroutine take_back_points(points, lent)
        type(gravlet_points), intent(in), optional :: points
        type(lent_points), intent(in) :: lent

        if (.not. present(points)) return
        call take_back(points%potential, lent%copies(6)%values)
        call take_back(points%acceleration_x, lent%copies(7)%values)
        call take_back(points%acceleration_y, lent%copies(8)%values)
        call take_back(points%acceleration_z, lent%copies(9)%values)
        call take_back(points%tidal_xx, lent%copies(10)%values)
        call take_back(points%tidal_xy, lent%copies(11)%values)
        call take_back(points%tidal_xz, lent%copies(12)%values)
        call take_back(points%tidal_yy, lent%copies(13)%values)
        call take_back(points%tidal_yz, lent%copies(14)%values)
        call take_back(points%tidal_zz, lent%copies(15)%values)
    end subroutine

    integer(c_int64_t) function size_of(array)
        real(c_double), pointer, intent(in) :: array(:)

        size_of = 0
        if (associated(array)) size_of = count_of(array)
    end function

    integer(c_int64_t) function count_of(array)
        real(c_double), intent(in) :: array(:)

        count_of = size(array, kind=c_int64_t)
    end function

    ! The address of a block's first cell; null if the array is absent or empty.
    function first_cell(array) result(at)
        real(c_double), intent(in), target, optional :: array(:, :, :)
        type(c_ptr) :: at

        at = c_null_ptr
        if (.not. present(array)) return
        if (size(array) > 0) at = c_loc(array(1, 1, 1))
    end function

    ! How many elements apart in memory neighbours are in each direction; where there is one cell only, as of a dense array.
    function strides_of(array) result(stride)
        real(c_double), intent(in), target :: array(:, :, :)
        integer(c_intptr_t) :: stride(3)
        integer(c_intptr_t), parameter :: element = 8
        integer(c_intptr_t) :: dense
        integer :: axis, second(3)

        stride = 0
        if (size(array) == 0) return
        dense = 1
        do axis = 1, 3
            if (size(array, axis) > 1) then
                second = 1
                second(axis) = 2
                stride(axis) = (address_of(array(second(1), second(2), second(3))) - address_of(array(1, 1, 1))) / element
            else
                stride(axis) = dense
            end if
            dense = stride(axis) * size(array, axis)
        end do
    end function

    integer(c_intptr_t) function address_of(number)
        real(c_double), intent(in), target :: number

        address_of = transfer(c_loc(number), 0_c_intptr_t)
    end function

    pure function decimal(number) result(text)
        integer(c_int64_t), intent(in) :: number
        character(len=:), allocatable :: text
        character(len=24) :: buffer

        write (buffer, '(i0)') number
        text = trim(buffer)
    end function
end module gravlet
