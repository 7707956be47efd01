!! SPDX-License-Identifier: Apache-2.0
!! grv_gravletTimeStep times the shortest sqrt(h/|a|) of all cells in the last solve. FLASH4's Driver_computeDt has a call of this
!! routine in a comment: take the marks away to have it.
subroutine Gravity_computeDt(blockID, dt_grav, dt_minloc)
  use gr_gravletData, ONLY : gr_gravletTimeStep
  implicit none

  integer, intent(IN) :: blockID
  integer, intent(INOUT) :: dt_minloc(5)
  real, intent(OUT) :: dt_grav

  dt_grav = gr_gravletTimeStep
end subroutine Gravity_computeDt
