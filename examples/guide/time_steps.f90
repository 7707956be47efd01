! SPDX-License-Identifier: Apache-2.0
! Time steps of a host (docs/guide/time.md): a solve for all points, one for those alone whose steps end now, and a restart from
! a checkpoint. Ends with 1 if a point that is not active is written, or if the restarted solver has other bits.
program time_steps
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: dp => c_double, c_int8_t
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: everyone = 2000
    real(dp), allocatable, target :: x(:), y(:), z(:), mass(:), potential(:), restarted(:)
    integer(c_int8_t), allocatable, target :: active(:)
    real(dp) :: learned(GRAVLET_STEERING_SIZE)
    type(gravlet_solver) :: solver, other
    type(gravlet_options) :: options
    type(gravlet_points) :: points
    type(gravlet_report) :: report
    character(len=:), allocatable :: message
    integer :: rank, ranks, provided, first, n, i, status, ierr
    logical :: wrong

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    first = everyone * rank / ranks
    n = everyone * (rank + 1) / ranks - first
    x = [((first + i - 0.5_dp) / everyone, i=1, n)]
    y = [(modulo((first + i - 1) * 0.7548776662466927_dp, 1.0_dp), i=1, n)]
    z = [(modulo((first + i - 1) * 0.5698402909980532_dp, 1.0_dp), i=1, n)]
    mass = spread(1.0_dp / everyone, 1, n)
    allocate (potential(n), restarted(n))
    points = gravlet_points(x=x, y=y, z=z, mass=mass, potential=potential)

    options%tolerance = 1.0e-4_dp
    call solver%create(MPI_COMM_WORLD, options, status, message)
    if (status == GRAVLET_SUCCESS) call other%create(MPI_COMM_WORLD, options, status, message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message)

    ! Every tenth point's step ends now; nothing has moved since the last solve.
    active = [(merge(1_c_int8_t, 0_c_int8_t, modulo(i, 10) == 1), i=1, n)]
    potential(2) = -1
    points%active => active
    if (status == GRAVLET_SUCCESS) call solver%only_changed(status=status, message=message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message)
    points%active => null()
    if (status == GRAVLET_SUCCESS) call solver%get_report(report, status, message)
    wrong = abs(potential(2) + 1) > 0 .or. report%targets > everyone / 10 + ranks

    ! What the tolerance has learned goes into a checkpoint, and into the solver of the run that goes on from it.
    if (status == GRAVLET_SUCCESS) call solver%get_steering(learned, status, message)
    if (status == GRAVLET_SUCCESS) call other%set_steering(learned, status, message)
    if (status == GRAVLET_SUCCESS) call solver%solve_points(points, status, message)
    points%potential => restarted
    if (status == GRAVLET_SUCCESS) call other%solve_points(points, status, message)
    if (status /= GRAVLET_SUCCESS .and. rank == 0) write (error_unit, '(2a)') 'gravlet: ', message
    if (status == GRAVLET_SUCCESS) wrong = wrong .or. any(abs(restarted - potential) > 0)

    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a)', trim(merge('wrong                                         ', &
        'few targets, and the same bits after a restart', wrong))
    call other%destroy()
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS .or. wrong) error stop 1
end program time_steps
