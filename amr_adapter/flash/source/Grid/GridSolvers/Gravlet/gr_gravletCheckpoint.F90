!! SPDX-License-Identifier: Apache-2.0
!! What a tolerance has learned, as scalars of the checkpoint: a run that goes on from it has the bits of one that went on.
subroutine gr_gravletToCheckpoint()
  use gravlet, ONLY : GRAVLET_STEERING_SIZE
  use gr_gravletData, ONLY : options => gr_gravletOptions, solver => gr_gravletSolver, gr_gravletScalar
  use IO_interface, ONLY : IO_setScalar
  implicit none

  real :: state(GRAVLET_STEERING_SIZE)
  integer :: i

  if (options%tolerance == 0.) return
  call solver%get_steering(state)
  do i = 1, size(state)
     call IO_setScalar(gr_gravletScalar(i), state(i))
  end do
end subroutine gr_gravletToCheckpoint

!! Of a run that goes on from a checkpoint, once; one that does not finds no such scalars.
subroutine gr_gravletFromCheckpoint()
  use gravlet, ONLY : gravlet_last_error, GRAVLET_STEERING_SIZE, GRAVLET_SUCCESS
  use gr_gravletData, ONLY : options => gr_gravletOptions, solver => gr_gravletSolver, gr_gravletScalar
  use gr_gravletHost, ONLY : gr_gravletAbort
  use IO_interface, ONLY : IO_getPrevScalar
  implicit none

  real :: state(GRAVLET_STEERING_SIZE)
  integer :: i, error

  if (options%tolerance == 0.) return
  do i = 1, size(state)
     call IO_getPrevScalar(gr_gravletScalar(i), state(i), error)
     if (error /= 0) return
  end do
  call solver%set_steering(state, error)
  if (error /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletFromCheckpoint] gravlet: " // gravlet_last_error())
end subroutine gr_gravletFromCheckpoint

!! Whether blocks hold what lazy solves have left there, in this run or, if it goes on from a checkpoint, in the one before: the
!! first solve is for all blocks.
logical function gr_gravletMayLook()
  use gr_gravletData, ONLY : gr_gravletHolds, gr_gravletLazyScalar
  use IO_interface, ONLY : IO_getPrevScalar
  implicit none

  real :: value
  integer :: error

  if (.not. gr_gravletHolds) then
     call IO_getPrevScalar(gr_gravletLazyScalar, value, error)
     gr_gravletHolds = error == 0
  end if
  gr_gravletMayLook = gr_gravletHolds
end function gr_gravletMayLook

subroutine gr_gravletHaveSolved()
  use gr_gravletData, ONLY : gr_gravletHolds, gr_gravletLazyScalar
  use IO_interface, ONLY : IO_setScalar
  implicit none

  gr_gravletHolds = .TRUE.
  call IO_setScalar(gr_gravletLazyScalar, 1.)
end subroutine gr_gravletHaveSolved
