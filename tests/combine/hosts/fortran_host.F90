! SPDX-License-Identifier: Apache-2.0
! A host in Fortran: what C++ lends it as C's structs becomes arrays of its own kinds, which go to the module gravlet.
module gravlet_combine_host
    use gravlet
    use gravlet_c, only: c_options, c_cells, c_points, c_fields
    use, intrinsic :: iso_c_binding
    implicit none
    private

    integer, parameter :: message_length = 4096

    type, extends(gravlet_listener) :: ear
        integer :: begun = 0
    contains
        procedure :: begin_stage => hear_begin
        procedure :: end_stage => hear_end
    end type

    type(gravlet_solver), save :: solver
    type(ear), target, save :: listener
    real(c_double), target, save :: no_doubles(0)
    real(c_float), target, save :: no_floats(0)

contains

    subroutine hear_begin(self, stage)
        class(ear), intent(inout) :: self
        character(len=*), intent(in) :: stage

        if (len(stage) > 0) self%begun = self%begun + 1
    end subroutine

    subroutine hear_end(self, stage)
        class(ear), intent(inout) :: self
        character(len=*), intent(in) :: stage

        if (len(stage) > 0) self%begun = self%begun - 1
    end subroutine

    ! Stages that have begun and not ended.
    integer(c_int) function combine_begun() bind(C)
        combine_begun = int(listener%begun, c_int)
    end function

    integer(c_int) function combine_create(comm, c, listens, message) bind(C)
        integer(c_int), value :: comm, listens
        type(c_options), intent(in) :: c
        character(kind=c_char), intent(out) :: message(message_length)
        type(gravlet_options) :: o
        character(len=:), allocatable :: text
        integer :: status

        call o%from_c(c)
        listener%begun = 0
        if (listens /= 0) then
            call solver%create(comm, o, status, text, listener)
        else
            call solver%create(comm, o, status, text)
        end if
        combine_create = answer(status, text, message)
    end function

    subroutine combine_destroy() bind(C)
        call solver%destroy()
    end subroutine

    ! points_at and results_at: null if no rank has points. single: all arrays are of real(c_float).
    integer(c_int) function combine_solve_cells(cells, fields, points_at, results_at, single, message) bind(C)
        type(c_cells), intent(in) :: cells
        type(c_fields), intent(in) :: fields
        type(c_ptr), value :: points_at, results_at
        integer(c_int), value :: single
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        if (single /= 0) then
            call solve_cells_of_floats(cells, fields, points_at, results_at, status, text)
        else
            call solve_cells_of_doubles(cells, fields, points_at, results_at, status, text)
        end if
        combine_solve_cells = answer(status, text, message)
    end function

    integer(c_int) function combine_solve_blocks(count, blocks, points_at, results_at, single, message) bind(C)
        integer(c_int), value :: count, single
        type(gravlet_block), intent(in) :: blocks(count)
        type(c_ptr), value :: points_at, results_at
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        if (.not. c_associated(points_at)) then
            call solver%solve_blocks(blocks, status=status, message=text)
        else if (single /= 0) then
            call solver%solve_blocks(blocks, points_of_floats(points_at, results_at), status, text)
        else
            call solver%solve_blocks(blocks, points_of_doubles(points_at, results_at), status, text)
        end if
        combine_solve_blocks = answer(status, text, message)
    end function

    integer(c_int) function combine_solve_points(points_at, results_at, single, message) bind(C)
        type(c_ptr), value :: points_at, results_at
        integer(c_int), value :: single
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        if (single /= 0) then
            call solver%solve_points(points_of_floats(points_at, results_at), status, text)
        else
            call solver%solve_points(points_of_doubles(points_at, results_at), status, text)
        end if
        combine_solve_points = answer(status, text, message)
    end function

    ! box_at: lower and upper corner; null if there is no domain.
    integer(c_int) function combine_set_lengths(softening, box_at, shear, message) bind(C)
        real(c_double), value :: softening, shear
        type(c_ptr), value :: box_at
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        real(c_double), pointer :: box(:, :)
        integer :: status

        call solver%set_softening(softening, status, text)
        if (status == 0 .and. c_associated(box_at)) then
            call c_f_pointer(box_at, box, [3, 2])
            call solver%set_domain(box(:, 1), box(:, 2), status, text)
        end if
        if (status == 0) call solver%set_shear(shear, status, text)
        combine_set_lengths = answer(status, text, message)
    end function

    ! changed_at: null if nothing has changed.
    integer(c_int) function combine_only_changed(count, changed_at, message) bind(C)
        integer(c_int64_t), value :: count
        type(c_ptr), value :: changed_at
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        if (c_associated(changed_at)) then
            call solver%only_changed(flags(changed_at, count), status, text)
        else
            call solver%only_changed(status=status, message=text)
        end if
        combine_only_changed = answer(status, text, message)
    end function

    function flags(at, n) result(values)
        type(c_ptr), intent(in) :: at
        integer(c_int64_t), intent(in) :: n
        integer(c_int8_t), pointer :: values(:)

        values => null()
        if (c_associated(at)) call c_f_pointer(at, values, [n])
    end function

    function answer(status, text, message) result(code)
        integer, intent(in) :: status
        character(len=*), intent(in) :: text
        character(kind=c_char), intent(out) :: message(message_length)
        integer(c_int) :: code
        integer :: i

        code = int(status, c_int)
        message = c_null_char
        do i = 1, min(len(text), message_length - 1)
            message(i) = text(i:i)
        end do
    end function

#define REAL_KIND c_double
#define POINTS_TYPE gravlet_points
#define NOTHING no_doubles
#define GIVEN given_doubles
#define NEEDED needed_doubles
#define POINTS_OF points_of_doubles
#define SOLVE_CELLS solve_cells_of_doubles
#include "fortran_arrays.inc"
#undef REAL_KIND
#undef POINTS_TYPE
#undef NOTHING
#undef GIVEN
#undef NEEDED
#undef POINTS_OF
#undef SOLVE_CELLS
#define REAL_KIND c_float
#define POINTS_TYPE gravlet_points_float
#define NOTHING no_floats
#define GIVEN given_floats
#define NEEDED needed_floats
#define POINTS_OF points_of_floats
#define SOLVE_CELLS solve_cells_of_floats
#include "fortran_arrays.inc"
#undef REAL_KIND
#undef POINTS_TYPE
#undef NOTHING
#undef GIVEN
#undef NEEDED
#undef POINTS_OF
#undef SOLVE_CELLS
end module gravlet_combine_host
