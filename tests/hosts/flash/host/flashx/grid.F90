!! SPDX-License-Identifier: Apache-2.0
!! Flash-X's grid, as its Paramesh and AMReX ones have it: cells' indices are those in the whole box, and a pointer to a block's data
!! must be null before.
#include "constants.h"
#include "Simulation.h"

module Grid_tile
  use mesh, ONLY : below, blockBox, cells, guards, side, unk
  implicit none
  private

  type, public :: Grid_tile_t
     integer, public :: id, cid(MDIM), stride(MDIM), level
     integer, public :: limits(LOW:HIGH, MDIM), grownLimits(LOW:HIGH, MDIM), blkLimitsGC(LOW:HIGH, MDIM)
   contains
     procedure, public :: deltas
     procedure, public :: boundBox
     procedure, public :: getDataPtr
     procedure, public :: releaseDataPtr
  end type Grid_tile_t
  public :: tileOf

contains

  !! The stand-in's own.
  function tileOf(block) result(tile)
    integer, intent(IN) :: block
    type(Grid_tile_t) :: tile

    tile%id = block
    tile%cid = below(block) + 1
    tile%stride = 1
    tile%level = 1
    tile%limits(LOW, :) = tile%cid
    tile%limits(HIGH, :) = below(block) + cells
    tile%blkLimitsGC(LOW, :) = tile%limits(LOW, :) - guards
    tile%blkLimitsGC(HIGH, :) = tile%limits(HIGH, :) + guards
    tile%grownLimits = tile%blkLimitsGC
  end function tileOf

  subroutine deltas(this, dx)
    class(Grid_tile_t), intent(IN) :: this
    real, intent(OUT) :: dx(1:MDIM)

    dx = side / this%level
  end subroutine deltas

  subroutine boundBox(this, box)
    class(Grid_tile_t), intent(IN) :: this
    real, intent(OUT) :: box(LOW:HIGH, 1:MDIM)

    box = blockBox(this%id)
  end subroutine boundBox

  subroutine getDataPtr(this, dataPtr, gridDataStruct, localFlag)
    class(Grid_tile_t), intent(IN), target :: this
    real, pointer :: dataPtr(:, :, :, :)
    integer, intent(IN) :: gridDataStruct
    logical, intent(IN), optional :: localFlag

    if (associated(dataPtr)) error stop "getDataPtr: the pointer is not null"
    if (present(localFlag) .or. gridDataStruct /= CENTER) error stop "getDataPtr: not of the cells"
    associate(first => this%blkLimitsGC(LOW, :))
      dataPtr(1:, first(1):, first(2):, first(3):) => unk(:, :, :, :, this%id)
    end associate
  end subroutine getDataPtr

  subroutine releaseDataPtr(this, dataPtr, gridDataStruct)
    class(Grid_tile_t), intent(IN) :: this
    real, intent(OUT), pointer :: dataPtr(:, :, :, :)
    integer, intent(IN) :: gridDataStruct

    if (this%id < 1 .or. gridDataStruct /= CENTER) error stop "releaseDataPtr: not of the cells"
    nullify(dataPtr)
  end subroutine releaseDataPtr
end module Grid_tile

module Grid_iterator
  use Grid_tile, ONLY : Grid_tile_t, tileOf
  use mesh, ONLY : blocks
  implicit none
  private

  type, public :: Grid_iterator_t
     integer :: curBlk = 0   ! 0: it was not made, or is released
   contains
     procedure, public :: isValid
     procedure, public :: next
     procedure, public :: currentTile
  end type Grid_iterator_t

contains

  logical function isValid(this)
    class(Grid_iterator_t), intent(IN) :: this

    if (this%curBlk == 0) error stop "isValid: no iterator"
    isValid = this%curBlk <= blocks
  end function isValid

  subroutine next(this)
    class(Grid_iterator_t), intent(INOUT) :: this

    this%curBlk = this%curBlk + 1
  end subroutine next

  subroutine currentTile(this, tileDesc)
    class(Grid_iterator_t), intent(IN) :: this
    type(Grid_tile_t), intent(OUT) :: tileDesc

    if (.not. this%isValid()) error stop "currentTile: past the last"
    tileDesc = tileOf(this%curBlk)
  end subroutine currentTile
end module Grid_iterator

module Grid_interface
  use mesh, ONLY : allCells, corner, side
  implicit none
  private :: allCells, corner, side
#include "grid_common.inc"

  subroutine Grid_getTileIterator(itor, nodetype, level, tiling, tileSize, nthreads)
    use Grid_iterator, ONLY : Grid_iterator_t
    type(Grid_iterator_t), intent(OUT) :: itor
    integer, intent(IN) :: nodetype
    integer, intent(IN), optional :: level
    logical, intent(IN), optional :: tiling
    integer, intent(IN), optional :: tileSize(1:MDIM)
    integer, intent(IN), optional :: nthreads

    if (nodetype /= LEAF .or. present(level) .or. present(tileSize) .or. present(nthreads)) &
         error stop "Grid_getTileIterator: all leaves are wanted"
    if (.not. present(tiling)) error stop "Grid_getTileIterator: tiles are parts of blocks if the run says so"
    if (tiling) error stop "Grid_getTileIterator: tiles are parts of blocks"
    itor%curBlk = 1
  end subroutine Grid_getTileIterator

  subroutine Grid_releaseTileIterator(itor)
    use Grid_iterator, ONLY : Grid_iterator_t
    type(Grid_iterator_t), intent(INOUT) :: itor

    itor%curBlk = 0
  end subroutine Grid_releaseTileIterator
end module Grid_interface
