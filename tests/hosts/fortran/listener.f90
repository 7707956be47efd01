! SPDX-License-Identifier: Apache-2.0
! A Fortran host that listens to a solver. Ends with 1 if it hears something else than it should.
module host_listener
    use gravlet
    use, intrinsic :: iso_c_binding, only: c_double
    implicit none

    type, extends(gravlet_listener) :: counter
        integer :: begun = 0, ended = 0, told = 0
        character(len=32) :: open = ''
        real(c_double) :: done = 0.0_c_double
        logical :: wrong = .false.
    contains
        procedure :: begin_stage => note_begin
        procedure :: end_stage => note_end
        procedure :: progress => note_progress
    end type

    ! Ends solves.
    type, extends(gravlet_listener) :: canceller
        logical :: cancels = .true.
    contains
        procedure :: cancelled => cancel
    end type

    ! Calls its own solver, as it must not.
    type, extends(gravlet_listener) :: meddler
        type(gravlet_solver), pointer :: solver => null()
        integer :: refused = 0
        logical :: wrong = .false.
    contains
        procedure :: begin_stage => meddle
    end type

contains

    logical function cancel(self)
        class(canceller), intent(inout) :: self

        cancel = self%cancels
    end function

    subroutine meddle(self, stage)
        class(meddler), intent(inout) :: self
        character(len=*), intent(in) :: stage
        real(c_double) :: none(0), results(0)
        integer :: status

        call self%solver%solve_cells(none, none, none, none, none, results, status=status)
        call note()
        call self%solver%create(0, status=status)
        call note()
        call self%solver%destroy(status=status)
        call note()
        self%wrong = self%wrong .or. stage == ''

    contains

        subroutine note()
            self%refused = self%refused + 1
            self%wrong = self%wrong .or. status /= GRAVLET_INVALID_INPUT .or. .not. self%solver%is_created()
        end subroutine
    end subroutine

    subroutine note_begin(self, stage)
        class(counter), intent(inout) :: self
        character(len=*), intent(in) :: stage

        self%wrong = self%wrong .or. self%open /= ''
        self%open = stage
        self%begun = self%begun + 1
    end subroutine

    subroutine note_end(self, stage)
        class(counter), intent(inout) :: self
        character(len=*), intent(in) :: stage

        self%wrong = self%wrong .or. self%open /= stage
        self%open = ''
        self%ended = self%ended + 1
    end subroutine

    subroutine note_progress(self, what, done)
        class(counter), intent(inout) :: self
        character(len=*), intent(in) :: what
        real(c_double), intent(in) :: done

        self%wrong = self%wrong .or. what /= 'periodic kernel' .or. done < self%done
        self%done = done
        self%told = self%told + 1
    end subroutine
end module

program listener
    use gravlet
    use host_listener
    use mpi
    use, intrinsic :: iso_c_binding, only: c_double
    implicit none

    type(counter), target :: heard
    type(gravlet_listener), target :: deaf
    type(meddler), target :: meddling
    type(canceller), target :: cancelling
    type(gravlet_solver), target :: solver
    type(gravlet_options) :: options
    type(gravlet_report) :: report
    integer :: ierr, before

    call MPI_Init(ierr)
    options = gravlet_default_options()
    call options%set('boundary', 'periodic')
    call options%set('domain', '0 0 0 1 1 1')
    heard%interval = 1e-9_c_double
    call solver%create(MPI_COMM_WORLD, options, listener=heard)
    call solve()
    call solver%get_report(report)
    call expect(heard%begun >= size(report%stages) .and. heard%begun == heard%ended, 'stages')
    call expect(heard%told > 0 .and. .not. heard%done < 1.0_c_double .and. .not. heard%wrong, 'progress')
    before = heard%begun
    call solver%create(MPI_COMM_WORLD, options, listener=deaf)
    call solve()
    call solver%create(MPI_COMM_WORLD, options)
    call solve()
    call expect(heard%begun == before, 'heard of another solver')
    meddling%solver => solver
    call solver%create(MPI_COMM_WORLD, listener=meddling)
    call solve()
    call solve()
    call expect(meddling%refused > 20 .and. .not. meddling%wrong, 'calls from a listener')
    call solver%create(MPI_COMM_WORLD, listener=cancelling)
    call solve(GRAVLET_CANCELLED)
    cancelling%cancels = .false.
    call solve()
    call solver%destroy()
    call MPI_Finalize(ierr)
    if (heard%wrong) error stop 1

contains

    ! A cell of each rank. wanted: the status, if not GRAVLET_SUCCESS; results are left alone then.
    subroutine solve(wanted)
        integer, intent(in), optional :: wanted
        real(c_double) :: x(1), half(1), side(1), potential(1)
        integer :: rank, status, code

        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
        x = 0.1_c_double + 0.2_c_double * rank
        half = 0.5_c_double
        side = 0.1_c_double
        code = GRAVLET_SUCCESS
        if (present(wanted)) code = wanted
        potential = 99.0_c_double
        call solver%solve_cells(x, half, half, side, side, potential, status=status)
        call expect(status == code .and. (potential(1) < 0.0_c_double .eqv. code == GRAVLET_SUCCESS), 'solve')
    end subroutine

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what

        if (.not. good) print '(2a)', 'not as expected: ', what
        heard%wrong = heard%wrong .or. .not. good
    end subroutine
end program
