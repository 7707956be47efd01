! SPDX-License-Identifier: Apache-2.0
! Probes in Fortran: the field at places of the host's choice, where no mass is. Here two stars, which rank 0 brings, are seen from a line of probes on every rank; ends with 1 if a probe sees anything but -G m/r.
program fortran_probes
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: stars = 2, places = 100
    real(dp), parameter :: star_x(stars) = [-1.0_dp, 2.0_dp], star_mass(stars) = [3.0_dp, 1.0_dp], tolerance = 1.0e-6_dp
    real(dp), allocatable, target :: at(:), mass(:), zeros(:)
    real(dp), target :: x(places), y(places), z(places), potential(places)
    type(gravlet_solver) :: solver
    type(gravlet_points) :: points, probes
    character(len=:), allocatable :: message
    integer :: rank, ierr, status, here, p, s
    real(dp) :: error, exact

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    here = merge(stars, 0, rank == 0)
    allocate (at(here), mass(here), zeros(here))
    at = star_x(1:here)
    mass = star_mass(1:here)
    zeros = 0.0_dp
    points%x => at
    points%y => zeros
    points%z => zeros
    points%mass => mass

    x = [(-4.0_dp + 0.08_dp * (p - 1), p=1, places)]
    y = 0.5_dp + rank
    z = 0.25_dp
    probes%x => x
    probes%y => y
    probes%z => z
    probes%potential => potential
    call solver%create(MPI_COMM_WORLD, status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message, probes)

    error = merge(0.0_dp, huge(error), status == GRAVLET_SUCCESS)
    if (status == GRAVLET_SUCCESS) then
        do p = 1, places
            exact = 0.0_dp
            do s = 1, stars
                exact = exact - star_mass(s) / norm2([x(p) - star_x(s), y(p), z(p)])
            end do
            error = max(error, abs(potential(p) / exact - 1.0_dp))
        end do
    else if (rank == 0) then ! the same on every rank
        write (error_unit, '(2a)') 'gravlet: ', message
    end if
    call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a, es9.2)', 'largest relative error at the probes ', error
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (.not. error < tolerance) error stop 1
end program fortran_probes
