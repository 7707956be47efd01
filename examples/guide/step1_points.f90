! SPDX-License-Identifier: Apache-2.0
! Step 1 of the guide (docs/guide/first_solve.md): eight points at the corners of a cube, solved by one process. Ends with 1 if
! the potential or the acceleration is not what eight masses at such distances make, or if gravlet reports an error.
program step1_points
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: n = 8
    real(dp), target :: x(n), y(n), z(n), mass(n), potential(n), ax(n), ay(n), az(n)
    type(gravlet_solver) :: solver
    type(gravlet_points) :: points
    character(len=:), allocatable :: message
    integer :: status, ierr
    real(dp) :: exact, pull, error

    x = [0, 1, 0, 1, 0, 1, 0, 1]
    y = [0, 0, 1, 1, 0, 0, 1, 1]
    z = [0, 0, 0, 0, 1, 1, 1, 1]
    mass = 1
    call MPI_Init(ierr)

    points%x => x
    points%y => y
    points%z => z
    points%mass => mass
    points%potential => potential
    points%acceleration_x => ax
    points%acceleration_y => ay
    points%acceleration_z => az
    call solver%create(MPI_COMM_SELF, status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message)
    if (status /= GRAVLET_SUCCESS) write (error_unit, '(2a)') 'gravlet: ', message
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS) error stop 1

    ! Of each corner three others are at distance 1, three at sqrt(2), one at sqrt(3).
    exact = -3 - 3 / sqrt(2.0_dp) - 1 / sqrt(3.0_dp)
    pull = 1 + 2 / sqrt(2.0_dp)**3 + 1 / sqrt(3.0_dp)**3
    error = max(abs(potential(1) / exact - 1), abs(ax(1) / pull - 1))
    print '(a, f9.5, a, 3f9.5, a, es8.1)', 'potential', potential(1), ', acceleration', ax(1), ay(1), az(1), &
        ', relative error', error
    if (.not. error < 1.0e-5_dp) error stop 1
end program step1_points
