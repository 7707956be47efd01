! SPDX-License-Identifier: Apache-2.0
! Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in an array with guard cells. Seven blocks are
! octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Ends with 1 if the potential beside
! the cube's centre is wrong, in a cell or in a guard cell, or if gravlet reports an error.
program step2_blocks
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: n = 8, guards = 2, all_blocks = 15, DENS = 1, GPOT = 2
    integer, parameter :: is = 1, ie = n, lo = 1 - guards, hi = n + guards
    real(dp), parameter :: pi = acos(-1.0_dp), c = 3 * log((sqrt(3.0_dp) + 1) / (sqrt(3.0_dp) - 1)) - pi / 2
    real(dp), target :: unk(2, lo:hi, lo:hi, lo:hi, 0:all_blocks - 1) ! target: gravlet points to it
    type(gravlet_block) :: mine(all_blocks)
    type(gravlet_solver) :: solver
    character(len=:), allocatable :: message
    integer :: rank, ranks, count, b, p, status, ierr
    real(dp) :: lower(3), side, from, exact, error

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    unk = 0
    unk(DENS, :, :, :, :) = 1

    count = 0
    do b = rank, all_blocks - 1, ranks ! 0 to 6: octants; 7 to 14: octants of the last octant
        p = merge(b, b - 7, b < 7)
        side = merge(0.5_dp, 0.25_dp, b < 7)
        from = merge(0.0_dp, 0.5_dp, b < 7)
        lower = from + side * [mod(p, 2), mod(p / 2, 2), p / 4]
        count = count + 1
        mine(count) = gravlet_make_block(lower, spread(side / n, 1, 3), density=unk(DENS, is:ie, is:ie, is:ie, b), &
            potential=unk(GPOT, is:ie, is:ie, is:ie, b), result_guards=[guards, guards, guards])
    end do
    call solver%create(MPI_COMM_WORLD, status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_blocks(mine(1:count), status=status, message=message)
    if (status /= GRAVLET_SUCCESS .and. rank == 0) write (error_unit, '(2a)') 'gravlet: ', message
    call solver%destroy()

    ! Near the centre the potential is -c + 2/3 pi r^2. Block 7 begins there, on rank mod(7, ranks).
    error = 0
    if (rank == mod(7, ranks)) then
        exact = -c + pi / 2 * (0.25_dp / n)**2
        error = max(abs(unk(GPOT, 1, 1, 1, 7) / exact - 1), abs(unk(GPOT, 0, 0, 0, 7) / exact - 1))
        print '(3(a, f9.5))', 'potential beside the centre', unk(GPOT, 1, 1, 1, 7), ', in a guard cell', &
            unk(GPOT, 0, 0, 0, 7), ', exact', exact
    end if
    call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS .or. .not. error < 1.0e-3_dp) error stop 1
end program step2_blocks
