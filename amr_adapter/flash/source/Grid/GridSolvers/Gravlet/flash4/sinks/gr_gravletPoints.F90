!! SPDX-License-Identifier: Apache-2.0
!! This rank's sink particles in the solves of Grid_solvePoisson: without mass, for what the gas does to them. The potential is
!! the gas's alone, as FLASH4 has it; Particles_sinkAccelGasOnSinksAndSinksOnGas has the rest.
subroutine gr_gravletPointsInit(options)
  use gravlet, ONLY : gravlet_options, GRAVLET_SOFTENING_SPLINE
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletSinkData, ONLY : gr_gravletSinkRadius
  use Particles_sinkData, ONLY : useSinkParticles
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none
#include "constants.h"

  type(gravlet_options), intent(INOUT) :: options
  character(len=MAX_STRING_LENGTH) :: kernel

  call RuntimeParameters_get("sink_softening_radius", gr_gravletSinkRadius)
  call RuntimeParameters_get("sink_softening_type_gas", kernel)
  if (useSinkParticles .and. kernel /= "spline") call gr_gravletAbort("[gr_gravletPointsInit] sink_softening_type_gas is '" // &
       trim(kernel) // "'; gravlet has 'spline'")
  options%softening_kernel = GRAVLET_SOFTENING_SPLINE
end subroutine gr_gravletPointsInit

subroutine gr_gravletPoints(points)
  use, intrinsic :: iso_c_binding, ONLY : c_double
  use gravlet, ONLY : gravlet_points
  use gr_gravletSinkData, ONLY : sinks => gr_gravletSinks, gr_gravletSinkRadius, SINK_LENGTH, SINK_MASS, SINK_NUMBERS, SINK_PULL
  use Cosmology_interface, ONLY : Cosmology_getRedshift
  use Particles_sinkData, ONLY : localnp, particles_local, useSinkParticles
  implicit none
#include "constants.h"
#include "Flash.h"

  type(gravlet_points), intent(OUT) :: points
  real(c_double), allocatable, target, save :: noMass(:)
  real, parameter :: support = 2.8   ! of the spline, in gravlet's softening lengths
  real :: redshift

  if (.not. useSinkParticles) return
  if (allocated(sinks)) deallocate(sinks, noMass)
  allocate(sinks(localnp, SINK_NUMBERS), noMass(localnp))
  call Cosmology_getRedshift(redshift)
  sinks(:, 1) = particles_local(POSX_PART_PROP, 1:localnp)
  sinks(:, 2) = particles_local(POSY_PART_PROP, 1:localnp)
  sinks(:, 3) = particles_local(POSZ_PART_PROP, 1:localnp)
  sinks(:, SINK_MASS) = particles_local(MASS_PART_PROP, 1:localnp)
  sinks(:, SINK_LENGTH) = gr_gravletSinkRadius * (1. + redshift) / support
  noMass = 0.
  points%x => sinks(:, 1)
  points%y => sinks(:, 2)
  points%z => sinks(:, 3)
  points%mass => noMass
  points%softening => sinks(:, SINK_LENGTH)
  points%acceleration_x => sinks(:, SINK_PULL)
  points%acceleration_y => sinks(:, SINK_PULL + 1)
  points%acceleration_z => sinks(:, SINK_PULL + 2)
end subroutine gr_gravletPoints

subroutine gr_gravletPointsFinalize()
  use gr_gravletSinkData, ONLY : gr_gravletSinkSolver
  implicit none

  call gr_gravletSinkSolver%destroy()
end subroutine gr_gravletPointsFinalize
