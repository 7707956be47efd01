!! SPDX-License-Identifier: Apache-2.0
!! Of a host without point masses.
subroutine gr_gravletPointsInit(options)
  use gravlet, ONLY : gravlet_options
  implicit none
  type(gravlet_options), intent(INOUT) :: options
end subroutine gr_gravletPointsInit

subroutine gr_gravletPoints(points)
  use gravlet, ONLY : gravlet_points
  implicit none
  type(gravlet_points), intent(OUT) :: points   ! its pointers are null by default: no points
end subroutine gr_gravletPoints

subroutine gr_gravletPointsFinalize()
end subroutine gr_gravletPointsFinalize
