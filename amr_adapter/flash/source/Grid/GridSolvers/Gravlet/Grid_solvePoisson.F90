!! SPDX-License-Identifier: Apache-2.0
!! The potential of the density iSrc (>= 0) into iSoln, on the interior of all leaf blocks: -poisfact/(4 pi) times the sum of m/r,
!! for Laplace(iSoln) = poisfact * iSrc. With three periodic directions the mean density is subtracted. Beside it, where the setup
!! has variables for it (gravletAcceleration), the acceleration, and as many layers of guard cells as grv_gravletGuards says; with
!! none, those of the acceleration are filled by the grid. The codes of bcTypes are isolated and periodic, by direction; bcValues
!! has no meaning for these. With grv_gravletLazy blocks rest whose fields are right enough as they are.
subroutine Grid_solvePoisson(iSoln, iSrc, bcTypes, bcValues, poisfact)
  use gravlet, ONLY : gravlet_block, gravlet_points, gravlet_last_error, GRAVLET_SUCCESS
  use gr_gravletChange, ONLY : gr_gravletKeepDensity
  use gr_gravletData, ONLY : gr_gravletActive, gr_gravletGuards, gr_gravletLazy, gr_gravletSolver
  use gr_gravletHost, ONLY : gr_gravletAbort, gr_gravletBlocks
  use gr_gravletInterface, ONLY : gr_gravletHaveSolved, gr_gravletLazyTimeStep, gr_gravletPoints, gr_gravletPrepare, &
       gr_gravletReport, gr_gravletToCheckpoint, gr_gravletWake
  use gr_gravletVariables, ONLY : gr_gravletDensityOf, gr_gravletFieldOf, gr_gravletFillGuards
  use Timers_interface, ONLY : Timers_start, Timers_stop
  implicit none

  integer, intent(in) :: iSoln, iSrc
  integer, intent(in) :: bcTypes(6)
  real, intent(in) :: bcValues(2,6)
  real, intent(inout) :: poisfact

  type(gravlet_block), allocatable :: blocks(:)
  type(gravlet_points) :: points
  integer :: field(3), status
  logical :: lazy, wanted

  call Timers_start("gravlet")
  call gr_gravletPrepare(bcTypes, poisfact)
  field = gr_gravletFieldOf(iSoln)
  call gr_gravletBlocks(iSrc, iSoln, field, gr_gravletGuards, blocks)
  call gr_gravletPoints(points)

  lazy = gr_gravletLazy > 0. .and. gr_gravletDensityOf(iSoln) > 0
  wanted = .TRUE.
  gr_gravletActive = 0
  if (lazy) call gr_gravletWake(iSoln, blocks, points, wanted)
  !! Guard cells of blocks that rest, which no solve fills; a new block has none.
  if (lazy .and. gr_gravletGuards > 0 .and. all(field > 0)) call gr_gravletFillGuards(field, by_grid=.TRUE.)

  if (wanted) then
     call gr_gravletSolver%solve_blocks(blocks, points, status=status)
     if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[Grid_solvePoisson] gravlet: " // gravlet_last_error())
  end if

  call gr_gravletReport()
  if (lazy) then
     call gr_gravletHaveSolved()
     call gr_gravletKeepDensity(iSoln, blocks)
     if (all(field > 0)) call gr_gravletLazyTimeStep(blocks)
  end if
  call gr_gravletToCheckpoint()
  if (all(field > 0)) call gr_gravletFillGuards(field, by_grid=gr_gravletGuards == 0)
  call Timers_stop("gravlet")
end subroutine Grid_solvePoisson
