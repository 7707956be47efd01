!! SPDX-License-Identifier: Apache-2.0
!! The FLASH unit in a stand-in for its code, which asks what Gravity_potential asks: potentials against a sum over all pairs of
!! cells. solve CONFIG [PARAMETER=VALUE...]: the unit's Config, and parameters that are not as there.
#include "constants.h"
program solve
  use, intrinsic :: iso_fortran_env, ONLY : int64
  use mpi
  use mesh, ONLY : allCells, below, blocks, cells, corner, dens, gpot, guards, makeMesh, side, unk
  use parameters, ONLY : readConfig, setParameter, unreadParameters
  use Grid_interface, ONLY : GRID_PDE_BND_ISOLATED, GRID_PDE_BND_PERIODIC, Grid_solvePoisson
  use Gravity_data, ONLY : grav_boundary, grav_poisfact
  use Logfile_interface, ONLY : logfileLines
  use Timers_interface, ONLY : timersRunning, timersStarted
#ifdef HOST_SINKS
  use Particles_sinkData, ONLY : localnp, particles_local, useSinkParticles
#include "Flash.h"
#endif
  implicit none
  external :: Gravity_init, Gravity_finalize, Grid_beginPoisson, Grid_finalizePoisson

  real, parameter :: untouched = -77., newton = 0.25
  real, parameter :: ofCube = 3. * log(2. + sqrt(3.)) - PI / 2.   ! the potential in the middle of one of mass and side 1
  real, parameter :: noValues(2,6) = 0.
  real, dimension(allCells(1), allCells(2), allCells(3)) :: density, sum, first, again
  real :: poisfact, sinks(4,2) = 0.   ! x, y, z, mass
  integer :: rank, ranks, error, i
  character(len=200) :: word

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call makeMesh(rank, ranks)
  call get_command_argument(1, word)
  call readConfig(trim(word))
  call setParameter("grv_gravletReport", "1")
  call setParameter("grv_gravletTimers", "TRUE")
  do i = 2, command_argument_count()
     call get_command_argument(i, word)
     call setParameter(word(:index(word, "=") - 1), trim(word(index(word, "=") + 1:)))
  end do
  call fillDensity()

#ifdef HOST_SINKS
  sinks = reshape([-0.3, 2.6, 1.1, 1.5, 2.01, 4.4, 3.05, 0.75], [4, 2])
  allocate(particles_local(NPART_PROPS, 2))
  if (rank == ranks - 1) then
     localnp = 2
     particles_local(MASS_PART_PROP, :) = sinks(4, :)
     particles_local(POSX_PART_PROP, :) = sinks(1, :)
     particles_local(POSY_PART_PROP, :) = sinks(2, :)
     particles_local(POSZ_PART_PROP, :) = sinks(3, :)
  end if
#endif
  call sumOverPairs(sum)

  call Gravity_init()
  call potential(grav_poisfact, first)
  call expect("the sum over all pairs", largest(first - sum) / largest(sum), 2.e-6)
  call potential(3. * grav_poisfact, again)
  call expect("three times the poisfact", largest(again - 3. * first) / largest(first), 1.e-12)
  poisfact = grav_poisfact
  call Grid_beginPoisson(gpot, dens, bcTypes(), noValues, poisfact)
  call Grid_finalizePoisson(gpot, dens, bcTypes(), noValues, poisfact)
  call gather(gpot, again)
  call expect("begun and finished", largest(again - first) / largest(first), 1.e-12)
  call Gravity_finalize()

  call setParameter("grv_gravletTheta", "0.")
  call Gravity_init()
  call potential(grav_poisfact, first)
  call expect("the direct sum", largest(first - sum) / largest(sum), 1.e-13)
  call Gravity_finalize()

  !! Periodic in x alone: potentials move along with what makes them, in x and in no other direction.
#ifdef HOST_SINKS
  useSinkParticles = .FALSE.
#endif
  call setParameter("grv_gravletTheta", "0.8")
  call setParameter("grav_boundary_type", "mixed")
  call setParameter("grav_boundary_type_x", "periodic")
  call Gravity_init()
  call potential(grav_poisfact, first)
  do i = 1, 3
     density = cshift(density, 3, i)
     call putDensity()
     call potential(grav_poisfact, again)
     density = cshift(density, -3, i)
     again = cshift(again, -3, i)
     if (i == 1) call expect("moved along x", largest(again - first) / (maxval(first) - minval(first)), 8.e-7)
     if (i > 1) call expect("not moved along y or z", 0.01, largest(again - first) / (maxval(first) - minval(first)))
  end do
  call Gravity_finalize()

  if (unreadParameters() /= "") then
     print '(2a)', "parameters of Config that the unit does not read: ", unreadParameters()
     error stop 1
  end if
  call expect("timers that run on", real(timersRunning), 0.)
  call expect("no stage has a timer", 30., real(timersStarted))
  call expect("no report in the log file", 30., real(logfileLines))
  call MPI_Finalize(error)

