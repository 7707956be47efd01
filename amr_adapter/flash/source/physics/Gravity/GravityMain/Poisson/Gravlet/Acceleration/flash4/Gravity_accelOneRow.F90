!! SPDX-License-Identifier: Apache-2.0
!! The acceleration along a row of cells, guard cells and all: as gravlet found it with the potential, plus the sinks'. Of a
!! potential that has none (another variable than gpot and gpol) differences, as the code's own routine has them.

!!REORDER(4): solnVec

subroutine Gravity_accelOneRow(pos, sweepDir, blockID, numCells, grav, potentialIndex, extraAccelVars)
  use Grid_interface, ONLY : Grid_getBlkPtr, Grid_getDeltas, Grid_releaseBlkPtr
  use grv_gravletRow, ONLY : grv_gravletAxis, grv_gravletDifferences, grv_gravletVariablesOf
  implicit none
#include "constants.h"

  integer, intent(IN) :: pos(2), sweepDir, blockID, numCells
  real, intent(INOUT) :: grav(numCells)
  integer, intent(IN), optional :: potentialIndex
  integer, intent(IN), optional :: extraAccelVars(MDIM)

  real, pointer :: solnVec(:,:,:,:)
  real :: deltas(MDIM)
  integer :: axis, potential, field, sinks

  axis = grv_gravletAxis(sweepDir)
  call grv_gravletVariablesOf(axis, potential, field, sinks, potentialIndex, extraAccelVars)

  call Grid_getBlkPtr(blockID, solnVec, CENTER)
  if (field > 0) then
     grav = row(field)
  else
     call Grid_getDeltas(blockID, deltas)
     grav = grv_gravletDifferences(row(potential), deltas(axis))
  end if
  if (sinks > 0) grav = grav + row(sinks)
  call Grid_releaseBlkPtr(blockID, solnVec, CENTER)

contains

  function row(variable)
    integer, intent(IN) :: variable
    real :: row(numCells)

    select case (axis)
    case (1)
       row = solnVec(variable, :, pos(1), pos(2))
    case (2)
       row = solnVec(variable, pos(1), :, pos(2))
    case (3)
       row = solnVec(variable, pos(1), pos(2), :)
    end select
  end function row
end subroutine Gravity_accelOneRow
