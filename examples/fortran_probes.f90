! SPDX-License-Identifier: Apache-2.0
! Probes in Fortran: the field at places of the host's choice, where no mass is. They are points of mass 0. Here two stars, which
! rank 0 brings, are seen from a line of probes on every rank; ends with 1 if a probe sees anything but -G m/r.
program fortran_probes
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: stars = 2, probes = 100
    real(dp), parameter :: star_x(stars) = [-1.0_dp, 2.0_dp], star_mass(stars) = [3.0_dp, 1.0_dp], tolerance = 1.0e-6_dp
    real(dp), allocatable, target :: x(:), y(:), z(:), mass(:), potential(:)
    type(gravlet_solver) :: solver
    type(gravlet_points) :: points
    character(len=:), allocatable :: message
    integer :: rank, ierr, status, first, p, s
    real(dp) :: error, exact

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    first = merge(stars, 0, rank == 0) ! of the points here, so many are stars
    allocate (x(first + probes), y(first + probes), z(first + probes), mass(first + probes), potential(first + probes))
    x = [star_x(1:first), (-4.0_dp + 0.08_dp * (p - 1), p=1, probes)]
    y = 0.0_dp
    z = 0.0_dp
    mass = 0.0_dp
    y(first + 1:) = 0.5_dp + rank
    z(first + 1:) = 0.25_dp
    mass(1:first) = star_mass(1:first)

    points%x => x
    points%y => y
    points%z => z
    points%mass => mass
    points%potential => potential
    call solver%create(MPI_COMM_WORLD, status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message)

    error = merge(0.0_dp, huge(error), status == GRAVLET_SUCCESS)
    if (status == GRAVLET_SUCCESS) then
        do p = first + 1, size(x)
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
