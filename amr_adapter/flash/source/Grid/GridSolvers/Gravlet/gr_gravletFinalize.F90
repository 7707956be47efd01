!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletFinalize()
  use gr_gravletData, ONLY : gr_gravletSolver, gr_gravletReady
  implicit none

  call gr_gravletSolver%destroy()
  gr_gravletReady = .FALSE.
end subroutine gr_gravletFinalize
