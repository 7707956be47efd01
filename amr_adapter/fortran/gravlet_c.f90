! SPDX-License-Identifier: Apache-2.0
! gravlet.h as Fortran sees it: its structs and functions under names of their own, and text in both directions. Hosts use the
! module gravlet, which is made of this one.
module gravlet_c
    use, intrinsic :: iso_fortran_env, only: error_unit
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_int, c_int32_t, c_int64_t, &
        c_funptr, c_null_char, c_null_ptr, c_ptr, c_size_t, c_sizeof
    implicit none
    private

    public :: c_options, c_listener, c_cells, c_points, c_fields, c_report, c_stage_time
    public :: gravlet_error_statistics, gravlet_tolerance_report
    public :: c_options_init, c_create, c_destroy, c_solve_cells, c_solve_blocks, c_solve_points, c_abandon, c_error_message, &
        c_prints_error
    public :: c_get_report, c_get_stage, c_get_warning, c_get_backend, c_report_text, c_version, c_backend_name
    public :: c_set_option, c_get_option, c_option_count, c_get_option_info, c_option_info
    public :: to_text, to_c, finish, message_of, gravlet_last_error

    ! Status
    integer, parameter, public :: GRAVLET_SUCCESS = 0
    integer, parameter, public :: GRAVLET_INVALID_OPTION = 1 ! out of range, or differs between ranks
    integer, parameter, public :: GRAVLET_INVALID_INPUT = 2  ! cells, blocks or points that no solver could accept
    integer, parameter, public :: GRAVLET_OUT_OF_MEMORY = 3
    integer, parameter, public :: GRAVLET_NOT_AVAILABLE = 4  ! a backend that this build or machine does not have
    integer, parameter, public :: GRAVLET_COMMUNICATION = 5
    integer, parameter, public :: GRAVLET_FILE = 6
    integer, parameter, public :: GRAVLET_INTERNAL = 7       ! a bug in gravlet

    ! Relative error against the direct sum at options%error_samples targets.
    type, bind(C) :: gravlet_error_statistics
        integer(c_int64_t) :: samples = 0 ! 0: not asked for
        real(c_double) :: max = 0.0_c_double, p9999 = 0.0_c_double, p999 = 0.0_c_double, p99 = 0.0_c_double
        real(c_double) :: median = 0.0_c_double, rms = 0.0_c_double
        real(c_double) :: worst(3) = 0.0_c_double ! where the target with the largest error is
    end type

    ! How the tolerance was kept.
    type, bind(C) :: gravlet_tolerance_report
        real(c_double) :: asked = 0.0_c_double   ! 0: none was
        real(c_double) :: reached = 0.0_c_double ! the same error of the last solve that was measured
        integer(c_int64_t) :: solves_ago = 0
        real(c_double) :: theta = 0.0_c_double, alpha = 0.0_c_double
        integer(c_int32_t) :: order = 0, criterion = 0 ! with theta and alpha: what this solve took
        integer(c_int32_t) :: kept = 0                 ! 0: reached is more than 1.2 times what was asked, and there is a warning
        integer(c_int32_t) :: walks = 0                ! of this solve
        real(c_double) :: floor = 0.0_c_double         ! an error below which no shorter angle was found to bring it; 0: none
    end type

    type, bind(C) :: c_options
        integer(c_size_t) :: size
        integer(c_int32_t) :: backend, gpu_sharing, boundary(3)
        real(c_double) :: theta
        integer(c_int32_t) :: order
        real(c_double) :: G
        integer(c_int32_t) :: self_potential, softening_kernel
        real(c_double) :: softening
        integer(c_int32_t) :: has_domain
        real(c_double) :: domain_lower(3), domain_upper(3)
        integer(c_int32_t) :: periodic_method, ewald_nodes, ewald_order
        type(c_ptr) :: ewald_cache
        integer(c_int32_t) :: keep_tree, keep_moved, redistribute
        integer(c_int32_t) :: group_size, leaf_size, virtual_root_boxes, threads
        integer(c_int64_t) :: error_samples, error_seed
        integer(c_int32_t) :: criterion
        real(c_double) :: alpha, tolerance
        integer(c_int32_t) :: tolerance_of, tolerance_at
        integer(c_int32_t) :: background, tolerance_effort, near_cells, precision
    end type

    type, bind(C) :: c_listener
        type(c_ptr) :: context
        type(c_funptr) :: warning, begin_stage, end_stage, progress
        real(c_double) :: interval
    end type

    type, bind(C) :: c_option_info
        type(c_ptr) :: name, type, range, default_value, help
    end type

    type, bind(C) :: c_cells
        integer(c_int64_t) :: count
        type(c_ptr) :: x, y, z, dx, dy, dz, mass, active
        integer(c_int32_t) :: floats = 0_c_int32_t
    end type

    type, bind(C) :: c_points
        integer(c_int64_t) :: count = 0_c_int64_t
        type(c_ptr) :: x = c_null_ptr, y = c_null_ptr, z = c_null_ptr, mass = c_null_ptr, active = c_null_ptr
        type(c_ptr) :: softening = c_null_ptr
        integer(c_int32_t) :: floats = 0_c_int32_t
    end type

    type, bind(C) :: c_fields
        type(c_ptr) :: potential = c_null_ptr
        type(c_ptr) :: acceleration(3) = c_null_ptr
        type(c_ptr) :: tidal(6) = c_null_ptr
        integer(c_int32_t) :: floats = 0_c_int32_t
    end type

    type, bind(C) :: c_report
        integer(c_size_t) :: size
        integer(c_int64_t) :: targets, sources
        integer(c_int32_t) :: ranks, threads, unchanged_ranks, moved_ranks, stages, warnings
        real(c_double) :: seconds
        integer(c_int64_t) :: node_interactions, cell_interactions, far_interactions, coincident_pairs
        integer(c_int64_t) :: bytes_sent, nodes_imported, cells_imported, peak_bytes
        type(gravlet_error_statistics) :: potential_error, acceleration_error, tidal_error
        real(c_double) :: net_force, net_torque
        type(gravlet_tolerance_report) :: tolerance
        real(c_double) :: background
    end type

    type, bind(C) :: c_stage_time
        type(c_ptr) :: name
        real(c_double) :: max, mean
    end type

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

        integer(c_int) function c_solve_cells(solver, cells, fields, points, point_fields) bind(C, name='gravlet_solve_cells')
            import :: c_int, c_ptr, c_cells, c_fields
            type(c_ptr), value :: solver, points, point_fields
            type(c_cells), intent(in) :: cells
            type(c_fields), intent(in) :: fields
        end function

        integer(c_int) function c_solve_blocks(solver, count, blocks, points, point_fields) bind(C, name='gravlet_solve_blocks')
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: solver, blocks, points, point_fields
            integer(c_int64_t), value :: count
        end function

        integer(c_int) function c_solve_points(solver, points, fields) bind(C, name='gravlet_solve_points')
            import :: c_int, c_ptr, c_fields, c_points
            type(c_ptr), value :: solver
            type(c_points), intent(in) :: points
            type(c_fields), intent(in) :: fields
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
