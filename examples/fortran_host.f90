! SPDX-License-Identifier: Apache-2.0
! An AMR host in Fortran: blocks of 8^3 cells with 4 guard cells on every side, all variables in one array, dealt out to the
! ranks. A homogeneous unit cube is solved for three steps, between which the mesh is refined and the density changes. Ends
! with 1 if the potential at the cube's centre is wrong, or if anything but the potential of interior cells was written.
! cpp_blocks.cpp and c_host.c do the same, and get the same bits.
program fortran_host
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit, int64
    implicit none

    integer, parameter :: DENS = 1, TEMP = 2, GPOT = 3, variables = 3
    integer, parameter :: n = 8, guards = 4, width = n + 2 * guards, is = guards + 1, ie = guards + n
    integer, parameter :: blocks_across = 4
    real(dp), parameter :: guard_value = 1.0e30_dp, tolerance = 1.0e-4_dp, pi = 3.141592653589793_dp

    type :: mesh_block
        real(dp) :: lower(3), cell_size
    end type

    type(mesh_block), allocatable :: mesh(:)       ! this rank's
    real(dp), allocatable, target :: unk(:, :, :, :, :) ! target: gravlet points to it
    type(gravlet_solver) :: solver
    type(gravlet_options) :: options
    integer :: rank, ranks, provided, ierr, status, step
    character(len=:), allocatable :: message
    real(dp) :: density, error
    integer(int64) :: parity ! of the bits of all potentials
    logical :: wrong

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)

    options = gravlet_default_options()
    options%theta = 0.7_dp
    call solver%create(MPI_COMM_WORLD, options, status, message)
    wrong = .false.
    do step = 1, 3
        if (status /= GRAVLET_SUCCESS) exit
        density = real(step, dp)
        call make_mesh(refined=step > 1)
        call fill(density)
        call solve(error)
        if (status /= GRAVLET_SUCCESS) exit
        call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
        call MPI_Allreduce(MPI_IN_PLACE, parity, 1, MPI_INTEGER8, MPI_BXOR, MPI_COMM_WORLD, ierr)
        if (rank == 0) print '(a, i0, a, z16.16, /, a, es9.2)', 'density ', step, ': parity ', parity, &
            '  error at the centre ', error
        wrong = wrong .or. error > tolerance
    end do
    if (status /= GRAVLET_SUCCESS) then ! the same on every rank
        wrong = .true.
        if (rank == 0) write (error_unit, '(2a)') 'gravlet: ', message
    else if (rank == 0) then
        print '(a)', solver%report_text()
    end if
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (wrong) error stop 1

contains

    ! Every ranks-th block of [-0.5, 0.5]^3; `refined`: those that touch the centre are divided into eight.
    subroutine make_mesh(refined)
        logical, intent(in) :: refined
        integer :: index, child, parts, count, place(3)

        mesh = [mesh_block ::]
        count = 0
        do index = 0, blocks_across**3 - 1
            place = place_in(index, blocks_across)
            parts = merge(2, 1, refined .and. all(abs(2 * place + 1 - blocks_across) == 1))
            do child = 0, parts**3 - 1
                if (mod(count, ranks) == rank) &
                    mesh = [mesh, mesh_block((place + place_in(child, parts) / real(parts, dp)) / blocks_across - 0.5_dp, &
                    1.0_dp / (blocks_across * parts * n))]
                count = count + 1
            end do
        end do
    end subroutine

    pure function place_in(index, across) result(place)
        integer, intent(in) :: index, across
        integer :: place(3)

        place = [mod(index, across), mod(index / across, across), index / across**2]
    end function

    subroutine fill(value)
        real(dp), intent(in) :: value

        if (allocated(unk)) deallocate (unk)
        allocate (unk(variables, width, width, width, size(mesh)), source=guard_value)
        unk(DENS, is:ie, is:ie, is:ie, :) = value
        unk(TEMP, :, :, :, :) = 10.0_dp
    end subroutine

    ! Solves in place, and leaves the largest relative error; see error_at().
    subroutine solve(largest)
        real(dp), intent(out) :: largest
        type(gravlet_block) :: blocks(size(mesh))
        real(dp), allocatable :: before(:, :, :, :, :)
        integer :: b

        allocate (before, source=unk)
        ! [readme]
        do b = 1, size(mesh)
            blocks(b) = gravlet_make_block(mesh(b)%lower, spread(mesh(b)%cell_size, 1, 3), &
                density=unk(DENS, is:ie, is:ie, is:ie, b), potential=unk(GPOT, is:ie, is:ie, is:ie, b))
        end do
        call solver%solve_blocks(blocks, status=status, message=message)
        ! [/readme]

        largest = 0.0_dp
        parity = 0_int64
        do b = 1, size(mesh)
            largest = max(largest, error_at(mesh(b), unk(GPOT, is:ie, is:ie, is:ie, b)))
            parity = ieor(parity, iparity(transfer(unk(GPOT, is:ie, is:ie, is:ie, b), [0_int64])))
        end do
        before(GPOT, is:ie, is:ie, is:ie, :) = unk(GPOT, is:ie, is:ie, is:ie, :)
        if (any(abs(before - unk) > 0.0_dp)) largest = huge(largest)
    end subroutine

    ! The largest relative error at the cells around the centre, where Phi = density * (-c + 2/3 pi r^2), c a unit cube's self
    ! potential.
    real(dp) function error_at(block, potential)
        type(mesh_block), intent(in) :: block
        real(dp), intent(in) :: potential(:, :, :)
        real(dp), parameter :: c = 3.0_dp * log((sqrt(3.0_dp) + 1.0_dp) / (sqrt(3.0_dp) - 1.0_dp)) - 0.5_dp * pi
        real(dp) :: r, here
        integer :: i, j, k

        error_at = 0.0_dp
        do k = 1, n
            do j = 1, n
                do i = 1, n
                    r = norm2(block%lower + ([i, j, k] - 0.5_dp) * block%cell_size)
                    if (r > block%cell_size) cycle
                    here = abs(potential(i, j, k) / (density * (2.0_dp / 3.0_dp * pi * r**2 - c)) - 1.0_dp)
                    error_at = max(error_at, merge(here, huge(here), here < huge(here))) ! a NaN is huge
                end do
            end do
        end do
    end function
end program fortran_host
