!! SPDX-License-Identifier: Apache-2.0
!! What gas does to sinks, into accelProps (default ACCX, ACCY, ACCZ) of this rank's, and sinks to gas, into accelVars (default
!! SGAX, SGAY, SGAZ) of leaf blocks' interiors. The first is the last potential's: it came with it. An index that is no property
!! leaves the sinks alone.
subroutine Particles_sinkAccelGasOnSinksAndSinksOnGas(accelProps, accelVars)
  use gravlet, ONLY : gravlet_block, gravlet_points
  use gr_gravletHost, ONLY : gr_gravletAbort, gr_gravletBlocks
  use gr_gravletSinkData, ONLY : sinks => gr_gravletSinks, SINK_LENGTH, SINK_MASS, SINK_PULL
  use gr_gravletSinkInterface, ONLY : gr_gravletSolveSinks
  use Grid_interface, ONLY : Grid_notifySolnDataUpdate
  use Particles_sinkData, ONLY : localnp, localnpf, particles_local
  use pt_sinkInterface, ONLY : pt_sinkGatherGlobal
  use Timers_interface, ONLY : Timers_start, Timers_stop
  implicit none
#include "constants.h"
#include "Flash.h"

  integer, intent(IN), optional :: accelProps(MDIM), accelVars(MDIM)

  integer, parameter :: places(MDIM) = [POSX_PART_PROP, POSY_PART_PROP, POSZ_PART_PROP]
  type(gravlet_block), allocatable :: blocks(:)
  type(gravlet_points) :: points
  integer :: props(MDIM), vars(MDIM)
  logical :: moved

  if (localnpf == 0) return   ! there are no sinks, on any rank
  call Timers_start("gravlet sinks")
  props = [ACCX_PART_PROP, ACCY_PART_PROP, ACCZ_PART_PROP]
  if (present(accelProps)) props = accelProps
  vars = [SGAX_VAR, SGAY_VAR, SGAZ_VAR]
  if (present(accelVars)) vars = accelVars
  if (any(vars <= 0)) call gr_gravletAbort("[Particles_sinkAccelGasOnSinksAndSinksOnGas] accelVars are no variables of the grid")

  moved = .not. allocated(sinks)
  if (.not. moved) moved = size(sinks, 1) /= localnp
  if (.not. moved) moved = any(sinks(:, 1:3) /= transpose(particles_local(places, 1:localnp)))
  if (moved) call gr_gravletAbort("[Particles_sinkAccelGasOnSinksAndSinksOnGas] sinks have moved since the last potential")
  if (all(props > 0)) particles_local(props, 1:localnp) = transpose(sinks(:, SINK_PULL:SINK_PULL + 2))
  call pt_sinkGatherGlobal()

  points%x => sinks(:, 1)
  points%y => sinks(:, 2)
  points%z => sinks(:, 3)
  points%mass => sinks(:, SINK_MASS)
  points%softening => sinks(:, SINK_LENGTH)
  call gr_gravletBlocks(DENS_VAR, 0, vars, 0, blocks)
  call gr_gravletSolveSinks(blocks, points)
  call Grid_notifySolnDataUpdate(vars)
  call Timers_stop("gravlet sinks")
end subroutine Particles_sinkAccelGasOnSinksAndSinksOnGas
