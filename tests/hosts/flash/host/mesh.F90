!! SPDX-License-Identifier: Apache-2.0
!! The mesh of the stand-ins for Flash-X and FLASH4: a box of blocks of one size, dealt out to the ranks in turn, with
!! guard cells. Axes differ in everything but the cells' sides.
module mesh
  implicit none

  integer, parameter :: dens = 1, gpot = 2, variables = 13
#ifdef HOST_LAZY
  integer, parameter :: blocksAlong(3) = [4, 7, 5]
#else
  integer, parameter :: blocksAlong(3) = [2, 3, 2]
#endif
  integer, parameter :: cells(3) = [8, 4, 6], guards = 2, allCells(3) = cells * blocksAlong
  real, parameter :: side = 0.25, corner(3) = [-1., 2., 0.5]
  integer :: rank = 0, ranks = 1, blocks = 0    ! blocks: of this rank
  integer :: turn = 0                           ! this rank's place where blocks are dealt out
  real, allocatable, target :: unk(:,:,:,:,:)   ! variable, x, y, z with guard cells, block

contains

  subroutine makeMesh(myRank, allRanks)
    integer, intent(IN) :: myRank, allRanks

    rank = myRank
    ranks = allRanks
    call deal(0)
  end subroutine makeMesh

  !! Deals the blocks out, beginning with that rank; nothing of the grid is where it was.
  subroutine deal(first)
    integer, intent(IN) :: first

    turn = modulo(rank - first, ranks)
    blocks = (product(blocksAlong) - turn + ranks - 1) / ranks
    if (allocated(unk)) deallocate(unk)
    allocate(unk(variables, cells(1) + 2*guards, cells(2) + 2*guards, cells(3) + 2*guards, blocks))
  end subroutine deal

  !! How many cells of the box are below this block's first one.
  pure function below(block) result(first)
    integer, intent(IN) :: block
    integer :: first(3), place

    place = turn + (block - 1) * ranks
    first = [mod(place, blocksAlong(1)), mod(place / blocksAlong(1), blocksAlong(2)), place / (blocksAlong(1) * blocksAlong(2))]
    first = first * cells
  end function below

  pure function blockBox(block) result(box)
    integer, intent(IN) :: block
    real :: box(2,3)

    box(1,:) = corner + below(block) * side
    box(2,:) = box(1,:) + cells * side
  end function blockBox
end module mesh
