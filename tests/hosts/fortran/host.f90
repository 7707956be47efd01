! SPDX-License-Identifier: Apache-2.0
! A host in Fortran that C++ tests can call (host.hpp): one solver, whose calls are made through the module gravlet with the
! arrays that C++ hands in. Each call returns the status, and leaves the message in `message`.
module gravlet_test_host
    use gravlet
    use gravlet_c, only: c_options
    use, intrinsic :: iso_c_binding
    implicit none
    private

    integer, parameter :: message_length = 4096

    ! `size` elements, each `step` after the one before. Null: absent.
    type, bind(C) :: host_array
        type(c_ptr) :: at
        integer(c_int64_t) :: size, step
    end type

    type, bind(C) :: host_cells
        type(host_array) :: x, y, z, dx, dy, dz, mass, active, source_class, potential, acceleration(3), tidal(6)
    end type

    type, bind(C) :: host_points
        type(host_array) :: x, y, z, mass, active, softening, source_class, potential, acceleration(3), tidal(6)
    end type

    ! Variables 1 to 5 of an array of shape `shape` (variables, x, y, z) are density, potential and acceleration, 6 to 11 the tidal
    ! tensor.
    type, bind(C) :: host_block
        real(c_double) :: lower(3), cell_size(3)
        type(c_ptr) :: at
        integer(c_int) :: shape(4), guards
        integer(c_int) :: active
        integer(c_int) :: result_guards(3)
        integer(c_int) :: way ! in which the block is made: see to_block()
    end type

    type(gravlet_solver), save :: solver
    real(c_double), target :: nothing(0)

