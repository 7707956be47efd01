! SPDX-License-Identifier: Apache-2.0
! Arrays of real(c_float): cells, blocks and points get what those of real(c_double) get, rounded. Ends with 1 if not.
program floats
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_float
    implicit none

    integer, parameter :: n = 4, cells = n**3
    type(gravlet_solver) :: solver
    integer :: ierr, rank
    logical :: wrong

    wrong = .false.
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call solver%create(MPI_COMM_WORLD)
    call of_blocks()
    call of_cells_and_points()
    call solver%destroy()
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (wrong) error stop 1

contains

    ! Values that both kinds have.
    pure real(c_double) function density_of(i, j, k)
        integer, intent(in) :: i, j, k

        density_of = 1.0_c_double + i + 0.5_c_double * j * k
    end function

    ! One block a rank, in a row; sections of arrays with guard cells.
    subroutine of_blocks()
        real(c_double), target :: density(0:n + 1, 0:n + 1, 0:n + 1), potential(0:n + 1, 0:n + 1, 0:n + 1), field(n, n, n, 3)
        real(c_float), target :: density_f(0:n + 1, 0:n + 1, 0:n + 1), potential_f(0:n + 1, 0:n + 1, 0:n + 1), field_f(n, n, n, 3)
        real(c_double), target :: faces(n + 1, n, n)
        real(c_float), target :: faces_f(n + 1, n, n)
        real(c_double) :: lower(3), side(3)
        type(gravlet_block) :: block(1)
        integer :: i, j, k

        lower = [real(rank, c_double), 0.0_c_double, 0.0_c_double]
        side = 0.25_c_double
        do k = 0, n + 1
            do j = 0, n + 1
                do i = 0, n + 1
                    density(i, j, k) = density_of(i, j, k)
                end do
            end do
        end do
        density_f = real(density, c_float)
        potential = 0.0_c_double
        potential_f = 7.0_c_float
        block(1) = gravlet_make_block(lower, side, density(1:n, 1:n, 1:n), potential(1:n, 1:n, 1:n), &
            face_acceleration_x=faces)
        call solver%solve_blocks(block)
        block(1) = gravlet_make_block(lower, side, density_f(1:n, 1:n, 1:n), potential_f(1:n, 1:n, 1:n), &
            face_acceleration_x=faces_f)
        call solver%solve_blocks(block)
        call expect(same(pack(potential_f(1:n, 1:n, 1:n), .true.), pack(potential(1:n, 1:n, 1:n), .true.)), 'blocks')
        call expect(same(pack(faces_f, .true.), pack(faces, .true.)), 'faces')
        call expect(same(potential_f(0, :, 1), [(7.0_c_double, i=0, n + 1)]), 'guard cells')

        block(1) = gravlet_block_with_guards(lower, side, 1, density_f, potential_f, result_guards=[1, 1, 1])
        call solver%solve_blocks(block)
        call expect(potential_f(0, 0, 0) < 0.0_c_float, 'guard cells on request')
        block(1) = gravlet_make_block(lower, side, density(1:n, 1:n, 1:n), acceleration_x=field(:, :, :, 1), &
            acceleration_y=field(:, :, :, 2), acceleration_z=field(:, :, :, 3))
        call solver%solve_blocks(block)
        block(1) = gravlet_make_block(lower, side, density_f(1:n, 1:n, 1:n), acceleration_x=field_f(:, :, :, 1), &
            acceleration_y=field_f(:, :, :, 2), acceleration_z=field_f(:, :, :, 3))
        call solver%solve_blocks(block)
        call expect(same(pack(field_f, .true.), pack(field, .true.)), 'accelerations of blocks')
    end subroutine

    ! Cells of one kind with points of the other, and of the same; some arrays are not contiguous.
    subroutine of_cells_and_points()
        real(c_double) :: x(cells), y(cells), z(cells), dx(cells), mass(cells), potential(cells), again(cells)
        real(c_float) :: potential_f(2 * cells)
        real(c_double), target :: at(3, 5), masses(5), results(5), results_again(5)
        real(c_float), target :: at_f(3, 5), masses_f(5), results_f(5)
        type(gravlet_points) :: points
        type(gravlet_points_float) :: points_f
        integer :: i, status
        character(len=:), allocatable :: message

        do i = 1, cells
            x(i) = rank + 0.25_c_double * (mod(i - 1, n) + 0.5_c_double)
            y(i) = 0.25_c_double * (mod((i - 1) / n, n) + 0.5_c_double)
            z(i) = 0.25_c_double * ((i - 1) / n**2 + 0.5_c_double)
            mass(i) = 0.5_c_double * i
        end do
        dx = 0.25_c_double
        do i = 1, 5
            at(:, i) = [rank + 0.125_c_double * i, 0.0625_c_double, 0.25_c_double * i]
            masses(i) = i
        end do
        at_f = real(at, c_float)
        masses_f = real(masses, c_float)
        points%x => at(1, :)
        points%y => at(2, :)
        points%z => at(3, :)
        points%mass => masses
        points%potential => results
        points_f%x => at_f(1, :)
        points_f%y => at_f(2, :)
        points_f%z => at_f(3, :)
        points_f%mass => masses_f
        points_f%potential => results_f
        call solver%solve_cells(x, y, z, dx, mass, potential, points=points)
        call solver%solve_cells(x, y, z, dx, mass, again, points=points_f)
        call expect(same(results_f, results), 'points')
        call expect(maxval(abs(again - potential)) <= 0.0_c_double, 'cells in doubles with points in floats')
        potential_f = 7.0_c_float
        points%potential => results_again
        call solver%solve_cells(real(x, c_float), real(y, c_float), real(z, c_float), real(dx, c_float), real(mass, c_float), &
            potential_f(1::2), points=points)
        call expect(same(potential_f(1::2), potential), 'cells')
        call expect(all(potential_f(2::2) > 6.0_c_float), 'between cells')
        call expect(maxval(abs(results_again - results)) <= 0.0_c_double, 'points in doubles with cells in floats')
        results = 0.0_c_double
        points%potential => results
        call solver%solve_points(points)
        call solver%solve_points(points_f)
        call expect(same(results_f, results), 'points alone')
        points_f%mass => masses_f(1:4)
        call solver%solve_points(points_f, status, message)
        call expect(status == GRAVLET_INVALID_INPUT .and. index(message, 'mass of points has 4 elements, but x has 5') > 0, message)
    end subroutine

    pure logical function same(floats, doubles)
        real(c_float), intent(in) :: floats(:)
        real(c_double), intent(in) :: doubles(:)

        same = size(floats) == size(doubles) .and. all(abs(floats - real(doubles, c_float)) <= 0.0_c_float)
    end function

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what

        if (.not. good) print '(2a)', 'not as expected: ', what
        wrong = wrong .or. .not. good
    end subroutine
end program
