! SPDX-License-Identifier: Apache-2.0
! Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in an array with guard cells. Seven blocks are
! octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Then once more with accelerations, and a
! star that comes along (docs/guide/your_mesh.md). Ends with 1 if the potential beside the cube's centre is wrong, in a cell or in a
! guard cell, or what cube and star do to each other, or if gravlet reports an error.
program step2_blocks
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: n = 8, guards = 2, all_blocks = 15, DENS = 1, GPOT = 2, GACX = 3, GACY = 4, GACZ = 5
    integer, parameter :: is = 1, ie = n, lo = 1 - guards, hi = n + guards
    real(dp), parameter :: pi = acos(-1.0_dp), c = 3 * log((sqrt(3.0_dp) + 1) / (sqrt(3.0_dp) - 1)) - pi / 2
    real(dp), target :: unk(5, lo:hi, lo:hi, lo:hi, 0:all_blocks - 1) ! target: gravlet points to it
    type(gravlet_block) :: mine(all_blocks)
    type(gravlet_solver) :: solver
    type(gravlet_points) :: stars
    real(dp), allocatable, target :: star_x(:), star_y(:), star_z(:), star_mass(:), star_potential(:)
    character(len=:), allocatable :: message
    integer :: rank, ranks, count, b, status, ierr
    real(dp) :: lower(3), side, exact, error, pull(2)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    unk = 0
    unk(DENS, :, :, :, :) = 1

    count = 0
    do b = rank, all_blocks - 1, ranks
        call place(b, lower, side)
        count = count + 1
        mine(count) = gravlet_make_block(lower, spread(side / n, 1, 3), density=unk(DENS, is:ie, is:ie, is:ie, b), &
            potential=unk(GPOT, is:ie, is:ie, is:ie, b), result_guards=[guards, guards, guards])
    end do
    call solver%create(MPI_COMM_WORLD, status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_blocks(mine(1:count), status=status, message=message)

    ! Near the centre the potential is -c + 2/3 pi r^2. Block 7 begins there, on rank mod(7, ranks).
    error = 0
    if (rank == mod(7, ranks)) then
        exact = -c + pi / 2 * (0.25_dp / n)**2
        error = max(abs(unk(GPOT, 1, 1, 1, 7) / exact - 1), abs(unk(GPOT, 0, 0, 0, 7) / exact - 1))
        print '(3(a, f9.5))', 'potential beside the centre', unk(GPOT, 1, 1, 1, 7), ', in a guard cell', &
            unk(GPOT, 0, 0, 0, 7), ', exact', exact
    end if
    call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)

    ! Accelerations too, and a star of mass 1, which rank 0 brings, in a distance of 10 from the cube's centre.
    count = merge(1, 0, rank == 0)
    allocate (star_x(count), star_y(count), star_z(count), star_mass(count), star_potential(count))
    star_x = 10.5_dp
    star_y = 0.5_dp
    star_z = 0.5_dp
    star_mass = 1
    stars%x => star_x
    stars%y => star_y
    stars%z => star_z
    stars%mass => star_mass
    stars%potential => star_potential
    count = 0
    do b = rank, all_blocks - 1, ranks
        call place(b, lower, side)
        count = count + 1
        mine(count) = gravlet_make_block(lower, spread(side / n, 1, 3), density=unk(DENS, is:ie, is:ie, is:ie, b), &
            potential=unk(GPOT, is:ie, is:ie, is:ie, b), acceleration_x=unk(GACX, is:ie, is:ie, is:ie, b), &
            acceleration_y=unk(GACY, is:ie, is:ie, is:ie, b), acceleration_z=unk(GACZ, is:ie, is:ie, is:ie, b))
    end do
    if (status == GRAVLET_SUCCESS) call solver%solve_blocks(mine(1:count), points=stars, status=status, message=message)
    if (status /= GRAVLET_SUCCESS .and. rank == 0) write (error_unit, '(2a)') 'gravlet: ', message
    call solver%destroy()

    pull = [0.0_dp, sum(star_potential)] ! of m a_x of all cells, and of the potential of all stars
    do b = rank, all_blocks - 1, ranks
        pull(1) = pull(1) + (merge(0.5_dp, 0.25_dp, b < 7) / n)**3 * sum(unk(GACX, is:ie, is:ie, is:ie, b))
    end do
    call MPI_Allreduce(MPI_IN_PLACE, pull, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(2(a, f10.6))', 'the star''s potential', pull(2), ', its pull on all cells', pull(1)
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS .or. .not. error < 1.0e-3_dp) error stop 1
    if (.not. all(abs(pull / [0.01_dp, -0.1_dp] - 1) < 3.0e-4_dp)) error stop 1

contains

    ! Block b: 0 to 6 are octants, 7 to 14 octants of the last octant.
    subroutine place(b, lower, side)
        integer, intent(in) :: b
        real(dp), intent(out) :: lower(3), side
        integer :: p
        real(dp) :: from

        p = merge(b, b - 7, b < 7)
        side = merge(0.5_dp, 0.25_dp, b < 7)
        from = merge(0.0_dp, 0.5_dp, b < 7)
        lower = from + side * [mod(p, 2), mod(p / 2, 2), p / 4]
    end subroutine
end program step2_blocks
