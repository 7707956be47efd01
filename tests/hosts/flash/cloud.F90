!! SPDX-License-Identifier: Apache-2.0
!! What the tests of the unit have in common: a cloud on the stand-in's mesh, what is asked of the unit, sums over all pairs.
#include "constants.h"
module cloud
  use, intrinsic :: iso_fortran_env, ONLY : int64
  use mpi
  use mesh, ONLY : allCells, below, blocks, cells, corner, dens, gpot, guards, makeMesh, rank, ranks, side, unk
  use parameters, ONLY : readCommandLine
  use Grid_interface, ONLY : GRID_PDE_BND_ISOLATED, GRID_PDE_BND_PERIODIC, Grid_solvePoisson
  use Gravity_data, ONLY : grav_boundary
  implicit none

  real, parameter :: untouched = -77., newton = 0.25
  real, parameter :: ofCube = 3. * log(2. + sqrt(3.)) - PI / 2.   ! the potential in the middle of one of mass and side 1
  real, parameter :: noValues(2,6) = 0.
  real :: density(allCells(1), allCells(2), allCells(3))

contains

  subroutine begin()
    integer :: error

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call makeMesh(rank, ranks)
    call readCommandLine()
    call fillDensity()
  end subroutine begin

  subroutine expect(what, is, bound)
    character(len=*), intent(IN) :: what
    real, intent(IN) :: is, bound

    if (rank == 0) print '(2a,2(es11.3))', what, ": ", is, bound
    if (.not. is <= bound) error stop "that is too much"
  end subroutine expect

  pure real function largest(of)
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

  !! All else is untouched.
  subroutine putDensity()
    unk = untouched
    call put(dens, density)
  end subroutine putDensity

  !! A variable of this rank's cells, of all cells' values.
  subroutine put(variable, values)
    integer, intent(IN) :: variable
    real, intent(IN) :: values(:,:,:)
    integer :: block, low(3), high(3)

    do block = 1, blocks
       low = below(block) + 1
       high = below(block) + cells
       unk(variable, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block) = &
            values(low(1):high(1), low(2):high(2), low(3):high(3))
    end do
  end subroutine put

  !! A variable of all ranks' cells; guard cells must be as they were, or be `ofGuards`.
  subroutine gather(variable, all, ofGuards)
    integer, intent(IN) :: variable
    real, intent(OUT) :: all(:,:,:)
    real, intent(IN), optional :: ofGuards
    real, allocatable :: mine(:,:,:)
    real :: guard
    logical :: isGuard(cells(1) + 2*guards, cells(2) + 2*guards, cells(3) + 2*guards)
    integer :: block, low(3), high(3), error

    guard = untouched
    if (present(ofGuards)) guard = ofGuards
    isGuard = .TRUE.
    isGuard(guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3)) = .FALSE.
    allocate(mine(allCells(1), allCells(2), allCells(3)), source=0.)
    do block = 1, blocks
       low = below(block) + 1
       high = below(block) + cells
       mine(low(1):high(1), low(2):high(2), low(3):high(3)) = &
            unk(variable, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block)
       if (any(isGuard .and. unk(variable, :, :, :, block) /= guard)) error stop "guard cells are not what they should be"
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

  subroutine solve_for(variable, factor)
    integer, intent(IN) :: variable
    real, intent(IN) :: factor
    real :: inOut

    inOut = factor
    call Grid_solvePoisson(variable, dens, bcTypes(), noValues, inOut)
  end subroutine solve_for

  subroutine potential(factor, phi)
    real, intent(IN) :: factor
    real, intent(OUT) :: phi(:,:,:)

    call solve_for(gpot, factor)
    call gather(dens, phi)
    if (any(phi /= density)) error stop "the density was written"
    call gather(gpot, phi)
  end subroutine potential

  pure function centre(i, j, k)
    integer, intent(IN) :: i, j, k
    real :: centre(3)

    centre = corner + side * ([i, j, k] - 0.5)
  end function centre

  !! What all cells do at a place: the potential, its own included where it is a cell's centre, and the acceleration.
  pure function pullOfCells(at) result(sum)
    real, intent(IN) :: at(3)
    real :: sum(4), d(3), r, mass
    integer :: x, y, z

    sum = 0.
    do z = 1, allCells(3)
       do y = 1, allCells(2)
          do x = 1, allCells(1)
             d = centre(x, y, z) - at
             r = norm2(d)
             mass = density(x, y, z) * side**3
             if (r < 1.e-6 * side) then
                sum(1) = sum(1) - newton * mass / side * ofCube
             else
                sum = sum + newton * mass / r * [-1., d / r**2]
             end if
          end do
       end do
    end do
  end function pullOfCells
end module cloud
