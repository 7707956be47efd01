!! SPDX-License-Identifier: Apache-2.0
!! See Grid_beginPoisson.
subroutine Grid_finalizePoisson(iSoln, iSrc, bcTypes, bcValues, poisfact)
  use Grid_interface, ONLY : Grid_solvePoisson
  implicit none
  integer, intent(in) :: iSoln, iSrc
  integer, intent(in) :: bcTypes(6)
  real, intent(in) :: bcValues(2,6)
  real, intent(inout) :: poisfact

  call Grid_solvePoisson(iSoln, iSrc, bcTypes, bcValues, poisfact)
end subroutine Grid_finalizePoisson
