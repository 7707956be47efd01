!! SPDX-License-Identifier: Apache-2.0
!! What the unit needs of its host, in Flash-X's words; flash4 has the same module in FLASH4's.

!!REORDER(4): solnData

#include "constants.h"
#include "Simulation.h"

module gr_gravletHost
  use gravlet, ONLY : gravlet_block, gravlet_make_block
  use Driver_interface, ONLY : Driver_abort
  use Grid_interface, ONLY : Grid_fillGuardCells, Grid_getTileIterator, Grid_notifySolnDataUpdate, &
       Grid_releaseTileIterator
  use Grid_iterator, ONLY : Grid_iterator_t
  use Grid_tile, ONLY : Grid_tile_t
  implicit none
  private

  integer, parameter, public :: gr_gravletNdim = NDIM
  public :: gr_gravletAbort, gr_gravletBlocks, gr_gravletFieldOf, gr_gravletFillGuards, gr_gravletSinkFieldOf

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

  !! The variables of the acceleration that belongs to this potential; 0: the setup has none.
  function gr_gravletFieldOf(potential) result(variables)
    integer, intent(IN) :: potential
    integer :: variables(MDIM)

    variables = 0
#ifdef GACX_VAR
    if (potential == GPOT_VAR) variables = [GACX_VAR, GACY_VAR, GACZ_VAR]
#endif
#ifdef GAOX_VAR
    if (potential == GPOL_VAR) variables = [GAOX_VAR, GAOY_VAR, GAOZ_VAR]
#endif
  end function gr_gravletFieldOf

  !! That of the acceleration by sink particles, of the time of this potential.
  function gr_gravletSinkFieldOf(potential) result(variables)
    integer, intent(IN) :: potential
    integer :: variables(MDIM)

    variables = 0
#ifdef SGAX_VAR
    if (potential == GPOT_VAR) variables = [SGAX_VAR, SGAY_VAR, SGAZ_VAR]
#endif
#ifdef SGXO_VAR
    if (potential == GPOL_VAR) variables = [SGXO_VAR, SGYO_VAR, SGZO_VAR]
#endif
  end function gr_gravletSinkFieldOf

  !! Tells the grid that these variables of leaf blocks are new, and lets it fill their guard cells if it is to.
  subroutine gr_gravletFillGuards(variables, by_grid)
    integer, intent(IN) :: variables(MDIM)
    logical, intent(IN) :: by_grid
    logical :: mask(NUNK_VARS)

    call Grid_notifySolnDataUpdate(variables)
    if (.not. by_grid) return
    mask = .FALSE.
    mask(variables) = .TRUE.
    call Grid_fillGuardCells(CENTER, ALLDIR, doEos=.FALSE., maskSize=NUNK_VARS, mask=mask, makeMaskConsistent=.FALSE., &
         selectBlockType=LEAF)
  end subroutine gr_gravletFillGuards

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
