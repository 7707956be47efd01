!! SPDX-License-Identifier: Apache-2.0
!! Collective. What the points alone do, at the blocks: by a solver of its own, with the options and the G of the last potential.
subroutine gr_gravletSolveSinks(blocks, points)
  use gravlet, ONLY : gravlet_block, gravlet_last_error, gravlet_options, gravlet_points, GRAVLET_SUCCESS
  use gr_gravletData, ONLY : gr_gravletOptions
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletSinkData, ONLY : solver => gr_gravletSinkSolver
  use Driver_interface, ONLY : Driver_getComm
  implicit none
#include "constants.h"

  type(gravlet_block), intent(IN) :: blocks(:)
  type(gravlet_points), intent(IN) :: points
  type(gravlet_options) :: options
  integer :: comm, status

  if (.not. solver%is_created()) then
     options = gr_gravletOptions
     options%acting_classes = 2   ! of cells, which are of class 0, and points, of class 1, the latter
     call Driver_getComm(MESH_COMM, comm)
     call solver%create(comm, options, status=status)
     call check()
  end if
  call solver%set_G(gr_gravletOptions%G, status)
  call check()
  call solver%solve_blocks(blocks, points, status=status)
  call check()

contains

  subroutine check()
    if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletSolveSinks] gravlet: " // gravlet_last_error())
  end subroutine check
end subroutine gr_gravletSolveSinks
