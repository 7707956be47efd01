!! SPDX-License-Identifier: Apache-2.0
!! What is alike in both codes' Gravity_accelOneRow.

#include "constants.h"
#include "gr_gravletHost.h"

module grv_gravletRow
  use Gravity_data, ONLY : grv_defaultGpotVar
  use gr_gravletVariables, ONLY : gr_gravletFieldOf, gr_gravletSinkFieldOf
  implicit none

contains

  !! Of the axis that is swept: the potential's variable, those of the accelerations by gas and sinks, or 0.
  subroutine grv_gravletVariablesOf(axis, potential, field, sinks, potentialIndex, extraAccelVars)
    integer, intent(IN) :: axis
    integer, intent(OUT) :: potential, field, sinks
    integer, intent(IN), optional :: potentialIndex, extraAccelVars(MDIM)
    integer :: all(MDIM)

    potential = GPOT_VAR
    if (grv_defaultGpotVar > 0) potential = grv_defaultGpotVar
    if (present(potentialIndex)) potential = potentialIndex
    all = gr_gravletFieldOf(potential)
    field = all(axis)
    all = gr_gravletSinkFieldOf(potential)
    if (present(extraAccelVars)) all = extraAccelVars
    sinks = all(axis)
  end subroutine grv_gravletVariablesOf

  integer function grv_gravletAxis(sweepDir)
    integer, intent(IN) :: sweepDir

    grv_gravletAxis = findloc([SWEEP_X, SWEEP_Y, SWEEP_Z], sweepDir, dim=1)
  end function grv_gravletAxis

  !! -d phi/dx by differences; at the ends, where there is none, that of the next cell, which the codes do not use.
  function grv_gravletDifferences(phi, delta) result(grav)
    real, intent(IN) :: phi(:), delta
    real :: grav(size(phi))
    integer :: n

    n = size(phi)
    grav(2:n-1) = (phi(1:n-2) - phi(3:n)) / (2. * delta)
    grav(1) = grav(2)
    grav(n) = grav(n-1)
  end function grv_gravletDifferences
end module grv_gravletRow
