!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletPrepare(bcTypes, poisfact)
  use gravlet, ONLY : gravlet_last_error, GRAVLET_PERIODIC, GRAVLET_SUCCESS
  use gr_gravletData, ONLY : solver => gr_gravletSolver, options => gr_gravletOptions, gr_gravletHears, gr_gravletSolves
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletInterface, ONLY : gr_gravletBoundary, gr_gravletFromCheckpoint, gr_gravletInit, gr_gravletPointsFinalize
  use Driver_interface, ONLY : Driver_getComm
  use Grid_interface, ONLY : Grid_getDomainBoundBox
  implicit none
#include "constants.h"

  integer, intent(IN) :: bcTypes(6)
  real, intent(IN) :: poisfact
  integer :: boundary(3), comm, status
  real :: G, domain(LOW:HIGH, MDIM)

  call gr_gravletInit()
  boundary = gr_gravletBoundary(bcTypes)
  G = poisfact / (4. * PI)
  if (solver%is_created() .and. all(boundary == options%boundary)) then
     if (G == options%G) return   ! in comoving coordinates it changes every step
     call solver%set_G(G, status)
     if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletPrepare] gravlet: " // gravlet_last_error())
     options%G = G
     return
  end if
  call solver%destroy()
  call gr_gravletPointsFinalize()

  options%G = G
  options%boundary = boundary
  options%has_domain = any(boundary == GRAVLET_PERIODIC)   ! isolated: what the blocks cover
  call Grid_getDomainBoundBox(domain)
  options%domain_lower = domain(LOW, :)
  options%domain_upper = domain(HIGH, :)

  call Driver_getComm(MESH_COMM, comm)
  call solver%create(comm, options, status=status, listener=gr_gravletHears)
  if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletPrepare] gravlet: " // gravlet_last_error())
  if (gr_gravletSolves == 0) call gr_gravletFromCheckpoint()
end subroutine gr_gravletPrepare
