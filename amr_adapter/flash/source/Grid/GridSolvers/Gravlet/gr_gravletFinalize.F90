!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletFinalize()
  use gr_gravletData, ONLY : gr_gravletSolver, gr_gravletHolds, gr_gravletReady, gr_gravletSolves
  use gr_gravletInterface, ONLY : gr_gravletPointsFinalize
  implicit none

  call gr_gravletSolver%destroy()
  call gr_gravletPointsFinalize()
  gr_gravletReady = .FALSE.
  gr_gravletSolves = 0
  gr_gravletHolds = .FALSE.
end subroutine gr_gravletFinalize
