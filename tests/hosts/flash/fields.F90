!! SPDX-License-Identifier: Apache-2.0
!! The FLASH unit with accelerations in variables of their own, in a stand-in for its code: against sums over all pairs, in guard
!! cells and rows of cells too; time steps; runs that go on from a checkpoint.
#include "constants.h"
program fields
  use mpi
  use mesh, ONLY : allCells, below, blocks, cells, gpot, guards, side, unk
  use cloud
  use parameters, ONLY : setParameter
  use Gravity_data, ONLY : grav_poisfact
  use Grid_interface, ONLY : filled, guardsOfGrid, notified
  use IO_interface, ONLY : startRun, writeCheckpoint
  use gravity_calls, ONLY : row, timeStep
#include "gr_gravletHost.h"
  implicit none
  external :: Gravity_init, Gravity_finalize

  integer, parameter :: acc(3) = [GACX_VAR, GACY_VAR, GACZ_VAR]
  real, dimension(allCells(1), allCells(2), allCells(3), 4) :: pairs
  integer :: error

  call begin()
  call sumOverPairs()

  !! The grid fills the guard cells of the accelerations; the code itself those of the potential.
  call Gravity_init()
  call solve_for(gpot, grav_poisfact)
  call expectField("accelerations", guardsOfGrid)
  if (count(notified) /= 3 .or. .not. all(notified(acc))) error stop "the grid was not told of the accelerations"
  if (count(filled) /= 3 .or. .not. all(filled(acc))) error stop "other guard cells than the accelerations' were filled"
  call expectTimeStep(0.3)
  call expectRows()
  call Gravity_finalize()

  !! gravlet fills them: in the box, and around it.
  call putDensity()
  filled = .FALSE.
  call setParameter("grv_gravletGuards", "2")
  call setParameter("grv_gravletTimeStep", "0.1")
  call Gravity_init()
  call solve_for(gpot, grav_poisfact)
  if (any(filled)) error stop "the grid filled guard cells, too"
  call expectGuards()
  call expectTimeStep(0.1)
  call Gravity_finalize()
  call setParameter("grv_gravletGuards", "0")

  call expectTheSameBits()
  call MPI_Finalize(error)

contains

  subroutine sumOverPairs()
    integer :: i, j, k

    do k = 1, allCells(3)
       do j = 1, allCells(2)
          do i = 1, allCells(1)
             pairs(i, j, k, :) = pullOfCells(centre(i, j, k))
          end do
       end do
    end do
  end subroutine sumOverPairs

  subroutine expectField(what, ofGuards)
    character(len=*), intent(IN) :: what
    real, intent(IN) :: ofGuards
    real, dimension(allCells(1), allCells(2), allCells(3)) :: got, strength
    integer :: axis

    strength = norm2(pairs(:, :, :, 2:), dim=4)
    do axis = 1, 3
       call gather(acc(axis), got, ofGuards)
       call expect(what, largest((got - pairs(:, :, :, axis + 1)) / strength), 1.e-4)
    end do
  end subroutine expectField

  subroutine expectGuards()
    real :: at(4), worst(2)
    integer :: block, first(3), x, y, z

    worst = 0.
    do block = 1, blocks
       first = below(block) - guards
       do z = 1, cells(3) + 2*guards
          do y = 1, cells(2) + 2*guards
             do x = 1, cells(1) + 2*guards
                at = pullOfCells(centre(first(1) + x, first(2) + y, first(3) + z))
                worst(2) = max(worst(2), norm2(unk(acc, x, y, z, block) - at(2:)) / norm2(at(2:)))
                if (all([x, y, z] > guards) .and. all([x, y, z] <= guards + cells)) cycle
                worst(1) = max(worst(1), abs(unk(gpot, x, y, z, block) / at(1) - 1.))
             end do
          end do
       end do
    end do
    call expect("accelerations, guard cells and all", worst(2), 1.e-4)
    call expect("potentials of guard cells", worst(1), 3.e-6)
  end subroutine expectGuards

  !! sqrt(h/|a|) of the cell that is pulled most.
  subroutine expectTimeStep(share)
    real, intent(IN) :: share
    real :: expected

    expected = share * sqrt(side / maxval(norm2(pairs(:, :, :, 2:), dim=4)))
    call expect("the time step", abs(timeStep() / expected - 1.), 1.e-6)
  end subroutine expectTimeStep

  !! Of gpot and by default as it is in the variables; of gpol as it was, where the setup keeps that; of others differences.
  subroutine expectRows()
    integer, parameter :: pos(2) = [3, 4], other = 12
    real, allocatable :: expected(:)
    integer :: block, axis, x

    do block = 1, blocks
       unk(other, :, :, :, block) = reshape([(real(mod(x * x, 101)), x = 1, size(unk(1, :, :, :, 1)))], shape(unk(1, :, :, :, 1)))
       unk(GPOL_VAR, :, :, :, block) = 2. * unk(other, :, :, :, block)
