!! SPDX-License-Identifier: Apache-2.0
!! Sink particles with the FLASH unit, in a stand-in for FLASH4: what gas does to them and they to gas, against sums over all pairs
!! of a cell and a sink, softened as the kernel's mass within a radius says.
#include "constants.h"
program sinks
  use mpi
  use mesh, ONLY : allCells, rank, ranks, side
  use cloud
  use parameters, ONLY : setParameter
  use gr_gravletData, ONLY : gr_gravletActive
  use Cosmology_interface, ONLY : redshift
  use Gravity_data, ONLY : grav_poisfact
  use Grid_interface, ONLY : notified
  use Particles_sinkData, ONLY : localnp, localnpf, particles_local, useSinkParticles
  use pt_sinkInterface, ONLY : gathered
  implicit none
#include "Flash.h"
  external :: Gravity_init, Gravity_finalize

  interface
     subroutine Particles_sinkAccelGasOnSinksAndSinksOnGas(accelProps, accelVars)
       integer, intent(IN), optional :: accelProps(MDIM), accelVars(MDIM)
     end subroutine Particles_sinkAccelGasOnSinksAndSinksOnGas
  end interface

  integer, parameter :: count = 5, onSinks(3) = [ACCX_PART_PROP, ACCY_PART_PROP, ACCZ_PART_PROP], &
       onGas(3) = [SGAX_VAR, SGAY_VAR, SGAZ_VAR], others(3) = [GAOX_VAR, GAOY_VAR, GAOZ_VAR]
  !! In a cell, between cells, next to one's centre, outside of the box; two near each other.
  real, parameter :: all(4, count) = reshape([-0.3, 2.6, 1.1, 1.5, 2.01, 4.4, 3.05, 0.75, 0.875, 3.375, 2.6251, 0.1, &
       4.5, 6.0, 0.2, 2.0, 2.05, 4.4, 3.1, 0.3], [4, count])   ! x, y, z, mass
  real, dimension(allCells(1), allCells(2), allCells(3)) :: alone, phi
  real :: radius
  integer :: error, i

  call begin()
  call setParameter("sink_softening_radius", "0.6")
  call setParameter("sink_softening_type_gas", "spline")
  allocate(particles_local(NPART_PROPS, count + 3))
  useSinkParticles = .FALSE.
  call Gravity_init()
  call potential(grav_poisfact, alone)
  call Gravity_finalize()

  !! Nobody's: nothing is written.
  useSinkParticles = .TRUE.
  call putDensity()
  call Gravity_init()
  call potential(grav_poisfact, phi)
  call expect("the potential of gas alone", largest(phi - alone), 0.)
  call Particles_sinkAccelGasOnSinksAndSinksOnGas()
  call gather(SGAX_VAR, phi)
  if (any(phi /= untouched)) error stop "there are no sinks, and the grid was written"

  radius = 0.6
  call putSinks()
  call potential(grav_poisfact, phi)
  call expect("sinks in the gas's potential", largest(phi - alone) / largest(alone), 1.2e-6)
  call Particles_sinkAccelGasOnSinksAndSinksOnGas()
  if (.not. notified(SGAX_VAR) .or. gathered /= 1) error stop "neither the grid nor other ranks were told"
  call expectPulls("default", 1., onGas)

  !! The potential at another time of the universe's, and elsewhere into.
  redshift = 0.5
  radius = 0.6 * 1.5
  call putDensity()
  call putSinks()
  call potential(grav_poisfact * 1.5**3, phi)
  call Particles_sinkAccelGasOnSinksAndSinksOnGas([0, 0, 0], others)
  if (any(particles_local(onSinks, :localnp) /= untouched)) error stop "sinks were written that nobody asked for"
  call Particles_sinkAccelGasOnSinksAndSinksOnGas(accelVars=others)
  call expectPulls("redshift 0.5", 1.5**3, others)
  call gather(SGAX_VAR, phi)
  if (any(phi /= untouched)) error stop "other variables were written than were asked for"

  !! No block is active: sinks are, all the same.
  call Gravity_finalize()
  call setParameter("grv_gravletLazy", "1e-3")
  call Gravity_init()
  do i = 1, 2
     call putSinks()
     call potential(grav_poisfact * 1.5**3 * (1. + 5.e-4 * i), phi)
  end do
  call expect("blocks active", real(gr_gravletActive(1)), 0.)
  call Particles_sinkAccelGasOnSinksAndSinksOnGas(accelVars=others)
  call expectPulls("no block active", 1.5**3 * 1.001, others)

  if (command_argument_count() > 1) then   ! what ends a run
     particles_local(POSX_PART_PROP, :localnp) = particles_local(POSX_PART_PROP, :localnp) + 0.01
     call Particles_sinkAccelGasOnSinksAndSinksOnGas()
  end if
  call Gravity_finalize()
  call MPI_Finalize(error)

contains

  !! All of the last rank but the first, which is of the first rank.
  subroutine putSinks()
    integer :: s

    localnp = 0
    localnpf = count
    particles_local = untouched
    do s = 1, count
       if (rank /= merge(0, ranks - 1, s == 1)) cycle
       localnp = localnp + 1
       particles_local([POSX_PART_PROP, POSY_PART_PROP, POSZ_PART_PROP, MASS_PART_PROP], localnp) = all(:, s)
    end do
  end subroutine putSinks

  subroutine expectPulls(what, factor, variables)
    character(len=*), intent(IN) :: what
    real, intent(IN) :: factor
    integer, intent(IN) :: variables(3)
    real :: pulls(allCells(1), allCells(2), allCells(3), 3), bySinks(3, count), worst
    integer :: i, j, k, s, axis

    pulls = 0.
    bySinks = 0.
    do s = 1, count
       do k = 1, allCells(3)
          do j = 1, allCells(2)
             do i = 1, allCells(1)
                pulls(i, j, k, :) = pulls(i, j, k, :) + factor * newton * all(4, s) * law(all(:3, s) - centre(i, j, k))
                bySinks(:, s) = bySinks(:, s) + factor * newton * density(i, j, k) * side**3 * law(centre(i, j, k) - all(:3, s))
             end do
          end do
       end do
    end do
    worst = 0.
    do s = 1, localnp
       i = s
       if (rank == ranks - 1 .and. ranks > 1) i = s + 1
       worst = max(worst, norm2(particles_local(onSinks, s) - bySinks(:, i)) / norm2(bySinks(:, i)))
    end do
    call expect("gas on sinks, " // what, worst, 4.e-6)
    do axis = 1, 3
       call gather(variables(axis), phi)
       call expect("sinks on gas, " // what, largest((phi - pulls(:, :, :, axis)) / norm2(pulls, dim=4)), 6.e-15)
    end do
  end subroutine expectPulls

  !! Attraction by a mass of 1 whose density is the cubic spline that ends at the radius: what is within r, over r^2.
  function law(d)
    real, intent(IN) :: d(3)
    real :: law(3), r, q, within

    r = norm2(d)
    law = 0.
    if (r == 0.) return
    q = 2. * r / radius
    within = 1.
    if (q < 1.) within = 4. * q**3 * (1./3. - 0.3 * q**2 + 0.125 * q**3)
    if (q >= 1. .and. q < 2.) within = 1. - tail(q)
    law = within * d / r**3
  end function law

  !! Of the density (2 - q)^3/4 pi, what is beyond q: the integral of (2 - t)^3 t^2.
  real function tail(q)
    real, intent(IN) :: q
    real :: u

    u = 2. - q
    tail = u**4 * (1. - 0.8 * u + u**2 / 6.)
  end function tail
end program sinks
