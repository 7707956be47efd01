! SPDX-License-Identifier: Apache-2.0
! A host that was compiled with traps (gfortran -ffpe-trap): no solve ends it, and the traps stay on. Ends with 1 if not.
program traps
    use gravlet
    use mpi
    use, intrinsic :: ieee_exceptions
    use, intrinsic :: iso_c_binding, only: c_double
    implicit none

    integer, parameter :: n = 6, cells = n**3
    type(gravlet_solver) :: solver
    real(c_double) :: x(cells), y(cells), z(cells), side(cells), mass(cells), potential(cells), field(cells, 3)
    integer :: ierr, rank, i, j, k
    logical :: wrong

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    wrong = .false.
    do k = 1, n
        do j = 1, n
            do i = 1, n
                associate (c => i + n * (j - 1) + n * n * (k - 1))
                    x(c) = (i - 0.5_c_double) / n + rank
                    y(c) = (j - 0.5_c_double) / n
                    z(c) = (k - 0.5_c_double) / n
                    mass(c) = mod(c, 5) ! 0 for some
                end associate
            end do
        end do
    end do
    side = 1.0_c_double / n
    call solve('theta', '0.5')
    call solve('theta', '0')
    call solve('tolerance', '1e-3')
    call solve('criterion', 'acceleration')
    call solve('error_samples', '20')
    call solve('redistribute', 'true')
    call solve('boundary', 'periodic')
    call solve('boundary', '[periodic, isolated, periodic]')
    call solve('boundary', 'periodic', 'periodic_method', 'table')
    call solve('boundary', 'periodic', 'theta', '0')
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (wrong) error stop 1

contains

    ! With one option, or two, and two threads.
    subroutine solve(name, text, other_name, other_text)
        character(len=*), intent(in) :: name, text
        character(len=*), intent(in), optional :: other_name, other_text
        type(gravlet_options) :: options
        integer :: status, step
        logical :: halts(3)

        options = gravlet_default_options()
        call options%set('threads', '2')
        if (name == 'boundary') call options%set('domain', '[[0, 0, 0], [8, 1, 1]]')
        call options%set(name, text)
        if (present(other_name)) call options%set(other_name, other_text)
        call solver%create(MPI_COMM_WORLD, options)
        do step = 1, 2
            call solver%solve_cells(x, y, z, side, mass, potential, field(:, 1), field(:, 2), field(:, 3), status=status)
            call expect(status == GRAVLET_SUCCESS .and. all(potential < 1e3_c_double), name//' '//text)
        end do
        call ieee_get_halting_mode(ieee_divide_by_zero, halts(1))
        call ieee_get_halting_mode(ieee_invalid, halts(2))
        call ieee_get_halting_mode(ieee_overflow, halts(3))
        call expect(all(halts), 'traps after '//name//' '//text)
        call solver%destroy()
    end subroutine

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what

        if (.not. good) print '(2a)', 'not as expected: ', what
        wrong = wrong .or. .not. good
    end subroutine
end program
