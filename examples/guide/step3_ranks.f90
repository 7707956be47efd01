! SPDX-License-Identifier: Apache-2.0
! Step 3 of the guide (docs/guide/first_solve.md): each rank brings its share of 3000 points. One mass is wrong at first, which
! all ranks hear of; then the report of a solve is read. Ends with 1 if the wrong mass is not refused, or the report is not as it
! has to be.
program step3_ranks
    use gravlet
    use mpi
    use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
    use, intrinsic :: iso_c_binding, only: dp => c_double
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none

    integer, parameter :: everyone = 3000
    real(dp), allocatable, target :: x(:), y(:), z(:), mass(:), potential(:), acceleration(:, :)
    type(gravlet_solver) :: solver
    type(gravlet_options) :: options
    type(gravlet_points) :: points
    type(gravlet_report) :: report
    character(len=:), allocatable :: message
    integer :: rank, ranks, provided, first, n, i, status, ierr
    logical :: refused

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    first = everyone * rank / ranks
    n = everyone * (rank + 1) / ranks - first
    allocate (potential(n), acceleration(n, 3))
    x = [((first + i - 0.5_dp) / everyone, i=1, n)] ! spread evenly over the unit cube
    y = [(modulo((first + i - 1) * 0.7548776662466927_dp, 1.0_dp), i=1, n)]
    z = [(modulo((first + i - 1) * 0.5698402909980532_dp, 1.0_dp), i=1, n)]
    mass = spread(1.0_dp / everyone, 1, n)
    points = gravlet_points(x=x, y=y, z=z, mass=mass, potential=potential, acceleration_x=acceleration(:, 1), &
        acceleration_y=acceleration(:, 2), acceleration_z=acceleration(:, 3))

    options%softening = 0.01_dp
    options%error_samples = 200 ! compare so many targets with the direct sum, after each solve
    call solver%create(MPI_COMM_WORLD, options, status, message)
    refused = .false.
    if (status == GRAVLET_SUCCESS) then
        if (rank == ranks - 1) mass(1) = ieee_value(mass(1), ieee_quiet_nan)
        call solver%solve_points(points, status, message)
        refused = status == GRAVLET_INVALID_INPUT ! on every rank, with the same message; results are untouched
        if (refused .and. rank == 0) print '(2a)', 'refused: ', message
        mass(1) = 1.0_dp / everyone
        call solver%solve_points(points, status, message) ! the solver is as good as before
    end if
    if (status == GRAVLET_SUCCESS) call solver%get_report(report, status, message)
    if (status /= GRAVLET_SUCCESS .and. rank == 0) write (error_unit, '(2a)') 'gravlet: ', message

    if (status == GRAVLET_SUCCESS .and. rank == 0) then
        print '(i0, a, i0, a, es9.2, 2a)', report%targets, ' targets on ', report%ranks, ' ranks took ', report%seconds, &
            ' s on ', report%backend
        print '(a, es9.2)', '99 in 100 accelerations err by less than ', report%acceleration_error%p99
        do i = 1, size(report%warnings)
            print '(2a)', 'warning: ', trim(report%warnings(i))
        end do
    end if
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (status /= GRAVLET_SUCCESS .or. .not. refused) error stop 1
    if (report%targets /= everyone .or. .not. report%acceleration_error%p99 < 6.0e-5_dp) error stop 1
end program step3_ranks
