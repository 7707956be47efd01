!! SPDX-License-Identifier: Apache-2.0
!! What Flash-X calls of Gravity, the same from both stand-ins.
#include "constants.h"
module gravity_calls
  use Grid_tile, ONLY : Grid_tile_t, tileOf
  use mesh, ONLY : cells, guards
  implicit none

  integer, parameter :: sweeps(3) = [SWEEP_X, SWEEP_Y, SWEEP_Z]

  interface
     subroutine Gravity_accelOneRow(pos, sweepDir, tileDesc, lo, hi, grav, Uin, potentialIndex, extraAccelVars)
       use Grid_tile, ONLY : Grid_tile_t
       integer, intent(IN) :: pos(2), sweepDir
       type(Grid_tile_t), intent(IN) :: tileDesc
       integer, intent(IN) :: lo, hi
       real, intent(INOUT) :: grav(lo:hi)
       real, pointer, optional :: Uin(:,:,:,:)
       integer, intent(IN), optional :: potentialIndex
       integer, intent(IN), optional :: extraAccelVars(MDIM)
     end subroutine Gravity_accelOneRow

     subroutine Gravity_computeDt(Uin, dt_grav, dt_minloc)
       real :: Uin(:,:,:,:)
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
    type(Grid_tile_t) :: tile
    integer :: others(2)

    tile = tileOf(block)
    others = pack(tile%blkLimitsGC(LOW, :), [1, 2, 3] /= axis) - 1 + pos
    call Gravity_accelOneRow(others, sweeps(axis), tile, tile%blkLimitsGC(LOW, axis), tile%blkLimitsGC(HIGH, axis), grav, &
         potentialIndex=potential)
  end function row

  real function timeStep()
    real :: none(1,1,1,1) = 0.
    integer :: location(5) = 0

    call Gravity_computeDt(none, timeStep, location)
  end function timeStep
end module gravity_calls