contains

    integer(c_int) function host_create(comm, c, message) bind(C)
        integer(c_int), value :: comm
        type(c_options), intent(in) :: c
        character(kind=c_char), intent(out) :: message(message_length)
        type(gravlet_options) :: options
        character(len=:), allocatable :: text
        integer :: status

        call options%from_c(c)
        call solver%create(comm, options, status, text)
        host_create = answer(status, text, message)
    end function

    integer(c_int) function host_create_with_defaults(comm, given, message) bind(C)
        integer(c_int), value :: comm, given ! not 0: with options as they are declared
        character(kind=c_char), intent(out) :: message(message_length)
        type(gravlet_options) :: declared
        character(len=:), allocatable :: text
        integer :: status

        if (given /= 0) then
            call solver%create(comm, declared, status, text)
        else
            call solver%create(comm, status=status, message=text)
        end if
        host_create_with_defaults = answer(status, text, message)
    end function

    integer(c_int) function host_destroy(message) bind(C)
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        call solver%destroy(status, text)
        host_destroy = answer(status, text, message)
    end function

    integer(c_int) function host_is_created() bind(C)
        host_is_created = merge(1, 0, solver%is_created())
    end function

    integer(c_int) function host_solve_cells(c, p, q, message) bind(C)
        type(host_cells), intent(in) :: c
        type(host_points), intent(in) :: p, q
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        if (c_associated(p%x%at)) then
            call solver%solve_cells(required(c%x), required(c%y), required(c%z), required(c%dx), required(c%mass), &
                given(c%potential), given(c%acceleration(1)), given(c%acceleration(2)), given(c%acceleration(3)), &
                given(c%dy), given(c%dz), flags(c%active), to_points(p), status, text, given(c%tidal(1)), given(c%tidal(2)), &
                given(c%tidal(3)), given(c%tidal(4)), given(c%tidal(5)), given(c%tidal(6)), to_points(q), flags(c%source_class))
        else
            call solver%solve_cells(required(c%x), required(c%y), required(c%z), required(c%dx), required(c%mass), &
                given(c%potential), given(c%acceleration(1)), given(c%acceleration(2)), given(c%acceleration(3)), &
                given(c%dy), given(c%dz), flags(c%active), status=status, message=text, tidal_xx=given(c%tidal(1)), &
                tidal_xy=given(c%tidal(2)), tidal_xz=given(c%tidal(3)), tidal_yy=given(c%tidal(4)), tidal_yz=given(c%tidal(5)), &
                tidal_zz=given(c%tidal(6)), probes=to_points(q), source_class=flags(c%source_class))
        end if
        host_solve_cells = answer(status, text, message)
    end function

    integer(c_int) function host_solve_points(p, q, message) bind(C)
        type(host_points), intent(in) :: p, q
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=:), allocatable :: text
        integer :: status

        call solver%solve_points(to_points(p), status, text, to_points(q))
        host_solve_points = answer(status, text, message)
    end function

    integer(c_int) function host_solve_blocks(count, b, p, q, message) bind(C)
        integer(c_int), value :: count
        type(host_block), intent(in) :: b(count)
        type(host_points), intent(in) :: p, q
        character(kind=c_char), intent(out) :: message(message_length)
        type(gravlet_block) :: blocks(count)
        character(len=:), allocatable :: text
        integer :: status, i

        do i = 1, count
            blocks(i) = to_block(b(i))
        end do
        if (c_associated(p%x%at)) then
            call solver%solve_blocks(blocks, to_points(p), status, text, to_points(q))
        else
            call solver%solve_blocks(blocks, status=status, message=text, probes=to_points(q))
        end if
        host_solve_blocks = answer(status, text, message)
    end function

    integer(c_int) function host_abandon(reason, length, message) bind(C)
        integer(c_int), value :: length
        character(kind=c_char), intent(in) :: reason(length)
        character(kind=c_char), intent(out) :: message(message_length)
        character(len=length) :: characters
        character(len=:), allocatable :: text
        integer :: status

        characters = transfer(reason, characters)
        call solver%abandon(characters, status, text)
        host_abandon = answer(status, text, message)
    end function

    ! Without a status: the message goes to error_unit, and the program goes on.
    subroutine host_abandon_unasked() bind(C)
        call solver%abandon('nobody asks')
    end subroutine

    ! Numbers of the report, and its words, one a line: backend, stages, warnings.
    integer(c_int) function host_report(numbers, seconds, words) bind(C)
        integer(c_int64_t), intent(out) :: numbers(19)
        real(c_double), intent(out) :: seconds(18)
        character(kind=c_char), intent(out) :: words(message_length)
        type(gravlet_report) :: report
        character(len=:), allocatable :: text
        integer :: status, i

        call solver%get_report(report, status)
        numbers = [report%targets, report%sources, int(report%ranks, c_int64_t), int(report%threads, c_int64_t), &
            int(report%unchanged_ranks, c_int64_t), report%node_interactions, report%cell_interactions, report%far_interactions, &
            report%coincident_pairs, report%bytes_sent, report%nodes_imported, report%cells_imported, &
            report%potential_error%samples, report%acceleration_error%samples, report%tolerance%solves_ago, &
            int(report%tolerance%order, c_int64_t), int(report%tolerance%criterion, c_int64_t), &
            int(report%tolerance%kept, c_int64_t), int(report%tolerance%walks, c_int64_t)]
        seconds = [report%seconds, sum(report%stages%max), report%acceleration_error%max, report%acceleration_error%p9999, &
            report%acceleration_error%p999, report%acceleration_error%p99, report%acceleration_error%median, &
            report%acceleration_error%rms, report%potential_error%worst, report%net_force, report%net_torque, &
            report%tolerance%asked, report%tolerance%reached, report%tolerance%theta, report%tolerance%alpha, &
            report%tolerance%floor]
        text = report%backend
        do i = 1, size(report%stages)
            text = text // new_line('a') // report%stages(i)%name
        end do
        do i = 1, size(report%warnings)
            text = text // new_line('a') // trim(report%warnings(i))
        end do
        host_report = answer(status, text, words)
    end function

    ! The texts that the module returns. which: 0 version, 1 last error, 2 report, above: backend number which - 2
    subroutine host_text(which, text) bind(C)
        integer(c_int), value :: which
        character(kind=c_char), intent(out) :: text(message_length)
        integer(c_int) :: unused

        select case (which)
        case (0)
            unused = answer(0, gravlet_version(), text)
        case (1)
            unused = answer(0, gravlet_last_error(), text)
        case (2)
            unused = answer(0, solver%report_text(), text)
        case default
            unused = answer(0, gravlet_backend_name(which - 2), text)
        end select
    end subroutine

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

    function given(array) result(values)
        type(host_array), intent(in) :: array
        real(c_double), pointer :: values(:)

        values => null()
        if (.not. c_associated(array%at)) return
        call c_f_pointer(array%at, values, [array%size * array%step])
        if (array%step > 1) values => values(1::int(array%step))
    end function

    function required(array) result(values)
        type(host_array), intent(in) :: array
        real(c_double), pointer :: values(:)

        values => given(array)
        if (.not. associated(values)) values => nothing
    end function

    function flags(array) result(values)
        type(host_array), intent(in) :: array
        integer(c_int8_t), pointer :: values(:)

        values => null()
        if (.not. c_associated(array%at)) return
        call c_f_pointer(array%at, values, [array%size * array%step])
        if (array%step > 1) values => values(1::int(array%step))
    end function

    function to_points(p) result(points)
        type(host_points), intent(in) :: p
        type(gravlet_points) :: points

        points%x => given(p%x)
        points%y => given(p%y)
        points%z => given(p%z)
        points%mass => given(p%mass)
        points%active => flags(p%active)
        points%softening => given(p%softening)
        points%source_class => flags(p%source_class)
        points%potential => given(p%potential)
        points%acceleration_x => given(p%acceleration(1))
        points%acceleration_y => given(p%acceleration(2))
        points%acceleration_z => given(p%acceleration(3))
        points%tidal_xx => given(p%tidal(1))
        points%tidal_xy => given(p%tidal(2))
        points%tidal_xz => given(p%tidal(3))
        points%tidal_yy => given(p%tidal(4))
        points%tidal_yz => given(p%tidal(5))
        points%tidal_zz => given(p%tidal(6))
    end function

    ! way: 0 the interior as sections, 1 whole arrays and the guards' width; wrong ones: 2 a potential that is short by a plane,
    ! 3 an acceleration_z with x, and not the variables, fastest, unlike the others. 4: as 0, and the tidal tensor too. 5: the
    ! potential, and of the array's variables 12 and 13 the acceleration at x- and z-faces; 6, wrong: at z-faces one too few.
    function to_block(b) result(block)
        type(host_block), intent(in) :: b
        type(gravlet_block) :: block
        real(c_double), pointer :: unk(:, :, :, :), swapped(:, :, :, :)
        logical :: active
        integer :: is, ie, js, je, ks, ke

        call c_f_pointer(b%at, unk, b%shape)
        active = b%active /= 0
        is = b%guards + 1
        js = is
        ks = is
        ie = b%shape(2) - b%guards
        je = b%shape(3) - b%guards
        ke = b%shape(4) - b%guards
        select case (b%way)
        case (1)
            block = gravlet_block_with_guards(b%lower, b%cell_size, b%guards, unk(1, :, :, :), unk(2, :, :, :), unk(3, :, :, :), &
                unk(4, :, :, :), unk(5, :, :, :), active, b%result_guards)
        case (2)
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), unk(2, is:ie, js:je, ks:ke - 1))
        case (3)
            call c_f_pointer(b%at, swapped, b%shape([2, 1, 3, 4]))
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), &
                acceleration_x=unk(3, is:ie, js:je, ks:ke), acceleration_y=unk(4, is:ie, js:je, ks:ke), &
                acceleration_z=swapped(is:ie, 1, js:je, ks:ke))
        case (4)
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), unk(2, is:ie, js:je, ks:ke), &
                unk(3, is:ie, js:je, ks:ke), unk(4, is:ie, js:je, ks:ke), unk(5, is:ie, js:je, ks:ke), active, &
                tidal_xx=unk(6, is:ie, js:je, ks:ke), tidal_xy=unk(7, is:ie, js:je, ks:ke), &
                tidal_xz=unk(8, is:ie, js:je, ks:ke), tidal_yy=unk(9, is:ie, js:je, ks:ke), &
                tidal_yz=unk(10, is:ie, js:je, ks:ke), tidal_zz=unk(11, is:ie, js:je, ks:ke))
        case (5)
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), unk(2, is:ie, js:je, ks:ke), &
                active=active, face_acceleration_x=unk(12, is:ie + 1, js:je, ks:ke), &
                face_acceleration_z=unk(13, is:ie, js:je, ks:ke + 1))
        case (6)
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), &
                face_acceleration_z=unk(13, is:ie, js:je, ks:ke))
        case default
            block = gravlet_make_block(b%lower, b%cell_size, unk(1, is:ie, js:je, ks:ke), unk(2, is:ie, js:je, ks:ke), &
                unk(3, is:ie, js:je, ks:ke), unk(4, is:ie, js:je, ks:ke), unk(5, is:ie, js:je, ks:ke), active, &
                b%result_guards)
        end select
    end function

    ! The strides of a block whose results are in an array of another shape than the density.
    subroutine host_strides(stride, result_stride) bind(C)
        integer(c_intptr_t), intent(out) :: stride(3), result_stride(3)
        real(c_double), target, save :: unk(5, 12, 12, 12), potential(10, 9, 8)
        type(gravlet_block) :: block

        block = gravlet_make_block([0.0_c_double, 0.0_c_double, 0.0_c_double], [1.0_c_double, 1.0_c_double, 1.0_c_double], &
            unk(1, 3:10, 3:10, 3:10), potential(2:9, 2:9, :))
        stride = block%stride
        result_stride = block%result_stride
    end subroutine
end module gravlet_test_host
