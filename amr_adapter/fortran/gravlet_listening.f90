! SPDX-License-Identifier: Apache-2.0
! What a host hears of a solver while it works (listener.hpp): it extends gravlet_listener, and hands a variable of that type to
! create(). Hosts use the module gravlet.
!
!     type, extends(gravlet_listener) :: timers
!     contains
!         procedure :: begin_stage => start_timer
!         procedure :: end_stage => stop_timer
!     end type
module gravlet_listening
    use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_funloc, c_int, c_loc, c_ptr
    use gravlet_c, only: c_listener, to_text
    implicit none
    private

    public :: gravlet_listener, lent_listener, lend_listener

    ! Hears on each rank of that rank, from within the solver's calls. Its procedures must not call the solver nor communicate.
    type :: gravlet_listener
        real(c_double) :: interval = 1.0_c_double ! seconds until, and between, calls of progress()
    contains
        procedure :: warning     ! what the report's warnings will say too, at once
        procedure :: begin_stage ! a stage of a solve, named as in its report; one at a time, and each ends
        procedure :: end_stage
        procedure :: progress    ! 0 to 1, of what takes long and is done once
        procedure :: cancelled   ! whether the solve is to end
    end type

    ! A host's listener as C takes it. It stays where it is while C knows it.
    type :: lent_listener
        private
        class(gravlet_listener), pointer :: host => null()
        type(c_listener) :: c
    end type

contains

    type(c_ptr) function lend_listener(listener, lent)
        class(gravlet_listener), intent(inout), target :: listener
        type(lent_listener), intent(inout), target :: lent

        lent%host => listener
        lent%c = c_listener(c_loc(lent), c_funloc(hear_warning), c_funloc(hear_begin), c_funloc(hear_end), &
            c_funloc(hear_progress), listener%interval, c_funloc(ask_cancelled))
        lend_listener = c_loc(lent%c)
    end function

    ! Nothing, unless the host's type has others.
    subroutine warning(self, text)
        class(gravlet_listener), intent(inout) :: self
        character(len=*), intent(in) :: text

    end subroutine

    subroutine begin_stage(self, stage)
        class(gravlet_listener), intent(inout) :: self
        character(len=*), intent(in) :: stage

    end subroutine

    subroutine end_stage(self, stage)
        class(gravlet_listener), intent(inout) :: self
        character(len=*), intent(in) :: stage

    end subroutine

    subroutine progress(self, what, done)
        class(gravlet_listener), intent(inout) :: self
        character(len=*), intent(in) :: what
        real(c_double), intent(in) :: done

    end subroutine

    logical function cancelled(self)
        class(gravlet_listener), intent(inout) :: self

        cancelled = .false.
    end function

    ! What C calls.

    subroutine hear_warning(context, text) bind(C)
        type(c_ptr), value :: context, text
        type(lent_listener), pointer :: lent

        call c_f_pointer(context, lent)
        call lent%host%warning(to_text(text))
    end subroutine

    subroutine hear_begin(context, stage) bind(C)
        type(c_ptr), value :: context, stage
        type(lent_listener), pointer :: lent

        call c_f_pointer(context, lent)
        call lent%host%begin_stage(to_text(stage))
    end subroutine

    subroutine hear_end(context, stage) bind(C)
        type(c_ptr), value :: context, stage
        type(lent_listener), pointer :: lent

        call c_f_pointer(context, lent)
        call lent%host%end_stage(to_text(stage))
    end subroutine

    subroutine hear_progress(context, what, done) bind(C)
        type(c_ptr), value :: context, what
        real(c_double), value :: done
        type(lent_listener), pointer :: lent

        call c_f_pointer(context, lent)
        call lent%host%progress(to_text(what), done)
    end subroutine

    integer(c_int) function ask_cancelled(context) bind(C)
        type(c_ptr), value :: context
        type(lent_listener), pointer :: lent

        call c_f_pointer(context, lent)
        ask_cancelled = merge(1_c_int, 0_c_int, lent%host%cancelled())
    end function

end module
