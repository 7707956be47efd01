!! SPDX-License-Identifier: Apache-2.0
!! What the unit needs of its host, in Flash-X's words; flash4 has the same module in FLASH4's.

!!REORDER(4): solnData

#include "constants.h"
#include "gr_gravletHost.h"

module gr_gravletHost
  use gravlet, ONLY : gravlet_block, gravlet_make_block
  use Driver_interface, ONLY : Driver_abort
  use Grid_interface, ONLY : Grid_getTileIterator, Grid_releaseTileIterator
  use Grid_iterator, ONLY : Grid_iterator_t
  use Grid_tile, ONLY : Grid_tile_t
  implicit none
  private

  integer, parameter, public :: gr_gravletNdim = NDIM
  public :: gr_gravletAbort, gr_gravletBlocks

contains

  subroutine gr_gravletAbort(message)
    character(len=*), intent(IN) :: message

    call Driver_abort(message)
  end subroutine gr_gravletAbort

  !! This rank's leaf blocks, in place: density iSrc in, potential iSoln and acceleration iField out, or none of those that are 0.
  !! They point into the grid's own arrays, and are good until it changes.
  subroutine gr_gravletBlocks(iSrc, iSoln, iField, guards, blocks)
    integer, intent(IN) :: iSrc, iSoln, iField(MDIM), guards
    type(gravlet_block), allocatable, intent(OUT) :: blocks(:)
    type(Grid_iterator_t) :: itor
    type(Grid_tile_t) :: tile
    real, pointer :: solnData(:,:,:,:)
    real :: box(LOW:HIGH, MDIM), deltas(MDIM)
    integer :: lo(MDIM), hi(MDIM), n

    allocate(blocks(leafBlocks()))
    nullify(solnData)
    n = 0
    call Grid_getTileIterator(itor, LEAF, tiling=.FALSE.)
    do while (itor%isValid())
       call itor%currentTile(tile)
       call tile%boundBox(box)
       call tile%deltas(deltas)
       lo = tile%limits(LOW, :)
       hi = tile%limits(HIGH, :)
       call tile%getDataPtr(solnData, CENTER)
       n = n + 1
       blocks(n) = gravlet_make_block(box(LOW, :), deltas, &
            solnData(iSrc, lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)), potential=of(iSoln), &
            acceleration_x=of(iField(1)), acceleration_y=of(iField(2)), acceleration_z=of(iField(3)), &
            result_guards=[guards, guards, guards])
       call tile%releaseDataPtr(solnData, CENTER)
       call itor%next()
    end do
    call Grid_releaseTileIterator(itor)

  contains

    !! The block's interior; no array of no variable, which is an argument that is absent.
    function of(variable) result(interior)
      integer, intent(IN) :: variable
      real, pointer :: interior(:,:,:)

      nullify(interior)
      if (variable > 0) interior => solnData(variable, lo(1):hi(1), lo(2):hi(2), lo(3):hi(3))
    end function of
  end subroutine gr_gravletBlocks

  integer function leafBlocks()
    type(Grid_iterator_t) :: itor

    leafBlocks = 0
    call Grid_getTileIterator(itor, LEAF, tiling=.FALSE.)
    do while (itor%isValid())
       leafBlocks = leafBlocks + 1
       call itor%next()
    end do
    call Grid_releaseTileIterator(itor)
  end function leafBlocks
end module gr_gravletHost
