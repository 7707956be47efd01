!! SPDX-License-Identifier: Apache-2.0
subroutine Gravity_init()
  use Gravity_data, ONLY : grav_boundary, grav_geometry, grav_poisfact, grav_unjunkPden, &
       grv_meshComm, grv_meshMe, grv_meshNumProcs, updateGravity, useGravity
  use gr_gravletData, ONLY : gr_gravletBndMixed
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletInterface, ONLY : gr_gravletPrepare
  use Driver_interface, ONLY : Driver_getComm, Driver_getMype, Driver_getNumProcs
  use Grid_interface, ONLY : Grid_getGeometry, GRID_PDE_BND_ISOLATED, GRID_PDE_BND_PERIODIC
  use PhysicalConstants_interface, ONLY : PhysicalConstants_get
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none
#include "constants.h"

  character(len=MAX_STRING_LENGTH) :: boundary
  integer :: bcTypes(6)
  real :: newton

  call Driver_getMype(MESH_COMM, grv_meshMe)
  call Driver_getComm(MESH_COMM, grv_meshComm)
  call Driver_getNumProcs(MESH_COMM, grv_meshNumProcs)
  call Grid_getGeometry(grav_geometry)
  call RuntimeParameters_get("useGravity", useGravity)
  call RuntimeParameters_get("updateGravity", updateGravity)
  call RuntimeParameters_get("grav_unjunkPden", grav_unjunkPden)
  call PhysicalConstants_get("Newton", newton)
  grav_poisfact = 4. * PI * newton

  !! grav_boundary is in the codes of the grid's faces, which Gravity_potential translates.
  call RuntimeParameters_get("grav_boundary_type", boundary)
  select case (boundary)
  case ("isolated")
     grav_boundary = ISOLATED
     bcTypes = GRID_PDE_BND_ISOLATED
  case ("periodic")
     grav_boundary = PERIODIC
     bcTypes = GRID_PDE_BND_PERIODIC
  case ("mixed")
     grav_boundary = gr_gravletBndMixed
     bcTypes = gr_gravletBndMixed
  case default
     call gr_gravletAbort("[Gravity_init] grav_boundary_type is '" // trim(boundary) // "', not isolated, periodic or mixed")
  end select

  !! Here rather than in the first solve, so that a wrong parameter ends the run at once.
  if (useGravity) call gr_gravletPrepare(bcTypes, grav_poisfact)
end subroutine Gravity_init
