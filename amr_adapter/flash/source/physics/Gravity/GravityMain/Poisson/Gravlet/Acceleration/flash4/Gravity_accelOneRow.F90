!! SPDX-License-Identifier: Apache-2.0
!! The acceleration along a row of cells, guard cells and all: as gravlet found it with the potential, plus the sinks'. Of a
!! potential that has none (another variable than gpot and gpol) differences, as the code's own routine has them.

!!REORDER(4): solnVec

subroutine Gravity_accelOneRow(pos, sweepDir, blockID, numCells, grav, potentialIndex, extraAccelVars)
  use Gravity_data, ONLY : grv_defaultGpotVar
  use Grid_interface, ONLY : Grid_getBlkPtr, Grid_getDeltas, Grid_releaseBlkPtr
  use gr_gravletHost, ONLY : gr_gravletFieldOf, gr_gravletSinkFieldOf
  implicit none
#include "constants.h"
#include "Flash.h"

  integer, intent(IN) :: pos(2), sweepDir, blockID, numCells
  real, intent(INOUT) :: grav(numCells)
  integer, intent(IN), optional :: potentialIndex
  integer, intent(IN), optional :: extraAccelVars(MDIM)

  real, pointer :: solnVec(:,:,:,:)
  real :: deltas(MDIM), phi(numCells)
  integer :: field(MDIM), sinks(MDIM), potential, axis

  potential = GPOT_VAR
  if (grv_defaultGpotVar > 0) potential = grv_defaultGpotVar
  if (present(potentialIndex)) potential = potentialIndex
  field = gr_gravletFieldOf(potential)
  sinks = gr_gravletSinkFieldOf(potential)
  if (present(extraAccelVars)) sinks = extraAccelVars
  axis = merge(1, merge(2, 3, sweepDir == SWEEP_Y), sweepDir == SWEEP_X)

  call Grid_getBlkPtr(blockID, solnVec, CENTER)
  if (field(axis) > 0) then
     grav = row(field(axis))
  else
     call Grid_getDeltas(blockID, deltas)
     phi = row(potential)
     grav(2:numCells-1) = (phi(1:numCells-2) - phi(3:numCells)) / (2. * deltas(axis))
     grav(1) = grav(2)   ! as there: not to be used
     grav(numCells) = grav(numCells-1)
  end if
  if (sinks(axis) > 0) grav = grav + row(sinks(axis))
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
