!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletPrepare(bcTypes, poisfact)
  use gravlet, ONLY : gravlet_last_error, GRAVLET_PERIODIC, GRAVLET_SUCCESS
  use gr_gravletData, ONLY : solver => gr_gravletSolver, options => gr_gravletOptions, gr_gravletHears, gr_gravletPoisfact
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletInterface, ONLY : gr_gravletBoundary, gr_gravletInit
  use Driver_interface, ONLY : Driver_getComm
  use Grid_interface, ONLY : Grid_getDomainBoundBox
  implicit none
#include "constants.h"

  integer, intent(IN) :: bcTypes(6)
  real, intent(IN) :: poisfact
  integer :: boundary(3), comm, status
  real :: domain(LOW:HIGH, MDIM)

  call gr_gravletInit()
  boundary = gr_gravletBoundary(bcTypes)
  if (solver%is_created()) then
     if (all(boundary == options%boundary) .and. gr_gravletPoisfact /= 0.) return
     call solver%destroy()
  end if

  gr_gravletPoisfact = poisfact
  options%G = poisfact / (4. * PI)
  options%boundary = boundary
  options%has_domain = any(boundary == GRAVLET_PERIODIC)   ! isolated: what the blocks cover
  call Grid_getDomainBoundBox(domain)
  options%domain_lower = domain(LOW, :)
  options%domain_upper = domain(HIGH, :)

  call Driver_getComm(MESH_COMM, comm)
  call solver%create(comm, options, status=status, listener=gr_gravletHears)
  if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletPrepare] gravlet: " // gravlet_last_error())
end subroutine gr_gravletPrepare
