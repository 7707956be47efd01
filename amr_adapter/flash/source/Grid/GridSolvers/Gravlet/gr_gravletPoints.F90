!! SPDX-License-Identifier: Apache-2.0
!! A host without point masses.
subroutine gr_gravletPoints(points)
  use gravlet, ONLY : gravlet_points
  implicit none
  type(gravlet_points), intent(OUT) :: points   ! its pointers are null by default: no points
end subroutine gr_gravletPoints