#ifdef GAOX_VAR
       unk(GAOX_VAR:GAOZ_VAR, :, :, :, block) = -5. * unk(GACX_VAR:GACZ_VAR, :, :, :, block)
#endif
       do axis = 1, 3
          expected = along(unk(acc(axis), :, :, :, block), axis, pos)
          call same("a row of accelerations", row(block, axis, pos), expected)
          call same("a row of gpot's", row(block, axis, pos, GPOT_VAR), expected)
          expected = differences(along(unk(other, :, :, :, block), axis, pos))
          call same("a row of another potential's", row(block, axis, pos, other), expected)
#ifdef GAOX_VAR
          call same("a row of gpol's", row(block, axis, pos, GPOL_VAR), -5. * along(unk(acc(axis), :, :, :, block), axis, pos))
#else
          call same("a row of gpol's", row(block, axis, pos, GPOL_VAR), 2. * expected)
#endif
       end do
    end do
  end subroutine expectRows

  function along(of, axis, pos)
    real, intent(IN) :: of(:,:,:)
    integer, intent(IN) :: axis, pos(2)
    real, allocatable :: along(:)

    if (axis == 1) along = of(:, pos(1), pos(2))
    if (axis == 2) along = of(pos(1), :, pos(2))
    if (axis == 3) along = of(pos(1), pos(2), :)
  end function along

  function differences(phi)
    real, intent(IN) :: phi(:)
    real :: differences(size(phi))

    differences(2:size(phi)-1) = (phi(:size(phi)-2) - phi(3:)) / (2. * side)
    differences(1) = differences(2)
    differences(size(phi)) = differences(size(phi)-1)
  end function differences

  subroutine same(what, got, wanted)
    character(len=*), intent(IN) :: what
    real, intent(IN) :: got(:), wanted(:)

    if (all(abs(got - wanted) <= 1.e-13 * maxval(abs(wanted)))) return
    print '(2a)', what, " is another"
    error stop 1
  end subroutine same

  !! A run with a tolerance goes on from a checkpoint as the one that wrote it; without its scalars it has other bits, or nothing
  !! would be shown.
  subroutine expectTheSameBits()
    real, dimension(allCells(1), allCells(2), allCells(3)) :: through, restarted, anew

    call setParameter("grv_gravletTolerance", "1e-5")
    call startRun(restart=.FALSE.)
    call runSteps(1, 6, through)
    call startRun(restart=.TRUE.)
    call runSteps(4, 6, restarted)
    call startRun(restart=.FALSE.)
    call runSteps(4, 6, anew)
    call expect("other bits after a restart", largest(restarted - through), 0.)
    if (all(anew == through)) error stop "a restart without what was learned has the same bits"
  end subroutine expectTheSameBits

  !! A checkpoint is written behind the third step.
  subroutine runSteps(from, to, phi)
    integer, intent(IN) :: from, to
    real, intent(OUT) :: phi(:,:,:)
    integer :: step

    call Gravity_init()
    do step = from, to
       density(5, 9, 4) = 300. * step
       call putDensity()
       call solve_for(gpot, grav_poisfact)
       if (step == 3) call writeCheckpoint()
    end do
    call gather(gpot, phi)
    call Gravity_finalize()
  end subroutine runSteps
end program fields
