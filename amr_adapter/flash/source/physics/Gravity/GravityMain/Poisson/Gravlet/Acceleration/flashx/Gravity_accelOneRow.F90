!! SPDX-License-Identifier: Apache-2.0
!! The acceleration along a row of cells, guard cells and all: as gravlet found it with the potential, plus the sinks'. Of a
!! potential that has none (another variable than gpot) differences, as the code's own routine has them.

!!REORDER(4): solnVec

subroutine Gravity_accelOneRow(pos, sweepDir, tileDesc, lo, hi, grav, Uin, potentialIndex, extraAccelVars)
  use Grid_tile, ONLY : Grid_tile_t
  use grv_gravletRow, ONLY : grv_gravletAxis, grv_gravletDifferences, grv_gravletVariablesOf
  implicit none
#include "constants.h"

  integer, intent(IN) :: pos(2), sweepDir
  type(Grid_tile_t), intent(IN) :: tileDesc
  integer, intent(IN) :: lo, hi
  real, intent(INOUT) :: grav(lo:hi)
  real, pointer, optional :: Uin(:,:,:,:)
  integer, intent(IN), optional :: potentialIndex
  integer, intent(IN), optional :: extraAccelVars(MDIM)

  real, pointer :: solnVec(:,:,:,:)
  real :: deltas(MDIM)
  integer :: axis, potential, field, sinks

  axis = grv_gravletAxis(sweepDir)
  call grv_gravletVariablesOf(axis, potential, field, sinks, potentialIndex, extraAccelVars)

  nullify(solnVec)
  call tileDesc%getDataPtr(solnVec, CENTER)
  if (field > 0) then
     grav = row(field)
  else
     call tileDesc%deltas(deltas)
     grav = grv_gravletDifferences(row(potential), deltas(axis))
  end if
  if (sinks > 0) grav = grav + row(sinks)
  call tileDesc%releaseDataPtr(solnVec, CENTER)

contains

  function row(variable)
    integer, intent(IN) :: variable
    real :: row(lo:hi)

    select case (axis)
    case (1)
       row = solnVec(variable, lo:hi, pos(1), pos(2))
    case (2)
       row = solnVec(variable, pos(1), lo:hi, pos(2))
    case (3)
       row = solnVec(variable, pos(1), pos(2), lo:hi)
    end select
  end function row
end subroutine Gravity_accelOneRow
