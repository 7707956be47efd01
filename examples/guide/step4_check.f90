! SPDX-License-Identifier: Apache-2.0
! Step 4 of the guide (docs/guide/first_solve.md): the points of step 3, solved by the tree and, with theta = 0, by the direct
! sum. Prints the largest relative errors; ends with 1 if they are larger than such a tree's, or if gravlet reports an error.
program step4_check
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: everyone = 3000
    real(dp), allocatable, target :: x(:), y(:), z(:), mass(:), tree(:, :), direct(:, :)
    type(gravlet_options) :: options
    character(len=:), allocatable :: message
    integer :: rank, ranks, provided, first, n, i, status, ierr
    real(dp) :: largest(2)

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    first = everyone * rank / ranks
    n = everyone * (rank + 1) / ranks - first
    x = [((first + i - 0.5_dp) / everyone, i=1, n)]
    y = [(modulo((first + i - 1) * 0.7548776662466927_dp, 1.0_dp), i=1, n)]
    z = [(modulo((first + i - 1) * 0.5698402909980532_dp, 1.0_dp), i=1, n)]
    mass = spread(1.0_dp / everyone, 1, n)
    allocate (tree(n, 4), direct(n, 4)) ! potential, then the acceleration

    options%softening = 0.01_dp
    call solve(tree)
    options%theta = 0 ! every body acts on every other one
    if (status == GRAVLET_SUCCESS) call solve(direct)
    if (status /= GRAVLET_SUCCESS .and. rank == 0) write (error_unit, '(2a)') 'gravlet: ', message

    largest = 0
    do i = 1, merge(n, 0, status == GRAVLET_SUCCESS)
        largest = max(largest, [abs(tree(i, 1) / direct(i, 1) - 1), norm2(tree(i, 2:) - direct(i, 2:)) / norm2(direct(i, 2:))])
    end do
    call MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(2(a, es9.2))', 'largest relative error: potential', largest(1), ', acceleration', largest(2)
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS .or. .not. all(largest < [2.0e-6_dp, 3.0e-4_dp])) error stop 1

contains

    subroutine solve(results)
        real(dp), intent(inout), target :: results(:, :)
        type(gravlet_solver) :: solver

        call solver%create(MPI_COMM_WORLD, options, status, message)
        if (status == GRAVLET_SUCCESS) call solver%solve_points(gravlet_points(x=x, y=y, z=z, mass=mass, &
            potential=results(:, 1), acceleration_x=results(:, 2), acceleration_y=results(:, 3), &
            acceleration_z=results(:, 4)), status, message)
        call solver%destroy()
    end subroutine
end program step4_check
