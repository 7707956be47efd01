!! SPDX-License-Identifier: Apache-2.0
function gr_gravletBoundary(bcTypes) result(boundary)
  use gravlet, ONLY : GRAVLET_ISOLATED, GRAVLET_PERIODIC
  use gr_gravletData, ONLY : gr_gravletBndMixed
  use gr_gravletHost, ONLY : gr_gravletAbort
  use Grid_interface, ONLY : GRID_PDE_BND_ISOLATED, GRID_PDE_BND_PERIODIC
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none
#include "constants.h"

  integer, intent(IN) :: bcTypes(6)
  integer :: boundary(3)
  character(len=*), parameter :: axes = "xyz"
  character(len=MAX_STRING_LENGTH) :: word
  character(len=120) :: line
  integer :: axis, low, high

  boundary = GRAVLET_ISOLATED
  do axis = 1, 3
     low = bcTypes(2*axis - 1)
     high = bcTypes(2*axis)
     if (low == gr_gravletBndMixed) then
        call RuntimeParameters_get("grav_boundary_type_" // axes(axis:axis), word)
        low = GRID_PDE_BND_ISOLATED
        if (word == "periodic") then
           low = GRID_PDE_BND_PERIODIC
        else if (word /= "isolated") then
           call gr_gravletAbort("[gr_gravletBoundary] grav_boundary_type_" // axes(axis:axis) // " is '" // trim(word) // &
                "', not isolated or periodic")
        end if
        high = low
     end if
     if (low /= high .or. .not. any(low == [GRID_PDE_BND_ISOLATED, GRID_PDE_BND_PERIODIC])) then
        write (line, '(3a,i0,a,i0,a)') "[gr_gravletBoundary] boundary codes in ", axes(axis:axis), " are ", low, " and ", high, &
             "; gravlet has isolated (0) and periodic (1), the same at both ends"
        call gr_gravletAbort(trim(line))
     end if
     if (low == GRID_PDE_BND_PERIODIC) boundary(axis) = GRAVLET_PERIODIC
  end do
end function gr_gravletBoundary
