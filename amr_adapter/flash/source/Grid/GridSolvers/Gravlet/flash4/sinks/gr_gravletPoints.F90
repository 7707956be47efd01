!! SPDX-License-Identifier: Apache-2.0
!! This rank's sink particles, as sources only: what pulls on them stays the sink unit's business.
subroutine gr_gravletPoints(points)
  use, intrinsic :: iso_c_binding, ONLY : c_double, c_int8_t
  use gravlet, ONLY : gravlet_points
  use Particles_sinkData, ONLY : localnp, particles_local, useSinkParticles
  implicit none
#include "constants.h"
#include "Flash.h"

  type(gravlet_points), intent(OUT) :: points
  real(c_double), allocatable, target, save :: sinks(:,:)
  integer(c_int8_t), allocatable, target, save :: active(:)

  if (.not. useSinkParticles) return
  if (allocated(sinks)) deallocate(sinks, active)
  allocate(sinks(localnp, 4), active(localnp))
  sinks(:, 1) = particles_local(POSX_PART_PROP, 1:localnp)
  sinks(:, 2) = particles_local(POSY_PART_PROP, 1:localnp)
  sinks(:, 3) = particles_local(POSZ_PART_PROP, 1:localnp)
  sinks(:, 4) = particles_local(MASS_PART_PROP, 1:localnp)
  active = 0_c_int8_t
  points%x => sinks(:, 1)
  points%y => sinks(:, 2)
  points%z => sinks(:, 3)
  points%mass => sinks(:, 4)
  points%active => active
end subroutine gr_gravletPoints
