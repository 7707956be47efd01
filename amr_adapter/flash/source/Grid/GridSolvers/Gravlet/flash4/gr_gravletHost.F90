!! SPDX-License-Identifier: Apache-2.0
!! What the unit needs of its host, in FLASH4's words; flashx has the same module in Flash-X's.

!!REORDER(4): solnData

#include "constants.h"
#include "gr_gravletHost.h"

module gr_gravletHost
  use gravlet, ONLY : gravlet_block, gravlet_make_block
  use Driver_interface, ONLY : Driver_abortFlash
  use Grid_interface, ONLY : Grid_getListOfBlocks, Grid_getBlkPtr, Grid_releaseBlkPtr, &
       Grid_getBlkIndexLimits, Grid_getBlkBoundBox, Grid_getDeltas
  implicit none
  private

  integer, parameter, public :: gr_gravletNdim = NDIM
  public :: gr_gravletAbort, gr_gravletBlocks

contains

  subroutine gr_gravletAbort(message)
    character(len=*), intent(IN) :: message

    call Driver_abortFlash(message)
  end subroutine gr_gravletAbort

  !! This rank's leaf blocks, in place: density iSrc in, potential iSoln and acceleration iField out, or none of those that are 0.
  !! They point into the grid's own arrays, and are good until it changes.
  subroutine gr_gravletBlocks(iSrc, iSoln, iField, guards, blocks)
    integer, intent(IN) :: iSrc, iSoln, iField(MDIM), guards
    type(gravlet_block), allocatable, intent(OUT) :: blocks(:)
    real, pointer :: solnData(:,:,:,:)
    real :: box(LOW:HIGH, MDIM), deltas(MDIM)
    integer :: list(MAXBLOCKS), count, n
    integer :: limits(LOW:HIGH, MDIM), limitsGC(LOW:HIGH, MDIM), lo(MDIM), hi(MDIM)

    call Grid_getListOfBlocks(LEAF, list, count)
    allocate(blocks(count))
    do n = 1, count
       call Grid_getBlkBoundBox(list(n), box)
       call Grid_getDeltas(list(n), deltas)
       call Grid_getBlkIndexLimits(list(n), limits, limitsGC)
       lo = limits(LOW, :)
       hi = limits(HIGH, :)
       call Grid_getBlkPtr(list(n), solnData, CENTER)
       blocks(n) = gravlet_make_block(box(LOW, :), deltas, &
            solnData(iSrc, lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)), potential=of(iSoln), &
            acceleration_x=of(iField(1)), acceleration_y=of(iField(2)), acceleration_z=of(iField(3)), &
            result_guards=[guards, guards, guards])
       call Grid_releaseBlkPtr(list(n), solnData, CENTER)
    end do

  contains

    !! The block's interior; no array of no variable, which is an argument that is absent.
    function of(variable) result(interior)
      integer, intent(IN) :: variable
      real, pointer :: interior(:,:,:)

      nullify(interior)
      if (variable > 0) interior => solnData(variable, lo(1):hi(1), lo(2):hi(2), lo(3):hi(3))
    end function of
  end subroutine gr_gravletBlocks
end module gr_gravletHost
