!! SPDX-License-Identifier: Apache-2.0
subroutine Gravity_finalize()
  use gr_gravletInterface, ONLY : gr_gravletFinalize
  implicit none

  call gr_gravletFinalize()
end subroutine Gravity_finalize
