!! SPDX-License-Identifier: Apache-2.0
!! What gravlet says while it works goes to the log file and, with grv_gravletTimers, to timers of its stages.
module gr_gravletListener
  use gravlet, ONLY : gravlet_listener
  use, intrinsic :: iso_c_binding, ONLY : c_double
  implicit none
  private

  type, extends(gravlet_listener), public :: gr_gravletListener_t
     logical :: timers = .FALSE.
   contains
     procedure :: warning
     procedure :: progress
     procedure :: begin_stage
     procedure :: end_stage
  end type gr_gravletListener_t

contains

  subroutine warning(self, text)
    use Logfile_interface, ONLY : Logfile_stampMessage
    class(gr_gravletListener_t), intent(INOUT) :: self
    character(len=*), intent(IN) :: text

    call Logfile_stampMessage("[gravlet] warning: " // text)
  end subroutine warning

  subroutine progress(self, what, done)
    use Logfile_interface, ONLY : Logfile_stampMessage
    class(gr_gravletListener_t), intent(INOUT) :: self
    character(len=*), intent(IN) :: what
    real(c_double), intent(IN) :: done
    character(len=4) :: percent

    write (percent, '(I3, "%")') nint(100 * done)
    call Logfile_stampMessage("[gravlet] " // what // ":" // percent)
  end subroutine progress

  subroutine begin_stage(self, stage)
    use Timers_interface, ONLY : Timers_start
    class(gr_gravletListener_t), intent(INOUT) :: self
    character(len=*), intent(IN) :: stage

    if (self%timers) call Timers_start("gravlet " // stage)
  end subroutine begin_stage

  subroutine end_stage(self, stage)
    use Timers_interface, ONLY : Timers_stop
    class(gr_gravletListener_t), intent(INOUT) :: self
    character(len=*), intent(IN) :: stage

    if (self%timers) call Timers_stop("gravlet " // stage)
  end subroutine end_stage
end module gr_gravletListener
