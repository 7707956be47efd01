!! SPDX-License-Identifier: Apache-2.0
!! The grid's variables that go with a potential, and their guard cells. Both codes have these alike, but for the header's name.

#include "constants.h"
#include "gr_gravletHost.h"

module gr_gravletVariables
  use Grid_interface, ONLY : Grid_fillGuardCells, Grid_notifySolnDataUpdate
  implicit none
  private

  integer, parameter, public :: gr_gravletMostGuards = NGUARD   ! layers that a block has
#ifdef GDNS_VAR
  logical, parameter, public :: gr_gravletMayRest = .TRUE.   ! whether the setup has what lazy updates want
#else
  logical, parameter, public :: gr_gravletMayRest = .FALSE.
#endif
  public :: gr_gravletDensityOf, gr_gravletFieldOf, gr_gravletFillGuards, gr_gravletSinkFieldOf

contains

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

  !! That of the density of which this potential was last solved for, which lazy updates want; 0: there is none.
  integer function gr_gravletDensityOf(potential)
    integer, intent(IN) :: potential

    gr_gravletDensityOf = 0
#ifdef GDNS_VAR
    if (potential == GPOT_VAR) gr_gravletDensityOf = GDNS_VAR
#endif
  end function gr_gravletDensityOf

  !! Those of the acceleration by sink particles, of the time of this potential.
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
end module gr_gravletVariables
