! SPDX-License-Identifier: Apache-2.0
! A box that repeats in all directions (docs/guide/boundaries.md), with one mass in it: a lattice, whose potential at the mass is
! known, and which pulls nowhere. Ends with 1 if either is wrong, or if gravlet reports an error.
program periodic_box
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    real(dp), target :: x(1), y(1), z(1), mass(1), potential(1), a(1, 3)
    type(gravlet_solver) :: solver
    type(gravlet_options) :: options
    character(len=:), allocatable :: message
    integer :: status, ierr

    x = 0.3_dp
    y = 0.4_dp
    z = 0.6_dp
    mass = 1
    call MPI_Init(ierr)

    options%boundary = GRAVLET_PERIODIC
    options%has_domain = .true.
    options%domain_lower = 0
    options%domain_upper = 1
    call solver%create(MPI_COMM_SELF, options, status, message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(gravlet_points(x=x, y=y, z=z, mass=mass, potential=potential, &
        acceleration_x=a(:, 1), acceleration_y=a(:, 2), acceleration_z=a(:, 3)), status, message)
    if (status /= GRAVLET_SUCCESS) write (error_unit, '(2a)') 'gravlet: ', message
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS) error stop 1

    print '(a, f10.7, a, es8.1)', 'potential', potential(1), ', pull', norm2(a)
    ! Ewald's sum: of all images, and the mean density taken off.
    if (.not. abs(potential(1) - 2.8372975_dp) < 1.0e-7_dp .or. .not. norm2(a) < 1.0e-8_dp) error stop 1
end program periodic_box
