!! SPDX-License-Identifier: Apache-2.0
!! The acceleration along a row of cells, guard cells and all: as gravlet found it with the potential, plus the sinks'. Of a
!! potential that has none (another variable than gpot) differences, as the code's own routine has them.

!!REORDER(4): solnVec

subroutine Gravity_accelOneRow(pos, sweepDir, tileDesc, lo, hi, grav, Uin, potentialIndex, extraAccelVars)
  use Gravity_data, ONLY : grv_defaultGpotVar
  use Grid_tile, ONLY : Grid_tile_t
  use gr_gravletHost, ONLY : gr_gravletFieldOf, gr_gravletSinkFieldOf
  implicit none
#include "constants.h"
#include "Simulation.h"

  integer, intent(IN) :: pos(2), sweepDir
  type(Grid_tile_t), intent(IN) :: tileDesc
  integer, intent(IN) :: lo, hi
  real, intent(INOUT) :: grav(lo:hi)
  real, pointer, optional :: Uin(:,:,:,:)
  integer, intent(IN), optional :: potentialIndex
  integer, intent(IN), optional :: extraAccelVars(MDIM)

  real, pointer :: solnVec(:,:,:,:)
  real :: deltas(MDIM), phi(lo:hi)
  integer :: field(MDIM), sinks(MDIM), potential, axis

  potential = GPOT_VAR
  if (grv_defaultGpotVar > 0) potential = grv_defaultGpotVar
  if (present(potentialIndex)) potential = potentialIndex
  field = gr_gravletFieldOf(potential)
  sinks = gr_gravletSinkFieldOf(potential)
  if (present(extraAccelVars)) sinks = extraAccelVars
  axis = merge(1, merge(2, 3, sweepDir == SWEEP_Y), sweepDir == SWEEP_X)

  nullify(solnVec)
  call tileDesc%getDataPtr(solnVec, CENTER)
  if (field(axis) > 0) then
     grav = row(field(axis))
  else
     call tileDesc%deltas(deltas)
     phi = row(potential)
     grav(lo+1:hi-1) = (phi(lo:hi-2) - phi(lo+2:hi)) / (2. * deltas(axis))
     grav(lo) = grav(lo+1)   ! as there: not to be used
     grav(hi) = grav(hi-1)
  end if
  if (sinks(axis) > 0) grav = grav + row(sinks(axis))
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
