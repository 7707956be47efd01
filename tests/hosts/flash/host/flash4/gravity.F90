!! SPDX-License-Identifier: Apache-2.0
!! What FLASH4 calls of Gravity, the same from both stand-ins.
#include "constants.h"
module gravity_calls
  use mesh, ONLY : cells, guards
  implicit none

  integer, parameter :: sweeps(3) = [SWEEP_X, SWEEP_Y, SWEEP_Z]

  interface
     subroutine Gravity_accelOneRow(pos, sweepDir, blockID, numCells, grav, potentialIndex, extraAccelVars)
       integer, intent(IN) :: pos(2), sweepDir, blockID, numCells
       real, intent(INOUT) :: grav(numCells)
       integer, intent(IN), optional :: potentialIndex
       integer, intent(IN), optional :: extraAccelVars(MDIM)
     end subroutine Gravity_accelOneRow

     subroutine Gravity_computeDt(blockID, dt_grav, dt_minloc)
       integer, intent(IN) :: blockID
       real, intent(OUT) :: dt_grav
       integer, intent(INOUT) :: dt_minloc(5)
     end subroutine Gravity_computeDt
  end interface

contains

  !! Along the axis through a block, `pos` its cell in the other two, counted from the first guard cell on.
  function row(block, axis, pos, potential) result(grav)
    integer, intent(IN) :: block, axis, pos(2)
    integer, intent(IN), optional :: potential
    real :: grav(cells(axis) + 2*guards)

    call Gravity_accelOneRow(pos, sweeps(axis), block, size(grav), grav, potential)
  end function row

  real function timeStep()
    integer :: location(5) = 0

    call Gravity_computeDt(1, timeStep, location)
  end function timeStep
end module gravity_calls
