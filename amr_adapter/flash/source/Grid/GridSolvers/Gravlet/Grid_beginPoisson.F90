!! SPDX-License-Identifier: Apache-2.0
!! Of newer Flash-X trees, which let a solve be begun before other physics and be finished after it. gravlet has nothing to do in
!! the background: all of the solve is in Grid_finalizePoisson, where Gravity_potential would have called Grid_solvePoisson.
subroutine Grid_beginPoisson(iSoln, iSrc, bcTypes, bcValues, poisfact)
  implicit none
  integer, intent(in) :: iSoln, iSrc
  integer, intent(in) :: bcTypes(6)
  real, intent(in) :: bcValues(2,6)
  real, intent(inout) :: poisfact
end subroutine Grid_beginPoisson