contains

  subroutine expect(what, is, bound)
    character(len=*), intent(IN) :: what
    real, intent(IN) :: is, bound

    if (rank == 0) print '(2a,2(es11.3))', what, ": ", is, bound
    if (.not. is <= bound) error stop "that is too much"
  end subroutine expect

  real function largest(of)
    real, intent(IN) :: of(:,:,:)

    largest = maxval(abs(of))
  end function largest

  !! The same on all ranks; mostly gas, with one dense cell.
  subroutine fillDensity()
    integer(int64) :: state
    integer :: x, y, z

    state = 12345
    do z = 1, allCells(3)
       do y = 1, allCells(2)
          do x = 1, allCells(1)
             state = mod(16807 * state, 2147483647_int64)
             density(x, y, z) = 0.5 + real(state) / 2147483647.
          end do
       end do
    end do
    density(5, 9, 4) = 300.
    call putDensity()
  end subroutine fillDensity

  subroutine putDensity()
    integer :: block, low(3), high(3)

    unk = untouched
    do block = 1, blocks
       low = below(block) + 1
       high = below(block) + cells
       unk(dens, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block) = &
            density(low(1):high(1), low(2):high(2), low(3):high(3))
    end do
  end subroutine putDensity

  !! A variable of all ranks' cells; guard cells must be as they were.
  subroutine gather(variable, all)
    integer, intent(IN) :: variable
    real, intent(OUT) :: all(:,:,:)
    real :: mine(allCells(1), allCells(2), allCells(3))
    logical :: isGuard(cells(1) + 2*guards, cells(2) + 2*guards, cells(3) + 2*guards)
    integer :: block, low(3), high(3)

    isGuard = .TRUE.
    isGuard(guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3)) = .FALSE.
    mine = 0.
    do block = 1, blocks
       low = below(block) + 1
       high = below(block) + cells
       mine(low(1):high(1), low(2):high(2), low(3):high(3)) = &
            unk(variable, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block)
       if (any(isGuard .and. unk(variable, :, :, :, block) /= untouched)) error stop "guard cells were written"
    end do
    call MPI_Allreduce(mine, all, size(mine), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine gather

  !! As the codes' Gravity_potential: the faces' codes in the words of Grid_solvePoisson, others as they are.
  function bcTypes()
    integer :: bcTypes(6)

    bcTypes = grav_boundary
    if (grav_boundary == ISOLATED) bcTypes = GRID_PDE_BND_ISOLATED
    if (grav_boundary == PERIODIC) bcTypes = GRID_PDE_BND_PERIODIC
  end function bcTypes

  subroutine potential(factor, phi)
    real, intent(IN) :: factor
    real, intent(OUT) :: phi(:,:,:)
    real :: inOut

    inOut = factor
    call Grid_solvePoisson(gpot, dens, bcTypes(), noValues, inOut)
    call gather(dens, phi)
    if (any(phi /= density)) error stop "the density was written"
    call gather(gpot, phi)
  end subroutine potential

  subroutine sumOverPairs(phi)
    real, intent(OUT) :: phi(:,:,:)
    real :: at(3), of(3), total
    integer :: i, j, k, x, y, z, s

    do k = 1, allCells(3)
       do j = 1, allCells(2)
          do i = 1, allCells(1)
             at = corner + side * ([i, j, k] - 0.5)
             total = density(i, j, k) * side**2 * ofCube
             do s = 1, size(sinks, 2)
                total = total + sinks(4, s) / norm2(at - sinks(:3, s))
             end do
             do z = 1, allCells(3)
                do y = 1, allCells(2)
                   do x = 1, allCells(1)
                      if (x == i .and. y == j .and. z == k) cycle
                      of = corner + side * ([x, y, z] - 0.5)
                      total = total + density(x, y, z) * side**3 / norm2(at - of)
                   end do
                end do
             end do
             phi(i, j, k) = -newton * total
          end do
       end do
    end do
  end subroutine sumOverPairs
end program solve
