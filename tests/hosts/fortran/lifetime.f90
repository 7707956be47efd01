! SPDX-License-Identifier: Apache-2.0
! Solvers end in every way that a Fortran program has: by destroy(), once and again; by create() anew; when they go out of scope
! or are deallocated; and after MPI_Finalize. Ends with 1 if a call says something else than it should.
program lifetime
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: c_double, c_int8_t
    implicit none

    type(gravlet_solver) :: late, again
    type(gravlet_solver), allocatable :: several(:)
    real(c_double) :: potential(2)
    integer :: ierr, status, i
    logical :: wrong

    wrong = .false.
    call again%destroy(status) ! never created, and before MPI_Init
    call expect(status == GRAVLET_SUCCESS .and. .not. again%is_created())
    call is_missed(again)

    call MPI_Init(ierr)
    do i = 1, 3
        call again%create(MPI_COMM_WORLD, status=status)
        call expect(status == GRAVLET_SUCCESS .and. again%is_created())
    end do
    call again%destroy(status)
    call expect(status == GRAVLET_SUCCESS .and. .not. again%is_created())
    call again%destroy(status)
    call expect(status == GRAVLET_SUCCESS)
    call is_missed(again)

    do i = 1, 100
        call in_scope()
    end do
    allocate (several(2))
    call several(1)%create(MPI_COMM_WORLD)
    call several(2)%create(MPI_COMM_SELF)
    call solve(several(2), 1.0_c_double)
    deallocate (several)

    call late%create(MPI_COMM_WORLD)
    call solve(late, 2.0_c_double)
    call changes(late)
    call MPI_Finalize(ierr)
    call late%destroy(status)
    call expect(status == GRAVLET_SUCCESS .and. .not. late%is_created())
    if (wrong) error stop 1

contains

    subroutine in_scope()
        type(gravlet_solver) :: solver

        call solver%create(MPI_COMM_WORLD, status=status)
        call expect(status == GRAVLET_SUCCESS)
    end subroutine

    ! Two cells of mass 1, a distance apart; each rank has its own pair, far from the others'.
    subroutine solve(solver, distance, G)
        type(gravlet_solver), intent(in) :: solver
        real(c_double), intent(in) :: distance
        real(c_double), intent(in), optional :: G
        real(c_double) :: x(2), zero(2), side(2), mass(2)
        integer :: rank

        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
        x = 1.0e6_c_double * rank + [0.0_c_double, distance]
        zero = 0.0_c_double
        side = 1.0_c_double
        mass = 1.0_c_double
        call solver%solve_cells(x, zero, zero, side, mass, potential, status=status)
        call expect(status == GRAVLET_SUCCESS)
        ! c of docs/algorithm.md's self term
        if (present(G)) mass = G
        call expect(all(abs(potential + mass * (2.3800774_c_double + 1.0_c_double / distance)) < 1.0e-5_c_double * mass))
    end subroutine

    ! A solver that is not there says so.
    subroutine is_missed(solver)
        type(gravlet_solver), intent(in) :: solver
        character(len=:), allocatable :: message
        real(c_double) :: none(0)

        call solver%solve_cells(none, none, none, none, none, none, status=status, message=message)
        call expect(status == GRAVLET_INVALID_INPUT .and. message == 'the solver was not created, or is destroyed: create it first')
    end subroutine

    ! What changes between solves: G, and what a tolerance knows.
    subroutine changes(solver)
        type(gravlet_solver), intent(in) :: solver
        real(c_double) :: before(2), state(GRAVLET_STEERING_SIZE), none(0)
        character(len=:), allocatable :: message

        before = potential
        call solver%set_G(4.0_c_double, status)
        call expect(status == GRAVLET_SUCCESS)
        call solver%set_G(-1.0_c_double, status, message)
        call expect(status == GRAVLET_INVALID_OPTION .and. index(message, 'G is -1') > 0)
        call solve(solver, 2.0_c_double, 4.0_c_double)
        call expect(all(abs(potential - 4.0_c_double * before) <= 0.0_c_double))

        call solver%only_changed(status=status)
        call expect(status == GRAVLET_SUCCESS)
        call solve(solver, 2.0_c_double, 4.0_c_double)
        call expect(all(abs(potential - 4.0_c_double * before) <= 0.0_c_double))
        call solver%only_changed([1_c_int8_t, 0_c_int8_t], status, message)
        call expect(status == GRAVLET_SUCCESS .and. message == '')
        call solve(solver, 2.0_c_double, 4.0_c_double)
        call expect(all(abs(potential - 4.0_c_double * before) <= 0.0_c_double))

        call solver%drifted(none, none, none, 1.0_c_double, status, message)
        call expect(status == GRAVLET_SUCCESS .and. message == '')
        call solve(solver, 2.0_c_double, 4.0_c_double)
        call solver%drifted([1.0_c_double], none, none, 1.0_c_double, status, message)
        call expect(status == GRAVLET_INVALID_INPUT)
        call solver%get_steering(state, status)
        call expect(status == GRAVLET_SUCCESS .and. all(abs(state) <= 0.0_c_double))
        call solver%set_steering(state, status)
        call expect(status == GRAVLET_SUCCESS)
        state(1) = -1.0_c_double
        call solver%set_steering(state, status, message)
        call expect(status == GRAVLET_INVALID_INPUT .and. index(message, 'steering: ') > 0)

        call solver%set_softening(-1.0_c_double, status, message)
        call expect(status == GRAVLET_INVALID_OPTION .and. index(message, 'softening is -1') > 0)
        call solver%set_domain([1.0_c_double, 0.0_c_double, 0.0_c_double], [0.0_c_double, 1.0_c_double, 1.0_c_double], status, &
            message)
        call expect(status == GRAVLET_INVALID_OPTION .and. index(message, 'domain: from 1 to 0') > 0)
        call solver%set_softening(0.5_c_double, status)
        call expect(status == GRAVLET_SUCCESS)
        call solver%set_domain([-9.0_c_double, -9.0_c_double, -9.0_c_double], [9.0e6_c_double, 9.0_c_double, 9.0_c_double], status)
        call expect(status == GRAVLET_SUCCESS)
        call solver%set_shear(0.5_c_double, status, message)
        call expect(status == GRAVLET_INVALID_OPTION .and. index(message, 'must be periodic in x and y') > 0)
        call solver%set_shear(0.0_c_double, status)
        call expect(status == GRAVLET_SUCCESS)
        call solve(solver, 2.0_c_double, 4.0_c_double)  ! of cells, which have no softening
        call expect(all(abs(potential - 4.0_c_double * before) <= 1.0e-6_c_double * abs(before)))
    end subroutine

    subroutine expect(condition)
        logical, intent(in) :: condition

        if (.not. condition) wrong = .true.
    end subroutine
end program lifetime
