!! SPDX-License-Identifier: Apache-2.0
!! FLASH4's grid: blocks by number, their cells counted from the first guard cell on. And its sinks.
#include "constants.h"
#include "Flash.h"

module Grid_interface
  use mesh, ONLY : allCells, blockBox, blocks, cells, corner, guards, side, unk
  implicit none
  private :: allCells, blockBox, blocks, cells, corner, guards, side, unk
#include "grid_common.inc"

  subroutine Grid_getListOfBlocks(blockType, listOfBlocks, count, refinementLevel, region_bndBox, includePartialBlocks)
    integer, intent(in) :: blockType
    integer, intent(out) :: listOfBlocks(MAXBLOCKS)
    integer, intent(out) :: count
    integer, intent(IN), optional :: refinementLevel
    real, intent(IN), optional :: region_bndBox(LOW:HIGH, MDIM)
    logical, intent(IN), optional :: includePartialBlocks
    integer :: block

    if (blockType /= LEAF .or. present(refinementLevel) .or. present(region_bndBox) .or. present(includePartialBlocks)) &
         error stop "Grid_getListOfBlocks: all leaves are wanted"
    count = blocks
    listOfBlocks = -1
    listOfBlocks(:blocks) = [(block, block = blocks, 1, -1)]
  end subroutine Grid_getListOfBlocks

  subroutine Grid_getBlkPtr(blockId, dataPtr, gridDataStruct)
    integer, intent(in) :: blockId
    real, pointer :: dataPtr(:,:,:,:)
    integer, optional, intent(in) :: gridDataStruct

    if (present(gridDataStruct)) then
       if (gridDataStruct /= CENTER) error stop "Grid_getBlkPtr: not of the cells"
    end if
    dataPtr => unk(:, :, :, :, blockId)
  end subroutine Grid_getBlkPtr

  subroutine Grid_releaseBlkPtr(blockId, dataPtr, gridDataStruct)
    integer, intent(in) :: blockId
    real, pointer :: dataPtr(:,:,:,:)
    integer, optional, intent(in) :: gridDataStruct

    if (blockId < 1 .or. .not. present(gridDataStruct)) error stop "Grid_releaseBlkPtr: not of the cells"
    nullify(dataPtr)
  end subroutine Grid_releaseBlkPtr

  subroutine Grid_getBlkIndexLimits(blockId, blkLimits, blkLimitsGC, gridDataStruct)
    integer, intent(IN) :: blockId
    integer, intent(OUT) :: blkLimits(LOW:HIGH, MDIM), blkLimitsGC(LOW:HIGH, MDIM)
    integer, optional, intent(IN) :: gridDataStruct

    if (blockId < 1 .or. present(gridDataStruct)) error stop "Grid_getBlkIndexLimits: not of the cells"
    blkLimitsGC(LOW, :) = 1
    blkLimitsGC(HIGH, :) = cells + 2*guards
    blkLimits(LOW, :) = guards + 1
    blkLimits(HIGH, :) = guards + cells
  end subroutine Grid_getBlkIndexLimits

  subroutine Grid_getBlkBoundBox(blockId, boundBox)
    integer, intent(in) :: blockId
    real, intent(out) :: boundBox(LOW:HIGH, MDIM)

    boundBox = blockBox(blockId)
  end subroutine Grid_getBlkBoundBox

  subroutine Grid_getDeltas(blockId, del)
    integer, intent(in) :: blockId
    real, intent(out) :: del(MDIM)

    if (blockId < 1) error stop "Grid_getDeltas: no block"
    del = side
  end subroutine Grid_getDeltas
end module Grid_interface

module Particles_sinkData
  implicit none
  logical, save :: useSinkParticles = .TRUE.
  integer, save :: localnp = 0, localnpf = 0   ! of this rank, of all
  real, save, allocatable :: particles_local(:,:)   ! property, sink
end module Particles_sinkData

module pt_sinkInterface
  implicit none
  integer :: gathered = 0

contains

  subroutine pt_sinkGatherGlobal(propinds, nprops)
    integer, intent(in), optional :: propinds(:), nprops

    if (present(propinds) .neqv. present(nprops)) error stop "pt_sinkGatherGlobal: some properties, or all"
    gathered = gathered + 1
  end subroutine pt_sinkGatherGlobal
end module pt_sinkInterface

module Cosmology_interface
  implicit none
  real :: redshift = 0.

contains

  subroutine Cosmology_getRedshift(z)
    real, intent(OUT) :: z

    z = redshift
  end subroutine Cosmology_getRedshift
end module Cosmology_interface
