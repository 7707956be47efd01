!! SPDX-License-Identifier: Apache-2.0
!! grv_gravletTimeStep times the shortest sqrt(h/|a|) of all cells in the last solve. Flash-X's driver does not call it: a
!! simulation's own Driver_computeDt may.
subroutine Gravity_computeDt(Uin, dt_grav, dt_minloc)
  use gr_gravletData, ONLY : gr_gravletTimeStep
  implicit none

  real :: Uin(:,:,:,:)
  integer, intent(INOUT) :: dt_minloc(5)
  real, intent(OUT) :: dt_grav

  dt_grav = gr_gravletTimeStep
end subroutine Gravity_computeDt
